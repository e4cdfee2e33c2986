import Model

/// The listed tests by target and suite, red ones first.
struct TestTree {
  /// The tests of one suite in one target.
  struct Suite {
    var name: String
    var tests: [TestResult]

    /// The name that its author gave it.
    var displayName: String? { tests.lazy.compactMap(\.suiteName).first }
  }

  /// The suites of one test target.
  struct Target {
    var name: String
    var suites: [Suite]

    var tests: [TestResult] { suites.flatMap(\.tests) }
  }

  let targets: [Target]

  init(_ results: [TestResult]) {
    let byTarget = Dictionary(grouping: results, by: \.id.module)
    let targets = byTarget.map { name, tests in
      let suites = Dictionary(grouping: tests, by: \.id.suite).map { name, tests in
        Suite(name: name, tests: tests.sorted { ($0.state.rank, $0.id) < ($1.state.rank, $1.id) })
      }
      return Target(name: name, suites: suites.sorted { Self.key($0.tests, $0.name) < Self.key($1.tests, $1.name) })
    }
    self.targets = targets.sorted { Self.key($0.tests, $0.name) < Self.key($1.tests, $1.name) }
  }

  /// Returns the sort key: anything red comes first, then anything that did not run, then by name.
  private static func key(_ tests: [TestResult], _ name: String) -> (Int, String) {
    let worst = tests.map(\.state.rank).min() ?? TestState.passed.rank
    return (worst <= TestState.failed.rank ? 0 : worst <= TestState.notRun.rank ? 1 : 2, name)
  }

  /// Returns the worst state of some tests, for the glyph beside their suite.
  static func worst(_ tests: [TestResult]) -> TestState {
    tests.min { $0.state.rank < $1.state.rank }?.state ?? .notRun
  }

  /// Returns the states of some tests with their counts and changes, such as `1 red, 9 passed`.
  ///
  /// - Parameter before: the counts of the same tests in the baseline; nil if there is nothing to compare with.
  static func summary(_ tests: [TestResult], before: TestCounts?) -> TemplateValue {
    let counts = TestCounts(of: tests)
    let states: [(KeyPath<TestCounts, Int>, String, Delta.Direction)] = [
      (\.red, "red", .moreIsWorse), (\.quit, "quit", .moreIsWorse),
      (\.unseen, "not run", .moreIsWorse),
      (\.passed, "passed", .moreIsBetter),
      (\.expectedFailures, CountText.agreeing(counts.expectedFailures, "known issue", "known issues"), .neutral),
      (\.skipped, "skipped", .neutral), (\.canceled, "canceled", .neutral),
    ]
    let known = before.flatMap { $0.listed > 0 ? $0 : nil }
    var parts = states.filter { counts[keyPath: $0.0] > 0 || known?[keyPath: $0.0] ?? 0 > 0 }.map { count, word, tone in
      let (now, before) = (counts[keyPath: count], known?[keyPath: count])
      // What turned red no longer passes.
      let isTold = count == \.passed && known.map { $0.red != counts.red } ?? false
      let delta = before.flatMap { $0 == now || isTold ? nil : Delta(now, from: $0, tone) }
      return SummaryPart(words: "\(CountText.plain(now)) \(word)", delta: delta)
    }
    // For new tests, not every count is a change.
    if before != nil, known == nil { parts.append(SummaryPart(words: "new")) }
    return SummaryPart.line(parts)
  }
}
