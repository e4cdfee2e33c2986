package import Model

/// The phases in which the tests of an integration run, each in processes of its own.
///
/// XCTest runs its suites in the order of a phase; Swift Testing begins with all of a phase at once. A suite stays whole,
/// since its tests may share what one of them or its set-up makes.
package struct TestPhases: Hashable, Sendable {
  /// The tests of each phase, in their order.
  package var tests: [[TestID]]
  /// The number of tests that run before others because they are affected.
  package var first: Int

  /// What is known about the time that tests take.
  package struct Times: Sendable {
    /// The duration of each test, in seconds, as last measured.
    package var tests: [TestID: Double]
    /// The duration of all of them together; tests that ran side by side took less than the sum.
    package var all: Double
    /// The duration of starting the test programs once more.
    package var start: Double

    package init(tests: [TestID: Double], all: Double, start: Double) {
      self.tests = tests
      self.all = all
      self.start = start
    }
  }

  /// Starting the programs once more for a phase pays only if the next phase takes this many times as long.
  ///
  /// About one integration in ten has a red test, and knows of it earlier by half of the time for what waits.
  private static let leastStarts = 20.0
  /// The share of the whole time within which the most direct tests should end.
  private static let directShare = 0.05

  /// The duration of all tests, in seconds, from which on the order is worth what it takes to find it.
  private static let leastDuration = 0.2

  /// Whether the tests take so long that their order matters.
  package static func mayPay(_ times: Times) -> Bool { times.all >= leastDuration }

  /// Returns the tests in phases: the affected suites that run the least else, the other affected ones, and the rest; a
  /// single phase if more are not worth their cost.
  ///
  /// - Parameters:
  ///   - xctest: the tests of XCTest, in their order.
  ///   - swiftTesting: the tests of Swift Testing.
  ///   - programs: the number of programs that the tests are in; where XCTest runs all of them in one, they need no
  ///     second phase.
  ///   - map: tells how much a test runs.
  package static func phases(
    ofXCTest xctest: [TestID], swiftTesting: [TestID], in programs: Int = 1, first affected: Set<TestID>,
    _ map: TestMap, _ times: Times
  ) -> TestPhases {
    let listed = xctest + swiftTesting
    let suites = suites(of: listed)
    let sum = listed.reduce(0) { $0 + (times.tests[$1] ?? 0) }
    let scale = sum > 0 ? min(1, times.all / sum) : 0
    func seconds(_ suites: [Suite]) -> Double {
      scale * suites.reduce(0) { $0 + $1.tests.reduce(0) { $0 + (times.tests[$1] ?? 0) } }
    }
    let reach = map.functionCounts
    let ranked = suites.compactMap { suite -> (suite: Suite, functions: Int)? in
      let functions = suite.tests.filter(affected.contains).map { map.number(of: $0).map { reach[$0] } ?? 0 }
      return functions.min().map { (suite, $0) }
    }.sorted { ($0.functions, $0.suite.number) < ($1.functions, $1.suite.number) }.map(\.suite)
    var direct: [Suite] = []
    while direct.count < ranked.count, direct.isEmpty || seconds(direct) < directShare * times.all {
      direct.append(ranked[direct.count])
    }
    let numbers = Set(ranked.map(\.number))
    let isInOrder = swiftTesting.isEmpty && programs == 1
    var phases: [[Suite]] = []
    for next in [direct, Array(ranked[direct.count...]), suites.filter { !numbers.contains($0.number) }]
    where !next.isEmpty {
      if phases.isEmpty || !isInOrder && seconds(next) >= leastStarts * times.start {
        phases.append(next)
      } else {
        phases[phases.count - 1] += next
      }
    }
    let tests = phases.map { $0.flatMap(\.tests) }
    let early = Set(xctest).union(tests.dropLast().joined())
    let first = ranked.flatMap(\.tests).count(where: early.contains)
    return TestPhases(tests: tests, first: first < listed.count ? first : tests.dropLast().joined().count)
  }

  /// Tests that stay together.
  private struct Suite {
    var number: Int
    var tests: [TestID]
  }

  private static func suites(of listed: [TestID]) -> [Suite] {
    struct Key: Hashable {
      var module: String
      var name: String
    }
    let suites = listed.grouped { test in
      let outermost = test.suite.split(separator: "/", maxSplits: 1).first.map(String.init)
      return Key(module: test.module, name: outermost ?? "/\(test.name)")
    }
    return suites.enumerated().map { Suite(number: $0.offset, tests: $0.element) }
  }
}

extension TestMap {
  /// The number of functions that each test ran.
  fileprivate var functionCounts: [Int] {
    var bySet = [Int](repeating: 0, count: sets.count)
    for file in files.values {
      for function in file.functions { bySet[function.set] += 1 }
    }
    var counts = [Int](repeating: 0, count: tests.count)
    for (set, count) in zip(sets, bySet) where count > 0 {
      for test in set { counts[test] += count }
    }
    return counts
  }
}
