package import FoundationEssentials
package import Model

extension PeriodDigest {
  /// How many tests are named as slow or unsteady.
  private static let mostNoted = 5

  /// Sums up the integrations that ended in a period.
  ///
  /// - Parameters:
  ///   - documents: those of the period, oldest first.
  ///   - before: the newest conclusive one before the period, for each branch; `nil` stands for none.
  package init(
    of bot: String, _ report: Trigger.Mail.Report, from start: Date, to end: Date,
    documents: [IntegrationDocument], before: (String?) -> IntegrationDocument?
  ) {
    self.init(bot: bot, report: report, start: start, end: end)
    integrations = documents.count
    green = documents.count { $0.outcome.exitCode == 0 }
    red = documents.count { $0.outcome.exitCode != 0 && $0.outcome != .canceled }
    commits = Set(documents.flatMap { $0.commits.map(\.id) }).count
    takeIssues(documents)
    let branches = Dictionary(grouping: documents, by: \.branch)
    // Of two that were integrated as often, the one that was integrated last.
    let most = branches.values.map(\.count).max() ?? 0
    guard let last = documents.last(where: { branches[$0.branch]?.count == most }) else { return }
    branch = last.branch
    newest = last.number
    outcome = last.outcome
    let own = branches[last.branch] ?? []
    open = last.issues.count { $0.isOpen }
    takeTests(own, before: before(last.branch))
  }

  private mutating func takeIssues(_ documents: [IntegrationDocument]) {
    var came: [String: Finding] = [:]
    var order: [String] = []
    for document in documents {
      for issue in document.issues where issue.kind != .serviceWarning {
        // The same finding on two branches is two issues to those who work there.
        let key = "\(document.branch ?? "")\u{0}\(issue.id)"
        let finding = Finding(kind: issue.kind, title: issue.title, number: document.number)
        if issue.status == .new, came[key] == nil {
          came[key] = finding
          order.append(key)
        } else if issue.status == .resolved {
          if came.removeValue(forKey: key) == nil { closed.append(finding) } else { passing += 1 }
        }
      }
    }
    opened = order.compactMap { came[$0] }
  }

  private mutating func takeTests(_ documents: [IntegrationDocument], before: IntegrationDocument?) {
    let last = documents.last { $0.outcome.isConclusive && $0.tests.counts.listed > 0 }
    linesBefore = before?.coverage.totals?.lines
    lines = documents.last { $0.coverage.totals != nil }?.coverage.totals?.lines
    guard let last else { return }
    tests = last.tests.cases.count
    if let before, before.tests.counts.listed > 0 {
      let (old, new) = (Set(before.tests.cases.map(\.id)), Set(last.tests.cases.map(\.id)))
      testsAdded = new.subtracting(old).sorted()
      testsRemoved = old.subtracting(new).sorted()
    }
    slowest = Self.greatest(last.tests.cases.map { ($0.id, $0.duration) }.filter { $0.1 >= 0.1 })
    flakiest = Self.greatest(Self.unsteady(documents).map { ($0.key, Double($0.value)) })
  }

  private static func greatest(_ tests: [(TestID, Double)]) -> [NotedTest] {
    let sorted = tests.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    return sorted.prefix(mostNoted).map { NotedTest(id: $0.0, value: $0.1) }
  }

  /// How often each test was unsteady: flaky within an integration, or with another verdict than before on one commit.
  private static func unsteady(_ documents: [IntegrationDocument]) -> [TestID: Int] {
    var counts: [TestID: Int] = [:]
    var verdicts: [String: Bool] = [:]
    for document in documents {
      for test in document.tests.cases {
        if test.flaky == true { counts[test.id, default: 0] += 1 }
        guard test.state == .passed || test.state.isRed else { continue }
        let key = "\(document.commit.id.rawValue) \(document.toolchain) \(test.id)"
        if let verdict = verdicts.updateValue(test.state.isRed, forKey: key), verdict != test.state.isRed {
          counts[test.id, default: 0] += 1
        }
      }
    }
    return counts
  }
}

extension IntegrationDocument.FlatIssue {
  fileprivate var isOpen: Bool { (status == .new || status == .unresolved) && kind != .serviceWarning }

  /// The test's name, or the place and the beginning of the message.
  fileprivate var title: String {
    if let test { return test.description }
    let first = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return file.map { "\($0.split(separator: "/").last ?? ""):\(line ?? 0): \(first)" } ?? first
  }
}
