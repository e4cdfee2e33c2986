import Model
import Syntax
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

  @Test("Tests that began only to be skipped are not among those that ran no line")
  func skipped() {
    let tests = ["S.A/one()", "S.A/test_two", "S.A/three()"].compactMap { TestID($0) }
    let map = TestMap(
      tests: tests, sets: [[0]], files: ["A.swift": .init(lines: [.init(lines: 2...3, set: 0)], functions: [])])
    let words = TestMapWords.known(.known(map), skipped: [tests[1]])
    #expect(words == "2 tests on record. 1 test ran none of the package's own lines: S.A/three().")
  }

  @Test("A line that counts for the code around it says so")
  func around() {
    let id = TestID(module: "S", suite: "A", name: "one()")
    let map = TestMap(
      tests: [id], sets: [[0]], files: ["A.swift": .init(lines: [.init(lines: 2...3, set: 0)], functions: [])])
    let lines = [LineCoverage(line: 2, count: 1, state: .ran), LineCoverage(line: 3, count: 0, state: .partlyRan)]
    let tests = SourceTests(of: file("A.swift", lines: lines), in: map)
    let words = "\(tests.record(shown: 3..<4, tests: [SourceTests.Named(id: id, address: "")]))"
    #expect(words.contains("no test; only the code around it ran") && !words.contains("one()"))
  }

  @Test("Lines that also ran while no test did have a row that says so, and those that only did, too")
  func outside() {
    let id = TestID(module: "S", suite: "A", name: "one()")
    var found = TestMap.File(lines: [.init(lines: 2...5, set: 0)], functions: [])
    found.outside = [3...4, 6...6]
    let map = TestMap(tests: [id], sets: [[0]], files: ["A.swift": found])
    let lines = (2...7).map { LineCoverage(line: $0, count: 1, state: .ran) }
    let tests = SourceTests(of: file("A.swift", lines: lines), in: map)
    #expect((2...7).map { tests.row(ofLine: $0) } == [1, 2, 2, 1, 3, 4])
    func words(_ lines: Range<Int>) -> String {
      "\(tests.record(shown: lines, tests: [SourceTests.Named(id: id, address: "")]))"
    }
    #expect(!words(2..<3).contains("outside of tests"))
    #expect(words(3..<5).contains("also outside of tests"))
    #expect(words(6..<7).contains("only outside of tests"))
    #expect(words(7..<8).contains("no test on its own"))
  }

  /// The row of each line of a marked text, by the tests of the parts of its lines; the tests 0, 1 and 2 ran all lines.
  private func rows(_ marked: String, parts: [Int: [(column: Int, tests: [Int])]]) -> [Int?] {
    let text = CountedText(marked)
    let coverage = text.coverage
    let sets = [[], [0], [1], [2], [0, 1], [0, 1, 2]]
    let lines = coverage.lines.map { TestMap.Lines(lines: $0.line...$0.line, set: 5) }
    var found = TestMap.File(lines: lines, functions: [])
    for (line, parts) in parts.sorted(by: { $0.key < $1.key }) {
      for part in parts {
        found.parts.append(
          .init(
            start: SourcePosition(line: line, column: part.column), set: sets.firstIndex(of: part.tests) ?? 0))
      }
    }
    let tests = ["a()", "b()", "c()"].map { TestID(module: "S", suite: "", name: $0) }
    let map = TestMap(tests: tests, sets: sets, files: [coverage.path: found])
    let all = SourceTests(of: coverage, in: map, code: SourceCode(text.bytes, in: .swift))
    return coverage.lines.map { all.row(ofLine: $0.line) }
  }

  @Test(
    "A case goes to the tests that ran it, not to those that ran the switch; one that never ran has a row of its own")
  func cases() {
    #expect(
      rows(
        "‹9:{\n  switch a {\n  ‹2:case .a: b()›\n  ‹0:case .c: d()›\n  ‹7:default: e()›\n  }\n}›",
        parts: [
          3: [(1, [0, 1, 2]), (3, [0]), (15, [0, 1, 2])], 4: [(1, [0, 1, 2]), (3, []), (15, [0, 1, 2])],
          5: [(1, [0, 1, 2]), (3, [2])],
        ]) == [1, 1, 2, 3, 4, 1, 1])
  }

  @Test("A line goes to all tests that ran some of it, and one of braces to those of the region that has its count")
  func someOfALine() {
    #expect(
      rows(
        "‹9:{\n  guard a else ‹2:{\n    b()\n  }›‹7:\n  return c ? ‹3:d› : ‹4:e›\n›}›",
        parts: [
          2: [(1, [0, 1, 2]), (16, [0])], 4: [(1, [0]), (4, [0, 1])],
          5: [(1, [0, 1]), (14, [0]), (15, [0, 1]), (18, [1])],
        ]
      ).prefix(5) == [1, 1, 1, 2, 2])
    #expect(
      rows(
        "‹9:{\n  if a ‹0:{\n    b()\n  }› else ‹1:{\n    return\n  }›‹8:\n›}›",
        parts: [4: [(1, []), (4, [0, 1, 2]), (10, [0])], 6: [(1, [0]), (4, [0, 1, 2])]]
      ) == [1, 1, nil, 2, 1, 1, 1])
  }

  @Test("The suite that all tests are of is named once")
  func oneSuite() {
    let lines = [LineCoverage(line: 2, count: 1, state: .ran), LineCoverage(line: 3, count: 1, state: .ran)]
    func names(_ suite: String) -> Int {
      let tests = [("Alpha", "one()"), ("Alpha", "two()"), (suite, "three()")].map {
        TestID(module: "S", suite: $0, name: $1)
      }
      let map = TestMap(
        tests: tests, sets: [[0, 1], [2]],
        files: ["A.swift": .init(lines: [.init(lines: 2...2, set: 0), .init(lines: 3...3, set: 1)], functions: [])])
      let found = SourceTests(of: file("A.swift", lines: lines), in: map)
      let record = found.record(shown: 1..<9, tests: tests.map { SourceTests.Named(id: $0, address: "") })
      return "\(record)".matches(of: /Alpha/).count
    }
    #expect(names("Alpha") == 1 && names("Beta") == 2)
  }

  @Test("A test is called as its author did, and its function stands behind that")
  func titles() throws {
    var report = CoverageSample.report
    let id = TestID(module: "S", suite: "A", name: "one()")
    var coverage = try #require(report.integration.coverage.coverage)
    let source = try #require(coverage.files.first { file in file.lines.contains { $0.state == .ran } })
    let line = try #require(source.lines.first { $0.state == .ran }?.line)
    coverage.testMap = .known(
      TestMap(
        tests: [id], sets: [[0]],
        files: [source.path: .init(lines: [.init(lines: line...line, set: 0)], functions: [])]))
    report.integration.coverage = .available(coverage)
    var test = TestResult(id: id, library: .swiftTesting, state: .passed, duration: 1)
    test.displayName = "One is enough"
    report.integration.tests.results.append(test)
    let pages = try CoverageSite.render(report).values
    #expect(pages.contains { $0.contains(#" title="one()">One is enough</a>"#) })
  }

  @Test("What ran in no test on its own goes to the flaky test that ran it when it failed")
  func failedAttempt() {
    let named = SourceTests.Named(id: TestID(module: "S", suite: "A", name: "one()"), address: "one.html#different")
    let map = TestMap(
      tests: [named.id], sets: [[0]], files: ["A.swift": .init(lines: [.init(lines: 2...2, set: 0)], functions: [])])
    let lines = (2...5).map { LineCoverage(line: $0, count: 1, state: .ran) }
    let tests = SourceTests(
      of: file("A.swift", lines: lines), in: map, failed: .init(test: named, lines: [2, 3, 4]))
    #expect((2...5).map { tests.row(ofLine: $0) } == [1, 2, 2, 3])
    let words = "\(tests.record(shown: 1..<9, tests: [named]))"
    #expect(words.contains("only when it failed") && words.contains("one.html#different"))
  }
}
