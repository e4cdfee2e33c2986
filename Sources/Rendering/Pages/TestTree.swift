import Model

/// The listed tests by target and suite, what is red first.
struct TestTree {
  /// The tests of one suite of one target.
  struct Suite {
    var name: String
    var tests: [TestResult]
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

  /// Anything red goes first, then anything that did not run; otherwise the names decide.
  private static func key(_ tests: [TestResult], _ name: String) -> (Int, String) {
    let worst = tests.map(\.state.rank).min() ?? TestState.passed.rank
    return (worst <= TestState.failed.rank ? 0 : worst <= TestState.notRun.rank ? 1 : 2, name)
  }

  /// The worst state of some tests, for the glyph beside their suite.
  static func worst(_ tests: [TestResult]) -> TestState {
    tests.min { $0.state.rank < $1.state.rank }?.state ?? .notRun
  }

  /// The states of some tests with their counts, such as `1 red, 9 passed`.
  static func summary(_ tests: [TestResult]) -> String {
    let counts = TestCounts(of: tests)
    var parts: [String] = []
    if counts.red > 0 { parts.append("\(counts.red) red") }
    let others: [(Int, String)] = [
      (counts.canceled, "canceled"), (counts.notRun, "not run"), (counts.passed, "passed"),
      (counts.expectedFailures, counts.expectedFailures == 1 ? "known issue" : "known issues"),
      (counts.skipped, "skipped"),
    ]
    parts += others.filter { $0.0 > 0 }.map { "\(CountText.plain($0.0)) \($0.1)" }
    return parts.joined(separator: ", ")
  }
}
