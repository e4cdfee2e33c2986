import Comparing
import Model
import Testing

@Suite("Phases of tests")
struct TestPhasesTests {
  /// Suites of two tests each; the first test of a suite runs as many functions as the suite's number says.
  private static let listed = (0..<6).flatMap { suite in
    ["one", "two"].map { TestID(module: "ShopTests", suite: "Suite\(suite)", name: $0) }
  }

  private static let map: TestMap = {
    let tests = listed.sorted { $0.description < $1.description }
    let functions = (0..<6).flatMap { suite in
      (0..<suite).map { TestMap.Function(start: SourcePosition(line: suite * 10 + $0 + 1, column: 1), set: suite) }
    }
    return TestMap(
      tests: tests, sets: (0..<6).map { suite in tests.indices.filter { tests[$0] == listed[suite * 2] } },
      files: ["Sources/Shop/Cart.swift": .init(lines: [], functions: functions)])
  }()

  private func phases(first affected: [Int], all: Double = 12, start: Double, each: Double = 1) -> [[Int]] {
    let found = TestPhases.phases(
      of: Self.listed, first: Set(affected.map { Self.listed[$0 * 2] }), Self.map,
      .init(tests: Dictionary(uniqueKeysWithValues: Self.listed.map { ($0, each) }), all: all, start: start))
    return found.map { phase in
      // Suites stay whole.
      (0..<6).filter { phase.contains(Self.listed[$0 * 2]) && phase.contains(Self.listed[$0 * 2 + 1]) }
    }
  }

  @Test("begin with the affected suite that runs the least else, and end with what is not affected")
  func order() {
    #expect(phases(first: [4, 2], start: 0.01) == [[2], [4], [0, 1, 3, 5]])
    #expect(phases(first: [3], start: 0.01) == [[3], [0, 1, 2, 4, 5]])
  }

  @Test("are joined where the next one takes less than twenty starts")
  func short() {
    #expect(phases(first: [4, 2], start: 0.2) == [[2, 4], [0, 1, 3, 5]])
    #expect(phases(first: [4, 2], start: 1) == [[0, 1, 2, 3, 4, 5]])
  }

  @Test("count the time that tests took together, not the sum, if they ran side by side")
  func together() {
    #expect(phases(first: [4, 2], all: 1.2, start: 0.02) == [[2, 4], [0, 1, 3, 5]])
    #expect(phases(first: [4, 2], all: 0.3, start: 0.02) == [[0, 1, 2, 3, 4, 5]])
  }

  @Test("are one where every test is affected, or none")
  func everything() {
    #expect(phases(first: [], start: 0.001) == [[0, 1, 2, 3, 4, 5]])
    #expect(phases(first: [0, 1, 2, 3, 4, 5], start: 1) == [[0, 1, 2, 3, 4, 5]])
  }
}
