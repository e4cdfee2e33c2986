import Model
import Testing

@Suite("The map from tests to lines")
struct TestMapTests {
  private let map = TestMap(
    tests: ["S.A/one()", "S.A/two()", "S.B/three()"].compactMap { TestID($0) }, sets: [[0], [1, 2]],
    files: [
      "A.swift": TestMap.File(
        lines: [.init(lines: 3...4, set: 0), .init(lines: 7...9, set: 1)],
        functions: [
          .init(start: SourcePosition(line: 3, column: 20), set: 0),
          .init(start: SourcePosition(line: 7, column: 4), set: 1),
        ], once: [3...4])
    ])

  @Test("Lines of values that are made once are told apart")
  func once() {
    let file = map.files["A.swift"]
    #expect((1...10).filter { file?.isOnce($0) == true } == [3, 4])
    #expect(map.tests(ofLine: 3, in: "A.swift") == [0])
  }

  @Test("All tests need a function that makes such a value, whichever ran it")
  func functions() {
    #expect(map.tests(ofFunctionAt: SourcePosition(line: 3, column: 20), in: "A.swift") == [0, 1, 2])
    #expect(map.tests(ofFunctionAt: SourcePosition(line: 7, column: 4), in: "A.swift") == [1, 2])
    #expect(map.tests(ofFunctionAt: SourcePosition(line: 8, column: 4), in: "A.swift") == [])
    #expect(map.tests(ofFunctionAt: SourcePosition(line: 7, column: 4), in: "B.swift") == [])
  }

  @Test("Who ran a function in their own process is told where started programs ran it as well")
  func inProcess() {
    var map = map
    func tests(_ line: Int, _ column: Int) -> TestMap.TestSet? {
      map.inProcessTests(ofFunctionAt: SourcePosition(line: line, column: column), in: "A.swift")
    }
    #expect(tests(7, 4) == nil && tests(8, 4) == nil)
    map.sets.append([2])
    for index in 0...1 { map.files["A.swift"]?.functions[index].inProcess = 2 }
    #expect(tests(7, 4) == [2])
    // All need what is made once.
    #expect(tests(3, 20) == [0, 1, 2])
  }
}
