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
    let tests = SourceTests(of: "A.swift", in: map)
    #expect((3...11).map { tests.row(ofLine: $0) } == [1, 1, 2, 2, 1, 1, 3, 3, nil])
    #expect(tests.breaks == [3, 5, 5, 7, 7, 9, 9, 11])
  }
}
