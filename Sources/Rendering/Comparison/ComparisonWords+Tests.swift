package import Model

extension ComparisonWords {
  /// A list of tests that changed in the same way.
  package struct TestGroup: Sendable {
    /// What became of them, such as `fixed`.
    package var word: String
    /// The tests, in the order of the comparison.
    package var tests: [TestChange]
    /// Whether the change is for the better.
    package var isGain = false
    /// Whether the change is one of their durations.
    package var isOfTime = false
    /// Whether one of them stands for all: what slows down one often slows down many.
    package var isBrief = false
    /// Whether nothing became of them.
    var isLasting = false
    /// Whether they were not red in the first integration, ran there, and are now.
    var isBroken = false
    /// The destinations for which that became of them; empty if it did for all.
    package var destinations: [String] = []

    /// Returns what became of one of them, with the integration in which it was so last.
    package func change(of test: TestChange) -> String {
      wordWithPlace + (test.last.map { ", before in \($0)" } ?? "")
    }

    /// What became of them, and for which destinations.
    var wordWithPlace: String { word + ComparisonWords.place(of: destinations) }
  }

  /// The nonempty lists of tests: those that got worse first, then those that are only different, those that got better,
  /// and those that are as red as before.
  package var testGroups: [TestGroup] {
    let tests = comparison.tests
    let worse: [[TestGroup]] = [
      groups(TestGroup(word: "went red", tests: [], isBroken: true)) {
        $0.broken.filter { $0.isCountingRed && $0.lastRed == nil }
      },
      groups(TestGroup(word: "red again", tests: [], isBroken: true)) {
        $0.broken.filter { $0.isCountingRed && $0.lastRed != nil }
      },
      groups(TestGroup(word: "added (red)", tests: [])) { $0.added.filter(\.isCountingRed) },
      groups(TestGroup(word: "ended the process", tests: [])) { $0.changed.filter(\.isNowQuit) },
      groups(TestGroup(word: "added (ended the process)", tests: [])) { $0.added.filter(\.isNowQuit) },
      groups(TestGroup(word: "did not run", tests: [])) { $0.changed.filter(\.isNowWithoutRun) },
      groups(TestGroup(word: "went red (silenced)", tests: [])) { $0.broken.filter { !$0.isCountingRed } },
      groups(TestGroup(word: "added (red, silenced)", tests: [])) { $0.added.filter(\.isSilencedRed) },
      groups(TestGroup(word: "became flaky", tests: [])) { $0.changed.filter(\.isFlakyAtFirst) },
      groups(TestGroup(word: "flaky again", tests: [])) { $0.changed.filter(\.isFlakyAgain) },
    ]
    // How long tests take is compared for the leading destination.
    let slower = [
      TestGroup(word: "slower", tests: tests.slower, isOfTime: true),
      tests.slowNow.map { TestGroup(word: slowWords($0), tests: $0.tests, isOfTime: true, isBrief: true) },
    ]
    let faster = TestGroup(word: "faster", tests: tests.faster, isOfTime: true)
    let lasting: [[TestGroup]] = [
      groups(TestGroup(word: "still red", tests: [], isLasting: true)) { $0.stillRed.filter(\.isCountingRed) },
      groups(TestGroup(word: "still red (silenced)", tests: [], isLasting: true)) {
        $0.stillRed.filter { !$0.isCountingRed }
      },
    ]
    let changed = worse.flatMap(\.self) + (slower.compactMap(\.self) + otherGroups + [faster])
    return (changed + lasting.flatMap(\.self)).filter { !$0.tests.isEmpty }
  }

  /// The lists of tests that are only different, and of those that got better.
  private var otherGroups: [TestGroup] {
    let groups: [[TestGroup]] = [
      groups(TestGroup(word: "added", tests: [])) {
        $0.added.filter { !$0.isCountingRed && !$0.isSilencedRed && !$0.isNowQuit }
      },
      groups(TestGroup(word: "deleted", tests: []), of: \.removed),
      groups(TestGroup(word: "renamed", tests: []), of: \.renamed),
      groups(TestGroup(word: "changed", tests: [])) { $0.changed.filter(\.changedOtherwise) },
      groups(TestGroup(word: "marked as a known issue", tests: [])) { $0.changed.filter(\.isMarkedAsKnown) },
      groups(TestGroup(word: "fixed", tests: [], isGain: true), of: \.fixed),
      groups(TestGroup(word: "passed again (flaky)", tests: []), of: \.passedByChance),
      groups(TestGroup(word: "not flaky this time", tests: [])) { $0.changed.filter(\.isNoLongerFlaky) },
    ]
    return groups.flatMap(\.self)
  }

