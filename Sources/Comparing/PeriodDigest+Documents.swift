package import FoundationEssentials
package import Model

extension PeriodDigest {
  /// The largest number of slow or flaky tests to name.
  private static let mostNoted = 5

  /// Summarizes the integrations that ended in a period.
  ///
  /// - Parameters:
  ///   - documents: the integrations of the period, oldest first.
  ///   - states: the state of the branches at the end of the period.
  ///   - before: returns a branch's newest conclusive integration before the period, or that without a branch for
  ///     `nil`.
  package init(
    of bot: String, _ report: Trigger.Mail.Report, from start: Date, to end: Date,
    documents: [IntegrationRecord], states: BranchStates<HistoryLine>, before: (String?) -> IntegrationRecord?
  ) {
    self.init(bot: bot, report: report, start: start, end: end)
    integrations = documents.count
    green = documents.count(where: \.outcome.isGreen)
    red = documents.count { !$0.outcome.isGreen && $0.outcome != .canceled }
    canceled = documents.count { $0.outcome == .canceled }
    commits = Set(documents.flatMap { $0.commits.map(\.id) }).count
    takeIssues(documents)
    takeStates(states)
    let own = documents.filter { $0.branch == branch }
    let earlier = before(branch)
    let issues = (own.last ?? earlier)?.issues ?? []
    open = issues.count { $0.status.isOpen && $0.kind != .serviceWarning }
    takeTests(own, before: earlier)
  }

  private mutating func takeStates(_ states: BranchStates<HistoryLine>) {
    branch = states.main.branch
    redBeside = states.redBeside
    guard let told = states.main.told else { return }
    newest = told.number
    (outcome, isFailedGate) = (told.outcome, told.isFailedGate)
  }

  private mutating func takeIssues(_ documents: [IntegrationRecord]) {
    var courses: [String: IssueCourse] = [:]
    var moment = 0
    for document in documents {
      for issue in document.issues + document.replacedIssues where issue.kind != .serviceWarning {
        // To the people who work there, the same finding on two branches is two issues.
        let key = "\(document.branch ?? "")\u{0}\(issue.id)"
        let finding = Finding(
          kind: issue.kind, title: issue.title, number: document.number, branch: document.branch)
        courses[key, default: IssueCourse(wasThere: issue.status != .new)].take(issue.status, finding, moment)
        moment += 1
      }
    }
    let ends = courses.values.sorted { $0.moment < $1.moment }
    opened = ends.filter { !$0.wasThere && $0.isThere }.compactMap(\.end)
    closed = ends.filter { $0.wasThere && !$0.isThere }.compactMap(\.end)
    passing = ends.filter { !$0.wasThere && !$0.isThere }.compactMap(\.passage)
  }

  /// The course of one issue over the period. An issue that came and went, or the reverse, has not changed on balance.
  private struct IssueCourse {
    /// Whether the issue existed before the period.
    let wasThere: Bool
    private(set) var isThere: Bool
    /// How it last came or went.
    private(set) var end: Finding?
    /// The integration in which it first came.
    private var start: Int?
    /// The position of the last change, by which the issues are sorted.
    private(set) var moment = 0

    init(wasThere: Bool) {
      self.wasThere = wasThere
      isThere = wasThere
    }

    mutating func take(_ status: Issue.Status, _ finding: Finding, _ moment: Int) {
      guard status == .new || status == .resolved, isThere != (status == .new) else { return }
      isThere.toggle()
      if isThere, start == nil { start = finding.number }
      (end, self.moment) = (finding, moment)
    }

    /// The issue's whole course, from where it first came to where it last went.
    var passage: Finding? {
      guard let end, let start else { return nil }
      return Finding(kind: end.kind, title: end.title, number: start, branch: end.branch, gone: end.number)
    }
  }

  private mutating func takeTests(_ documents: [IntegrationRecord], before: IntegrationRecord?) {
    let last = documents.last { $0.outcome.isConclusive && $0.tests.counts.listed > 0 }
    let covered = documents.last { $0.coverage.totals != nil }
    (lines, linesAreComplete) = (covered?.coverage.totals?.lines, covered?.coverage.complete ?? true)
    linesNumber = covered?.number
    // Lines that seem not to have run only because counters are missing are not a change.
    linesBefore = linesAreComplete && before?.coverage.complete == true ? before?.coverage.totals?.lines : nil
    if covered == nil { noCoverage = documents.last { $0.coverage.reason != nil }?.coverage.reason }
    guard let last else { return }
    tests = last.tests.cases.count
    testsNumber = last.number
    if let before, before.tests.counts.listed > 0 {
      let (old, new) = (Set(before.tests.cases.map(\.id)), Set(last.tests.cases.map(\.id)))
      if !before.mayLackTests { testsAdded = new.subtracting(old).sorted() }
      if !last.mayLackTests { testsRemoved = old.subtracting(new).sorted() }
    }
    // Without a mark, no test of the integration is slow.
    let slow = last.tests.slow.map { slow in last.tests.cases.filter { $0.isSlow(beyond: slow.mark) } }
    slowest = Self.greatest((slow ?? []).map { ($0.id, $0.ownTime ?? $0.duration) })
    flakiest = Self.greatest(Self.flaky(documents))
  }

  private static func greatest(_ tests: [(TestID, Double)]) -> [NotedTest] {
    let sorted = tests.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    return sorted.prefix(mostNoted).map { NotedTest(id: $0.0, value: $0.1) }
  }

  /// Returns the tests that are proved flaky in the newest integration, each with how many integrations prove it.
  private static func flaky(_ documents: [IntegrationRecord]) -> [(TestID, Double)] {
    let verdicts = documents.filter { !$0.tests.cases.isEmpty }.reversed().map(TestVerdicts.init)
    return TestHistory.all(of: verdicts).map { ($0.key, Double($0.value.flakyIn.count)) }.filter { $0.1 > 0 }
  }
}

extension IntegrationRecord {
  /// The issues that another finding about the same test replaced, and which only the memory therefore tells.
  fileprivate var replacedIssues: [FlatIssue] {
    let told = Set(issues.map(\.id))
    let required = ([self] + (cells ?? [])).filter { $0.destination?.required != false }
    let replaced = required.compactMap(\.issueMemory).flatMap(\.records).filter { record in
      let last = record.streaks.last
      return last?.closed == number && last?.ending == .failsOtherwise && !told.contains(record.id)
    }
    return replaced.map { FlatIssue(Issue($0)) }
  }
}

extension IntegrationRecord.FlatIssue {
  /// The test's name, or the place and the beginning of the message.
  fileprivate var title: String {
    if let test { return test.description }
    let first = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return file.map { "\($0.split(separator: "/").last ?? ""):\(line ?? 0): \(first)" } ?? first
  }
}
