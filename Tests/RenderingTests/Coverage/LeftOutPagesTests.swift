import Model
import Testing

@testable import Rendering

@Suite("Lines that a marker leaves out, on the page of their source")
struct LeftOutPagesTests {
  private static let path = "Sources/Greeter/Greeter.swift"
  private static let page = "coverage/Sources-Greeter-Greeter.swift.html"

  /// The sample, whose function that nobody calls is left out instead.
  private static var report: Report {
    var report = CoverageSample.report
    var files = CoverageSample.files
    report.sources[path] = Array(
      CoverageSample.greeter
        .replacing("    }\n\n    func whisper", with: "    } // coverage:ignore-start\n\n    func whisper")
        .replacing("psst\"\n    }", with: "psst\"\n    } // coverage:ignore-end").utf8)
    files[0].lines.removeAll { $0.line >= 10 }
    files[0].functions.removeLast()
    files[0].leftOut = [10, 12, 13, 14]
    files[0].totals.lines = LineTally(total: 7, covered: 6, partial: 2)
    let exclusion = CoverageExclusion(
      path: path, firstLine: 10, lastLine: 14, lines: LineTally(total: 4, covered: 1), by: "coverage:ignore-start")
    report.integration.coverage = .available(Coverage(files: files, profilesRead: 2, exclusions: [exclusion]))
    return report
  }

  private static func page(_ report: Report) throws -> String {
    let page = try #require(try CoverageSite.render(report)[page])
    return String(page.split(separator: "<main id=\"content\">\n")[1].split(separator: "</main>")[0])
  }

  @Test("The page looks as accepted")
  func golden() throws {
    try GoldenFile("coverage-pages/left-out.html").compare(with: try Self.page(Self.report))
  }

  @Test("Each line with code that is left out says so, has no count, and a row apart from lines without code")
  func rows() throws {
    let page = try Self.page(Self.report)
    let word = "<small>left out</small>"
    #expect(page.contains("<tr id=L10 class=x><td>10<td>\(word)<td>    } <em>// coverage:ignore-start</em>\n"))
    #expect(page.contains("<tr id=L11 class=o><td>11<td><td>\n"))
    #expect(
      page.contains("<tr id=L12 class=x><td>12\n13\n14<td>\(word)\n\(word)\n\(word)<td>    <b>func</b> whisper()"))
    #expect(page.contains("<tr id=L15 class=o><td>15<td><td>}\n"))
  }

  @Test("The legend explains it where a line of the file is left out, and nowhere else")
  func legend() throws {
    let words = "<span><b class=L>left out</b> on request</span>"
    #expect(try Self.page(Self.report).contains(words))
    #expect(try !Self.page(CoverageSample.report).contains(words))
  }

  @Test("A mark of what changed stands behind the word on its own line")
  func changed() {
    var coverage = file(lines: [LineCoverage(line: 1, count: 1, state: .ran)])
    coverage.leftOut = [2, 3]
    var patch = PatchCoverage(origin: .integration(41), files: [])
    patch.newLines[coverage.path] = [3]
    let changes = CoverageChanges(comparison: .unknown(reason: ""), patch: .known(patch))
    let listing = SourceListing(
      HighlightedSource(Array("a\nb\nc\nd\n".utf8), path: "a.swift"), coverage: coverage,
      remarks: SourceRemarks(marks: ChangeMarks(of: coverage.path, in: changes)))
    let text = String(decoding: listing.html().bytes, as: UTF8.self)
    #expect(text.contains("class=x><td>2<td><small>left out</small><td>b\n"))
    #expect(text.contains("class=x><td>3<td><small>left out</small><ins>+</ins><td>c\n"))
  }

  @Test("The one file that holds all pages marks them, too")
  func single() throws {
    let site = try PageSite(Self.report)
    let file = try SingleFile(name: "Greeter 42", title: "Greeter 42", library: try PageSite.templates()) {
      site.pages[$0]
    }
    let text = String(decoding: file.bytes, as: UTF8.self)
    #expect(text.contains("<b class=L>left out</b> on request"))
    #expect(text.contains("-L10\" class=x><td>10<td><small>left out</small><td>"))
  }
}
