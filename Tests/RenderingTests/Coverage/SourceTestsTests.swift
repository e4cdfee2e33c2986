import Model
import Testing

@testable import Rendering

@Suite("Which tests ran which lines of a source")
struct SourceTestsTests {
  @Test("Lines of a value that is made once have a row of their own, and say so")
  func once() {
    let map = TestMap(
      tests: ["S.A/one()", "S.A/two()"].compactMap { TestID($0) }, sets: [[0], [0, 1]],
      files: [
        "A.swift": TestMap.File(
          lines: [.init(lines: 3...8, set: 0), .init(lines: 9...10, set: 1)], functions: [], once: [5...6])
      ])
    let lines = (3...10).map { LineCoverage(line: $0, count: 1, state: .ran) }
    let tests = SourceTests(of: file("A.swift", lines: lines), in: map)
    #expect((3...11).map { tests.row(ofLine: $0) } == [1, 1, 2, 2, 1, 1, 3, 3, nil])
    #expect(tests.breaks == [3, 5, 5, 7, 7, 9, 9, 11])
  }

  @Test("Lines that ran in no test on its own say so, but those that never ran and those of the start-up do not")
  func unclaimed() throws {
    var map = TestMap(
      tests: ["S.A/one()"].compactMap { TestID($0) }, sets: [[0]],
      files: ["A.swift": TestMap.File(lines: [.init(lines: 3...4, set: 0)], functions: [])])
    let lines = (2...8).map { LineCoverage(line: $0, count: $0 == 8 ? 0 : 1, state: $0 == 8 ? .neverRan : .ran) }
    var coverage = file("A.swift", lines: lines)
    coverage.incidental = [2]
    let tests = SourceTests(of: coverage, in: map)
    #expect((2...8).map { tests.row(ofLine: $0) } == [nil, 1, 1, 2, 2, 2, nil])
    func words(_ map: TestMap) -> String {
      "\(SourceTests(of: coverage, in: map).record(shown: 1..<9, tests: [SourceTests.Named(id: TestID(module: "S", suite: "A", name: "one()"), address: "")]))"
    }
    #expect(words(map).contains("no test on its own"))
    map.gaps = ["1 test did not run again."]
    #expect(words(map).contains("no test on record"))
  }
}
