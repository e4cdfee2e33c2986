import Model
import Testing

@testable import Rendering

@Suite("The way between uncovered blocks, from pages that have none")
struct GapLinksTests {
  private func file(
    _ path: String, _ count: Int = 3, gaps: Set<Int> = [], partly: Set<Int> = []
  ) -> FileCoverage {
    let lines = (1...count).map {
      LineCoverage(
        line: $0, count: gaps.contains($0) ? 0 : 1,
        state: gaps.contains($0) ? .neverRan : partly.contains($0) ? .partlyRan : .ran)
    }
    return RenderingTests.file(path, target: "Greeter", lines: lines)
  }

  /// The words and addresses that lead to gaps from each page of a source.
  private func ways(_ files: [FileCoverage], text: [UInt8] = Array("a\nb\nc\n".utf8)) throws -> [String: [String]] {
    var report = CoverageSample.report
    report.integration.coverage = .available(Coverage(files: files))
    report.integration.tests = TestReport()
    for file in files { report.sources[file.path] = text }
    return try CoverageSite.render(report).filter { $0.key.hasPrefix("coverage/") }.mapValues { page in
      page.split(separator: "<a data-gap=").dropFirst().map { String($0.prefix { $0 != "/" }.dropLast()) }
    }
  }

  @Test("A file in which everything ran leads to the next files with gaps; the first and the last one go one way")
  func files() throws {
    let ways = try ways([
      file("A.swift"), file("B.swift", gaps: [2]), file("C.swift"), file("D.swift", gaps: [1, 3]), file("E.swift"),
    ])
    // The worst come first: D, B, A, C, E.
    #expect(ways["coverage/D.swift.html"] == [])
    #expect(ways["coverage/B.swift.html"] == [])
    // Of the file beside it, the link to its gap is the only one.
    for (name, rel) in [("A", " rel=prev"), ("C", ""), ("E", "")] {
      #expect(
        ways["coverage/\(name).swift.html"] == [#"prev\#(rel) href="B.swift.html#L2">← previous gap: B.swift"#],
        "\(name)")
    }
  }

  @Test("A part of a long file without gaps leads to those before and behind it, and lists none of its own")
  func parts() throws {
    let line = Array("    call(first: 1, second: \"two\", third: Three())\n".utf8)
    let count = 9000
    let text = Array(repeatElement(line, count: count).joined())
    let ways = try ways([file("Long.swift", count, gaps: [5, count])], text: text)
    let parts = ways.keys.sorted { ($0.count, $0) < ($1.count, $1) }
    #expect(parts.count > 2)
    let last = try #require(parts.last?.split(separator: "/").last)
    for part in parts.dropFirst().dropLast() {
      #expect(
        ways[part] == [
          #"prev href="Long.swift.html#L5">↑ previous gap: line 5"#,
          #"next href="\#(last)#L9000">next gap: line 9000 ↓"#,
        ],
        "\(part)")
    }
    #expect(ways[parts[0]] == [] && ways[parts[parts.count - 1]] == [])
  }

  @Test("In a file without uncovered lines, those that partly ran are gone through")
  func partly() throws {
    let files = [file("A.swift", partly: [1, 3]), file("B.swift"), file("C.swift", gaps: [2], partly: [3])]
    let ways = try ways(files)
    #expect(ways["coverage/B.swift.html"] == [#"prev rel=prev href="A.swift.html#L3">← previous gap: A.swift"#])
    #expect(ways["coverage/A.swift.html"] == [] && ways["coverage/C.swift.html"] == [])
    var report = CoverageSample.report
    report.integration.coverage = .available(Coverage(files: files))
    for file in files { report.sources[file.path] = Array("a\nb\nc\n".utf8) }
    let site = try CoverageSite.render(report)
    let page = try #require(site["coverage/A.swift.html"])
    #expect(page.matches(of: /<tr id=L(\d) class=p data-stop>/).map { String($0.1) } == ["1", "3"])
    #expect(page.contains("<a href=#L3>↓ next</a>") && page.contains("<h2>Partly ran</h2>"))
    let other = try #require(site["coverage/C.swift.html"])
    #expect(other.contains("<tr id=L3 class=p><td>") && other.contains("<h2>Uncovered blocks</h2>"))
  }

  @Test("Where nothing is uncovered, no way is promised")
  func nothing() throws {
    #expect(try ways([file("A.swift"), file("B.swift")]).values.allSatisfy(\.isEmpty))
  }
}
