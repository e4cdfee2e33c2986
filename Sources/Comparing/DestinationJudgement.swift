package import Model

/// The combined verdict and issues of an integration's destinations.
package enum DestinationJudgement {
  /// The result of one destination.
  package struct Part: Sendable {
    package var name: String
    package var isRequired: Bool
    /// Nil if nothing was built for the destination.
    package var verdict: Verdict?
    package var issues: [Issue]
    /// What is remembered of its issues, open and gone.
    package var records: [IssueRecord]

    package init(
      name: String, isRequired: Bool, verdict: Verdict?, issues: [Issue], records: [IssueRecord] = []
    ) {
      self.name = name
      self.isRequired = isRequired
      self.verdict = verdict
      self.issues = issues
      self.records = records
    }
  }

  /// Returns the worst outcome of the required destinations with all reasons, each once, the worst first.
  ///
  /// - Parameter parts: the destinations, the leading one first.
  package static func verdict(of parts: [Part]) -> Verdict {
    let judged = parts.filter(\.isRequired).compactMap { part in part.verdict.map { (part, $0) } }
    let order = Outcome.allCases
    func rank(_ verdict: Verdict) -> Int { order.firstIndex(of: verdict.outcome) ?? order.count }
    let sorted = judged.enumerated().sorted { (rank($0.element.1), $0.offset) < (rank($1.element.1), $1.offset) }
      .map(\.element)
    guard let worst = sorted.first?.1 else { return Verdict(.internalError) }
    var reasons: [(reason: OutcomeReason, tests: Set<TestID>, names: [String])] = []
    for (part, verdict) in sorted {
      for reason in verdict.reasons {
        let tests = part.tests(of: reason)
        if let known = reasons.firstIndex(where: { $0.reason == reason && $0.tests == tests }) {
          reasons[known].names.append(part.name)
        } else {
          reasons.append((reason, tests, [part.name]))
        }
      }
    }
    let place = Dictionary(uniqueKeysWithValues: parts.enumerated().map { ($1.name, $0) })
    return Verdict(
      worst.outcome,
      reasons.map { reason, _, names in
        // The first one's gates judge the whole report, and what was adopted names its destinations already.
        names.count == judged.count || reason.isAdopted || reason.code.gate != nil && names == [parts.first?.name]
          ? reason : .inDestinations(names.sorted { (place[$0] ?? 0) < (place[$1] ?? 0) }, reason)
      }, onlyGatesFailed: judged.allSatisfy { $0.1.outcome.isGreen || $0.1.onlyGatesFailed })
  }

  /// Returns the issues of the required destinations, each once.
  ///
  /// Each issue names the destinations that have it, unless all do. It, or its reason, is new if it is for one of them,
  /// and it is resolved if none of them has it any more. Where it is older for others, for which somebody else may have
  /// caused it, it is also told as they have it. What an earlier integration of the same commit told as new for one is
  /// the same news for the others, and is not told again.
  ///
  /// - Parameters:
  ///   - parts: the destinations, the leading one first.
  ///   - earlier: the numbers of the earlier integrations of the same commit.
  package static func issues(of parts: [Part], after earlier: Set<Int> = []) -> [Issue] {
    let required = parts.filter(\.isRequired)
    let found = required.flatMap { part in
      part.issues.map { Found(name: part.name, issue: $0, records: part.records) }
    }
    let issues = found.grouped(by: \.issue.id).compactMap { all -> Issue? in
      let told = all.first { $0.issue.wasTold(in: earlier) } ?? all.min { $0.issue.isTold(before: $1.issue) }
      guard let told else { return nil }
      var issue = told.issue
      let isOver = issue.status.isOver
      let having = all.filter { $0.issue.status.isOver == isOver }
      issue.elsewhere = others(than: told, among: having, after: earlier)
      let apart = Set(issue.elsewhere.flatMap(\.destinations))
      let names = having.map(\.name).filter { !apart.contains($0) }
      let isOfWhole = [.gate, .triggerError].contains(issue.kind) && names == [parts.first?.name] && apart.isEmpty
      issue.destinations = names.count == required.count || isOfWhole ? [] : names
      issue.isCarriedOver = all.allSatisfy { $0.issue.status.isOver || $0.issue.isCarriedOver }
      issue.passedOnRetry =
        issue.isCarriedOver && all.contains { !$0.issue.status.isOver && $0.issue.passedOnRetry }
      return issue
    }
    return issues.filter { !$0.status.isOver } + issues.filter(\.status.isOver)
  }

  /// The issue of a destination, and what that remembers of all of its issues.
  private struct Found {
    var name: String
    var issue: Issue
    var records: [IssueRecord]

    /// Whom the destination suspects, by now or since the issue was new.
    var suspects: [Suspect] {
      issue.suspects.isEmpty ? (records.first { issue.isTold(by: $0) }?.suspects ?? []).named : issue.suspects
    }

    /// Whether it is there, and has its reason, since the same integration as another one, or by the same commit.
    func isAlike(_ other: Found) -> Bool {
      let (life, known) = (issue.life, other.issue.life)
      if life?.streakStart == known?.streakStart && life?.reasonSince == known?.reasonSince { return true }
      return suspects.first?.commit.map { $0 == other.suspects.first?.commit } ?? false
    }

    /// Whether it was seen later than another one, but as soon as it could be.
    func mayBeOlder(than other: Found) -> Bool {
      guard let life = issue.life, let known = other.issue.life else { return false }
      return life.predates && life.streakStart > known.streakStart
    }
  }

  /// Returns an issue as destinations have it that know it since another integration, with whoever they suspect; of those
  /// that know it for as long, the first one tells it.
  private static func others(than told: Found, among having: [Found], after earlier: Set<Int>) -> [Issue] {
    var others: [(first: Found, names: [String])] = []
    for found in having where !found.isAlike(told) {
      // It is the news of an earlier integration, or may be as old.
      if told.issue.wasTold(in: earlier) && found.issue.status == .new || found.mayBeOlder(than: told) { continue }
      if let known = others.firstIndex(where: { $0.first.isAlike(found) }) {
        others[known].names.append(found.name)
      } else {
        others.append((found, [found.name]))
      }
    }
    return others.map { found, names in
      var issue = found.issue
      (issue.destinations, issue.suspects) = (names, found.suspects)
      return issue
    }
  }

  /// Returns what the required destinations remember of their issues: of each what the told one is by.
  package static func records(of parts: [Part], telling issues: [Issue]) -> [IssueRecord] {
    let told = issues.keyed(by: \.id)
    return IssueRecord.grouped(parts.filter(\.isRequired).map(\.records), telling: told).compactMap(\.first)
  }
}

