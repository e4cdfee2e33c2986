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

  /// - Parameter xctest: the number of suites that are XCTest's.
  private func found(
    first affected: [Int], xctest: Int = 0, programs: Int = 1, all: Double = 12, start: Double
  ) -> TestPhases {
    TestPhases.phases(
      ofXCTest: Array(Self.listed[..<(xctest * 2)]), swiftTesting: Array(Self.listed[(xctest * 2)...]), in: programs,
      first: Set(affected.map { Self.listed[$0 * 2] }), Self.map,
      .init(tests: Dictionary(uniqueKeysWithValues: Self.listed.map { ($0, 1) }), all: all, start: start))
  }

  private func suites(of phases: TestPhases) -> [[Int]] {
    phases.tests.map { phase in
      // Suites stay whole.
      stride(from: 0, to: phase.count, by: 2).compactMap { place in
        (0..<6).first { Array(Self.listed[($0 * 2)..<($0 * 2 + 2)]) == Array(phase[place..<(place + 2)]) }
      }
    }
  }

  private func phases(first affected: [Int], all: Double = 12, start: Double) -> [[Int]] {
    suites(of: found(first: affected, all: all, start: start))
  }

  @Test("of XCTest alone are one, in which the affected suites lead")
  func ordered() {
    let one = found(first: [4, 2], xctest: 6, start: 0.01)
    #expect(suites(of: one) == [[2, 4, 0, 1, 3, 5]])
    #expect(one.first == 4)
    // Each program would run all of its tests before those of the next one begin.
    let two = found(first: [4, 2], xctest: 6, programs: 2, start: 0.01)
    #expect(suites(of: two) == [[2], [4], [0, 1, 3, 5]])
    #expect(two.first == 4)
  }

  @Test("count as first what runs before others, which Swift Testing's do in a phase of their own only")
  func counted() {
    #expect(found(first: [4, 2], xctest: 3, start: 0.01).first == 4)
    #expect(found(first: [4, 2], xctest: 3, start: 1).first == 2)
    #expect(found(first: [4, 2], start: 1).first == 0)
    #expect(found(first: [], xctest: 6, start: 1).first == 0)
    #expect(found(first: Array(0..<6), xctest: 6, start: 1).first == 0)
    #expect(found(first: Array(0..<6), start: 0.01).first == 2)
  }

  @Test("begin with the affected suite that runs the least else, and end with what is not affected")
  func order() {
    #expect(phases(first: [4, 2], start: 0.01) == [[2], [4], [0, 1, 3, 5]])
    #expect(phases(first: [3], start: 0.01) == [[3], [0, 1, 2, 4, 5]])
  }

  @Test("are joined where the next one takes less than twenty starts")
  func short() {
    #expect(phases(first: [4, 2], start: 0.2) == [[2, 4], [0, 1, 3, 5]])
    #expect(phases(first: [4, 2], start: 1) == [[2, 4, 0, 1, 3, 5]])
  }

  @Test("count the time that tests took together, not the sum, if they ran side by side")
  func together() {
    #expect(phases(first: [4, 2], all: 1.2, start: 0.02) == [[2, 4], [0, 1, 3, 5]])
    #expect(phases(first: [4, 2], all: 0.3, start: 0.02) == [[2, 4, 0, 1, 3, 5]])
  }

  @Test("are one where every test is affected, or none")
  func everything() {
    #expect(phases(first: [], start: 0.001) == [[0, 1, 2, 3, 4, 5]])
    #expect(phases(first: [0, 1, 2, 3, 4, 5], start: 1) == [[0, 1, 2, 3, 4, 5]])
  }
}
