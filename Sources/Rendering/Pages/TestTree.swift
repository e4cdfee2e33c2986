import Model

/// The listed tests by target and suite: new red ones first, then other red ones, then silenced ones.
struct TestTree {
  /// The tests of one suite in one target.
  struct Suite {
    var name: String
    var tests: [TestResult]

    /// The name that its author gave it.
    var displayName: String? { tests.lazy.compactMap(\.suiteName).first }
    /// Its name with those of the suites around it.
    var path: String { name.split(separator: "/").joined(separator: " / ") }
    var title: String { name.isEmpty ? TestSentence.outsideSuites : displayName ?? path }
  }

  /// The suites of one test target.
  struct Target {
    var name: String
    var suites: [Suite]
    /// The library of all its tests; nil if they have several.
    var library: String?

    var tests: [TestResult] { suites.flatMap(\.tests) }
  }

  let targets: [Target]

  /// - Parameter ages: those of red tests, as far as they are known.
  init(_ results: [TestResult], ages: [TestID: FindingAge] = [:]) {
    func group(_ test: TestResult) -> Int { Self.group(of: test, ages[test.id]) }
    func key(_ tests: [TestResult], _ name: String) -> (Int, NameOrder) {
      (tests.map(group).min() ?? 0, NameOrder(name))
    }
    let byTarget = Dictionary(grouping: results, by: \.id.module)
    let targets = byTarget.map { name, tests in
      let suites = Dictionary(grouping: tests, by: \.id.suite).map { name, tests in
        Suite(
          name: name,
          tests: tests.sorted {
            (group($0), $0.rank, NameOrder($0.id.name), $0.id) < (group($1), $1.rank, NameOrder($1.id.name), $1.id)
          })
      }
      let libraries = Set(tests.map(\.library.rawValue))
      return Target(
        name: name, suites: suites.sorted { key($0.tests, $0.name) < key($1.tests, $1.name) },
        library: libraries.count == 1 ? libraries.first : nil)
    }
    self.targets = targets.sorted { key($0.tests, $0.name) < key($1.tests, $1.name) }
  }

  /// Returns the place among others: anything red comes first, by its age, then what did not run, then what is flaky.
  private static func group(of test: TestResult, _ age: FindingAge?) -> Int {
    if test.state.isRed { return age?.rank ?? FindingAge.rankOfKnown }
    if test.state.rank <= TestState.notRun.rank { return 3 }
    return test.isFlaky ? 4 : 5
  }

  /// The counts of some tests, some of which are red and do not count.
  struct Counts {
    var all: TestCounts
    var silenced = 0

    var red: Int { all.red - silenced }
  }

  /// Returns the glyph of the worst of some tests that count, and that of a failure where red ones have several; what is
  /// meant to fail, to be skipped or to be canceled leaves it green, and what does not count is as if it were meant to
  /// fail.
  static func glyph(of tests: [TestResult], silenced: Set<TestID> = []) -> String {
    let counting = silenced.isEmpty ? tests : tests.filter { !silenced.contains($0.id) }
    guard let worst = counting.min(by: { $0.rank < $1.rank }) else {
      return (tests.isEmpty ? TestState.notRun : .expectedFailure).glyph
    }
    if Set(counting.lazy.map(\.state).filter(\.isRed)).count > 1 { return TestState.failed.glyph }
    let isGreen = worst.state.rank > TestState.notRun.rank && !worst.isFlaky
    return isGreen && counting.contains { $0.state == .passed } ? TestState.passed.glyph : worst.glyph
  }

  /// Returns the same with its colour: grey, with the sign of what does not count, where all else is well.
  static func sign(of tests: [TestResult], silenced: Set<TestID>) -> (glyph: String, style: String) {
    let counting = Self.glyph(of: tests, silenced: silenced)
    let aside = tests.filter { silenced.contains($0.id) }.min { $0.rank < $1.rank }
    guard let aside, [TestState.passed, .expectedFailure, .skipped].map(\.glyph).contains(counting) else {
      return (counting, counting)
    }
    return (aside.glyph, "silenced")
  }

  /// Returns the states of some tests with their counts and changes, such as `1 red, 1 silenced, 12 passed, 1 skipped`.
  ///
  /// - Parameter before: the counts of the same tests in the baseline; nil if there is nothing to compare with.
  static func summary(_ tests: [TestResult], silenced: Set<TestID> = [], before: Counts?) -> TemplateValue {
    let counts = Counts(of: tests, silenced: silenced)
    let states: [(KeyPath<Counts, Int>, String, Delta.Direction)] = [
      (\.red, "red", .moreIsWorse), (\.silenced, "silenced", .neutral), (\.all.quit, "quit", .moreIsWorse),
      (\.all.unseen, "not run", .moreIsWorse), (\.all.flaky, "flaky", .moreIsWorse),
      (\.all.steady, "passed", .moreIsBetter),
      (
        \.all.expectedFailures, CountText.agreeing(counts.all.expectedFailures, "known issue", "known issues"),
        .neutral
      ),
      (\.all.skipped, "skipped", .neutral), (\.all.canceled, "canceled", .neutral),
    ]
    let known = before.flatMap { $0.all.listed > 0 ? $0 : nil }
    let allPassed = counts.all.flaky == 0 && counts.all.passed == counts.all.listed
    var parts = states.compactMap { count, word, tone -> SummaryPart? in
      let now = counts[keyPath: count]
      // A baseline does not tell which of its tests were flaky.
      let before = count == \.all.flaky ? nil : known?[keyPath: count]
      // What turned red, or was left out, no longer passes.
      let isTold = count == \.all.steady && (!allPassed || known.map { $0.all.red != counts.all.red } ?? false)
      let notRun = counts.all.notRun - (known?.all.notRun ?? 0)
      let delta = before.flatMap { before -> Delta? in
        if isTold { return nil }
        return count == \.red ? .ofRed(now, from: before, notRun: notRun) : Delta(now, from: before, tone)
      }
      return now > 0 || delta != nil ? SummaryPart(words: "\(CountText.plain(now)) \(word)", delta: delta) : nil
    }
    // For added tests, not every count is a change.
    if before != nil, known == nil { parts.append(SummaryPart(words: tests.count == 1 ? "added" : "all added")) }
    return SummaryPart.line(parts)
  }
}

extension TestTree.Counts {
  init(of tests: [TestResult], silenced: Set<TestID>) {
    all = TestCounts(of: tests)
    self.silenced = silenced.isEmpty ? 0 : tests.count { silenced.contains($0.id) }
  }
}
