import Model
import Testing

@testable import Rendering

@Suite("The functions of files in the tree of the coverage page")
struct FunctionListsTests {
  private func file(_ name: String, calls: [UInt64]) -> FileCoverage {
    let lines = calls.enumerated().map { LineCoverage(line: $0 + 1, count: $1, state: $1 > 0 ? .ran : .neverRan) }
    let functions = calls.enumerated().map { CoverageSample.function("f\($0)()", ($0 + 1)...($0 + 1), count: $1) }
    return RenderingTests.file("Sources/A/\(name)", lines: lines, functions: functions)
  }

  private func markup(_ lists: FunctionLists, _ name: String) -> String? {
    lists.html(of: "Sources/A/\(name)").map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private func lists(_ files: [FileCoverage], most: Int, changes: CoverageChanges? = nil) -> FunctionLists {
    FunctionLists(Coverage(files: files), changes: changes, most: most) { path, line in
      "coverage/\(path.split(separator: "/").last ?? "").html#L\(line ?? 0)"
    }
  }

  @Test("Few functions are all listed, each a link to its line")
  func all() throws {
    let text = try #require(markup(lists([file("A.swift", calls: [0, 3])], most: 2), "A.swift"))
    #expect(text.hasPrefix("<details class=in><summary>2 functions</summary>"))
    #expect(text.contains("<tr><td><a href=\"coverage/A.swift.html#L1\">f0()</a><td><b>1</b><td>1<td>0\n"))
    #expect(text.contains("<tr><td><a href=\"coverage/A.swift.html#L2\">f1()</a><td>0<td>1<td>3\n"))
    #expect(!text.contains("Change"))
  }

  @Test("Of many functions those with gaps are listed, in the worst files")
  func gaps() throws {
    let files = [file("A.swift", calls: [1, 1, 0]), file("B.swift", calls: [0, 0, 1]), file("C.swift", calls: [1])]
    let lists = lists(files, most: 2)
    #expect(markup(lists, "A.swift") == nil && markup(lists, "C.swift") == nil)
    let worst = try #require(markup(lists, "B.swift"))
    #expect(worst.contains("<summary>2 of 3 functions, those with gaps</summary>") && !worst.contains("f2()"))
  }

  @Test("A file with too many gaps for the page leaves room to the next ones")
  func large() {
    let files = [
      file("A.swift", calls: [0, 0, 0, 0]), file("B.swift", calls: [0, 1]), file("C.swift", calls: [0]),
    ]
    let lists = lists(files, most: 2)
    #expect(markup(lists, "A.swift") == nil)
    #expect(markup(lists, "B.swift") != nil && markup(lists, "C.swift") != nil)
  }

  @Test("What became of a function's lines has a column where something changed")
  func change() throws {
    let sample = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1
    let coverage = try #require(sample.report.integration.coverage.coverage)
    let lists = FunctionLists(coverage, changes: sample.changes) { path, _ in path }
    let text = String(decoding: try #require(lists.html(of: ChangeSample.path)).bytes, as: UTF8.self)
    #expect(text.contains("<th scope=col>Change</th>") && text.contains("<td>1 lost\n"))
  }

  @Test("A file without functions has no list")
  func none() {
    #expect(markup(lists([file("A.swift", calls: [])], most: 9), "A.swift") == nil)
  }
}
