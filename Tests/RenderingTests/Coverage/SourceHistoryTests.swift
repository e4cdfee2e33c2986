import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The past of a file in its listing")
struct SourceHistoryTests {
  private func listing(_ history: SourceHistory) -> String {
    let lines = (1...3).map { LineCoverage(line: $0, count: 1, state: .ran) }
    let listing = SourceListing(
      HighlightedSource(Array("a\nb\nc\n".utf8), path: "a.swift"), coverage: file(lines: lines), history: history)
    return String(decoding: listing.html().bytes, as: UTF8.self)
  }

  @Test("Deleted lines stand folded where they stood, also at the end")
  func removed() {
    let html = listing(
      SourceHistory(removed: [
        RemovedLines(
          before: 2, first: 2, text: Array("let x = \"<\"\n// y\n".utf8), count: 2, code: Tally(total: 1, covered: 0)),
        RemovedLines(before: 4, first: 9, text: Array("end\n".utf8), count: 3, code: Tally()),
      ]))
    #expect(
      html.contains(
        """
        <tr id=L1><td>1<td>1<td>a
        <tr class=gone><td><td><del class=x>−</del>
        <td><details><summary>2 lines deleted, lines 2–3 before: 0 of 1 with code had run</summary><b>let</b> x = \
        <u>"&lt;"</u>
        <em>// y</em>
        </details><tr id=L2><td>2
        3
        """))
    #expect(
      html.hasSuffix(
        "<details><summary>3 lines deleted, lines 9–11 before: no code</summary>end\n<small>and 2 more lines</small>\n</details></tbody></table>\n"
      ))
  }

  @Test("Who wrote the lines stands where a stretch of theirs begins")
  func origins() {
    let origin = LineOrigin(
      lines: 1..<3, commit: CommitID(rawValue: String(repeating: "a1", count: 20)), author: "Ada <b>", email: "",
      date: Date(timeIntervalSince1970: 1_795_162_325))
    var other = origin
    other.lines = 3..<4
    other.author = "Bob"
    let html = listing(SourceHistory(removed: [], origins: [origin, other]))
    #expect(html.contains("<th scope=col>Author and day"))
    #expect(
      html.contains(
        "<tr id=L1><td>1\n2<td>1<td>a\nb\n<td title=\"commit a1a1a1a\">Ada &lt;b&gt; 2026-11-20\n<tr id=L3"
      ))
    #expect(html.contains("<td>c\n<td title=\"commit a1a1a1a\">Bob 2026-11-20\n</tbody>"))
    #expect(!listing(SourceHistory()).contains("Author"))
  }

  @Test("The column can be hidden without script")
  func toggle() throws {
    var report = CoverageSample.report
    let path = "coverage/Sources-Greeter-Greeter.swift.html"
    #expect(try !PageSite(report).text(path).contains("o-blame"))
    report.origins["Sources/Greeter/Greeter.swift"] = [
      LineOrigin(
        lines: 1..<16, commit: report.integration.commit.id, author: "Ada", email: "",
        date: report.integration.commit.date)
    ]
    #expect(
      try PageSite(report).text(path).contains("<input type=\"checkbox\" class=\"o-blame\" id=\"l-blame\" checked>"))
  }
}