  /// Returns the nonempty lists of tests of which the same became: one for destinations with the same tests.
  private func groups(_ kind: TestGroup, of changes: (TestChanges) -> [TestChange]) -> [TestGroup] {
    byDestination(changes).map { tests, destinations in
      var group = kind
      (group.tests, group.destinations) = (tests, destinations)
      return group
    }
  }

  /// Returns the tests of which the same became, with the destinations for which it did unless it did for all; destinations
  /// with the same tests are together, and the first of them tells its own.
  func byDestination(
    _ changes: (TestChanges) -> [TestChange]
  ) -> [(tests: [TestChange], destinations: [String])] {
    let lead = comparison.destinations == nil ? nil : comparison.after.destinations?.first?.name
    let all =
      [(name: lead, tests: changes(comparison.tests))]
      + (comparison.destinations ?? []).map { (name: $0.name, tests: changes($0.tests)) }
    return all.filter { !$0.tests.isEmpty }.grouped { $0.tests.map(\.id) }.map { alike in
      (alike[0].tests, alike.count == all.count ? [] : alike.compactMap(\.name))
    }
  }

  /// Returns what became of tests for each destination, as phrases.
  func named(
    _ end: String, adjective: String? = nil, naming: Bool = true, of changes: (TestChanges) -> [TestChange]
  ) -> [String] {
    byDestination(changes).map {
      Self.named($0.tests, end + Self.place(of: $0.destinations), adjective, naming: naming)
    }
  }

  static func place(of destinations: [String]) -> String {
    destinations.isEmpty ? "" : " for \(CountText.list(destinations))"
  }

  func slowWords(_ slow: TestChanges.SlowNow) -> String { "now over \(DurationText.fine(slow.mark))" }

  /// A one-line summary of the lists of tests.
  package var testSummary: String {
    if let reason = comparison.tests.reason { return reason }
    let groups = testGroups
    let counts = Self.joiningBroken(groups).map { "\(CountText.plain($0.tests.count)) \($0.wordWithPlace)" }
    let lead = groups.contains { !$0.destinations.isEmpty } ? comparison.after.destinations?.first?.name : nil
    let same = sameTests + Self.place(of: [lead].compactMap(\.self))
    let parts = [counts.joined(separator: ", "), comparison.tests.same > 0 ? same : ""].filter { !$0.isEmpty }
    return parts.isEmpty ? same : parts.joined(separator: "; ")
  }

  /// The number of tests that did not change.
  var sameTests: String { "\(CountText.counted(comparison.tests.same, "test")) as before" }
}

extension TestChange {
  var isFlakyAtFirst: Bool { becameFlaky && flakySince == nil && !isMarkedAsKnown }
  var isFlakyAgain: Bool { becameFlaky && flakySince != nil && !isMarkedAsKnown }
  var changedOtherwise: Bool {
    !becameFlaky && !isNoLongerFlaky && !isMarkedAsKnown && !isNowQuit && !isNowWithoutRun
  }

  /// Whether the test ended the process, and did not before.
  var isNowQuit: Bool { before?.quit?.isByTest != true && after?.quit?.isByTest == true }

  /// Whether the test ran before and does not now.
  var isNowWithoutRun: Bool {
    before.map { $0.state != .notRun } == true && after?.state == .notRun && after?.quit?.isByTest != true
  }

  /// Whether the test was red, and fails now as it is expected to.
  var isMarkedAsKnown: Bool { before?.state.isRed == true && after?.state == .expectedFailure }

  /// Whether the test passed only on retry before, and at once now.
  var isNoLongerFlaky: Bool {
    guard let before, let after else { return false }
    return before.isFlaky && !after.isFlaky && before.state == after.state && after.state == .passed
  }
}

extension TestChange {
  /// The earlier integration in which the test was as it is again now; nil if it was not.
  var last: Int? { lastFlaky ?? lastRed }
}
