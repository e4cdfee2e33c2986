package import Model

/// The issues of an integration, compared with those of the one that it follows.
package struct FollowedIssues: Hashable, Sendable {
  /// The integration's own issues, then earlier ones that are still open because nothing that could show them was
  /// reached, then those that are resolved or no longer checked.
  package var issues: [Issue]
  /// What later integrations need to know.
  package var memory: IssueMemory
  /// Whether the integration says anything about the code, so that its memory is kept.
  package var isConclusive = true

  /// The integration's own issues that a person has silenced.
  package var silenced: [Issue] { issues.filter { $0.status == .silenced && !$0.isCarriedOver } }

  /// Takes the issues as an earlier integration of the same commit left them.
  package mutating func adopt(_ earlier: IntegrationRecord) {
    let known = earlier.issues.keyed(by: \.id)
    for index in issues.indices {
      // What Martlet itself could not do, such as make the report, is of the earlier one alone.
      guard let issue = known[issues[index].id], issues[index].kind != .serviceWarning else { continue }
      issues[index].isCarriedOver = issue.carriedOver ?? false
      issues[index].passedOnRetry = issue.passedOnRetry ?? false
    }
  }

  /// Takes note of how the tests of the issues ended before and now.
  package mutating func note(_ histories: [TestID: TestHistory], _ results: [TestResult]) {
    let results = results.keyed(by: \.id)
    for index in issues.indices {
      guard let test = issues[index].test, let history = histories[test] else { continue }
      issues[index].note(history, results[test])
    }
  }
}

extension FollowedIssues {
  /// The issues that are new, or red for a new reason, in an integration, also if they do not count.
  package func new(in number: Int) -> [Int] {
    issues.indices.filter { index in
      let (status, life) = (issues[index].status, issues[index].life)
      let isSilencedNew = status == .silenced && life?.streakStart == number && life?.predates == false
      return status == .new || isSilencedNew || life?.reasonSince == number
    }
  }

  /// The issues whose tests are red once more, are known to fail by chance, and passed in the baseline, which did not
  /// end the issues.
  package func redAgain(since baseline: Baseline, _ histories: [TestID: TestHistory]) -> [Int] {
    issues.indices.filter { index in
      let issue = issues[index]
      guard issue.isFound, issue.status == .unresolved, issue.kind.isOfRedTest, let test = issue.test else {
        return false
      }
      return baseline.states[test] == .passed && histories[test]?.flakyIn.isEmpty == false
    }
  }

  /// Gives the issue of a test that the baseline did not have the suspects of the older one at whose place it ends, with what
  /// they changed; returns false for any other issue.
  package mutating func inheritSuspects(ofIssueAt index: Int, since baseline: Baseline?) -> Bool {
    let issue = issues[index]
    guard let test = issue.test, let states = baseline?.states, !states.isEmpty, states[test] == nil,
      let elder = issues.elder(of: issue)
    else { return false }
    guard let record = memory.records.first(where: { $0.id == elder.id }), let suspects = record.suspects?.nonEmpty
    else { return true }
    issues[index].suspects = suspects
    issues[index].life?.elderBegan = record.life.began
    if let own = memory.records.firstIndex(where: { $0.id == issue.id }) {
      memory.records[own].inheritSuspects(of: record)
    }
    return true
  }

  /// Takes note that the test of an issue that was open before is red for a new reason.
  package mutating func beginReason(ofIssueAt index: Int, _ suspects: [Suspect], in number: Int) {
    issues[index].suspects = suspects
    issues[index].life?.reasonSince = number
    issues[index].life?.elderBegan = nil
    guard let record = memory.records.firstIndex(where: { $0.id == issues[index].id }) else { return }
    memory.records[record].beginReason(in: number)
    memory.records[record].suspects = suspects
  }

  /// Remembers the suspects of issues for the following integrations.
  ///
  /// - Parameter untouched: those whose test ran nothing that changed.
  package mutating func rememberSuspects(of named: some Sequence<Int>, untouched: Set<Int> = []) {
    let places = named.keyed { issues[$0].id }
    for index in memory.records.indices {
      guard let place = places[memory.records[index].id] else { continue }
      if !issues[place].suspects.isEmpty { memory.records[index].suspects = issues[place].suspects }
      if untouched.contains(place) { memory.records[index].noteChance() }
    }
  }

  /// Remembers of each gate that fails what it found, and the lines that it fails for, which a later integration no longer
  /// has.
  ///
  /// - Parameter text: returns the text of a file.
  package mutating func remember(_ gates: [GateResult], in number: Int, text: (String) -> [UInt8]?) {
    for index in memory.records.indices where memory.records[index].streaks.last?.lastSeen == number {
      let gate = gates.first { $0.state == .failed && memory.records[index].subject == .gate($0.rule) }
      guard let gate else { continue }
      memory.records[index].failedGate = gate
      memory.records[index].failedLines = SourceHunk.excerpts(of: gate.lines ?? [], text: text).nonEmpty
    }
  }
}
