import Model

/// How each test ended over all destinations that count: red if it is red for any of them.
struct JudgedTests: Sendable {
  /// The tests of one destination, and which red ones do not count.
  private typealias Own = (results: [TestResult], silenced: Set<TestID>)

  /// One for each test, in the order of the first destination.
  let results: [TestResult]
  /// The red ones that do not count.
  let silenced: Set<TestID>
  private(set) var counts: TestCounts
  private let destinations: [String?]
  /// The position of the destination whose result that of a test is; empty where there is one.
  private let tellers: [TestID: Int]

  init(_ integration: Integration) {
    let judged = integration.judged
    self.init(
      judged.map { ($0.tests.results, Set($0.silencedTests.keys)) }, of: judged, like: integration.tests.counts)
  }

  /// Returns how they ended in the baseline; nil unless that is known of each destination, as how they end now.
  ///
  /// - Parameter silenced: returns the red ones of a destination that do not count.
  static func before(_ integration: Integration, without silenced: (Integration) -> Set<TestID>) -> JudgedTests? {
    let judged = integration.judged
    guard let first = integration.baseline?.reachedTests else { return nil }
    let areKnown = judged.allSatisfy { $0.reachedTests != nil && $0.baseline?.reachedTests != nil }
    guard judged.count == 1 || areKnown else { return nil }
    let all = judged.map { cell -> Own in
      let results = (cell.baseline?.states ?? [:]).map { test, state in
        TestResult(test, state, in: cell.baseline, cell.histories[test])
      }
      return (results, silenced(cell))
    }
    var before = JudgedTests(all, of: judged, like: first)
    // Which ones were flaky is not known of all destinations.
    before.counts.flaky = min(first.flaky, before.counts.passed)
    return before
  }

  /// - Parameter first: the counts of the first destination.
  private init(_ all: [Own], of judged: [Integration], like first: TestCounts) {
    destinations = judged.map(\.destination?.name)
    guard all.count > 1 else {
      (results, silenced, counts) = (all[0].results, all[0].silenced, first)
      tellers = [:]
      return
    }
    var worst: [TestResult] = []
    var places: [TestID: Int] = [:]
    var positions: [TestID: Int] = [:]
    for (position, own) in all.enumerated() {
      for test in own.results {
        guard let place = places[test.id], let told = positions[test.id] else {
          places[test.id] = worst.count
          positions[test.id] = position
          worst.append(test)
          continue
        }
        let before = Self.gravity(of: worst[place], all[told].silenced)
        guard Self.gravity(of: test, own.silenced) > before else { continue }
        worst[place] = test
        positions[test.id] = position
      }
    }
    results = worst
    silenced = Set(positions.filter { all[$0.value].silenced.contains($0.key) }.keys)
    tellers = positions
    counts = TestCounts(of: worst)
    counts.filteredOut = first.filteredOut
  }

  /// What ended badly is graver than all else, and what does not count is less grave than what does.
  private static func gravity(of test: TestResult, _ silenced: Set<TestID>) -> Int {
    if test.state.isRed { return silenced.contains(test.id) ? 3 : 5 }
    if test.quit != nil { return 4 }
    return test.state == .notRun ? 2 : test.isFlaky ? 1 : 0
  }

  /// How many red ones count.
  var red: Int { counts.red - silenced.count }

  /// How many red ones do not count, by their states.
  var silencedCounts: TestCounts { TestCounts(of: results.filter { silenced.contains($0.id) }) }

  /// Whether they are those of several destinations, so that no run took the sum of their times.
  var isOfSeveral: Bool { destinations.count > 1 }

  /// Returns the destination whose result that of a test is; nil if there is only one way to build.
  func destination(of test: TestID) -> String? { destinations[tellers[test] ?? 0] }
}

extension Integration {
  /// It and its cells that count and were built.
  var judged: [Integration] {
    [self] + cells.filter { $0.destination?.required == true && $0.destination?.outcome != nil }
  }
}