extension DestinationJudgement.Part {
  /// The tests that a reason counts; empty for one that counts none.
  fileprivate func tests(of reason: OutcomeReason) -> Set<TestID> {
    func tests(where isMeant: (Issue) -> Bool) -> Set<TestID> {
      Set(issues.filter { $0.status.isOpen && !$0.isCarriedOver && isMeant($0) }.compactMap(\.test))
    }
    return switch reason {
    case .testsRed: tests { $0.kind.isOfRedTest || $0.kind == .sanitizer }
    case .testWarnings: tests { $0.kind == .warning && $0.subject != .orderDependence }
    case .orderDependent: tests { $0.subject == .orderDependence }
    default: []
    }
  }
}

extension OutcomeReason {
  fileprivate var isAdopted: Bool { if case .adopted = self { true } else { false } }
}

extension Issue {
  /// Whether it is told rather than the same issue of another destination.
  fileprivate func isTold(before other: Issue) -> Bool {
    (status.weight, other.life?.reasonSince ?? 0) < (other.status.weight, life?.reasonSince ?? 0)
  }

  /// Whether it is open since one of some integrations, which told it as new.
  fileprivate func wasTold(in integrations: Set<Int>) -> Bool {
    status == .unresolved && life.map { integrations.contains($0.streakStart) } == true
  }
}

extension Issue.Status {
  /// The priority of the status, the lowest first, if an issue's status differs between destinations.
  fileprivate var weight: Int {
    switch self {
    case .new: 0
    case .unresolved: 1
    case .silenced: 2
    case .dropped: 3
    case .resolved: 4
    }
  }
}
