import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The past of a file in its listing")
struct SourceHistoryTests {
  private func listing(_ history: SourceHistory) -> String {
    let lines = (1...3).map { LineCoverage(line: $0, count: 1, state: .ran) }
    let listing = SourceListing(
      HighlightedSource(Array("a\nb\nc\n".utf8), path: "a.swift"), coverage: file(lines: lines),
      remarks: SourceRemarks(history: history))
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
        <tr id=L1 data-c><td>1<td>1<td>a
        <tr class=gone><td><td><del class=x>−</del>
        <td><details><summary>2 lines deleted, lines 2–3 before: 0 of 1 with code had run</summary><b>let</b> x = \
        <u>"&lt;"</u>
        <em>// y</em>
        </details><tr id=L2 data-c><td>2
        3
        """))
    #expect(
      html.hasSuffix(
        "<details><summary>3 lines deleted, lines 9–11 before: no code</summary>end\n<small>and 2 more lines</small>\n</details></tbody></table>\n"
      ))
  }

  @Test(
    "A single deleted line is not folded, and says whether it ran",
    arguments: [
      (Tally(total: 1, covered: 1), ", it ran"), (Tally(total: 1, covered: 0), ", it never ran"), (Tally(), ""),
    ])
  func single(_ code: Tally, _ ran: String) {
    let html = listing(
      SourceHistory(removed: [RemovedLines(before: 2, first: 7, text: Array("let x\n".utf8), count: 1, code: code)]))
    #expect(
      html.contains(
        """
        <tr class=gone><td><td><del class=x>−</del>
        <td><b>let</b> x<small>deleted (was 7)\(ran)</small><tr id=L2 data-c>
        """))
    #expect(!html.contains("<details>"))
  }

  @Test("Who wrote the lines stands where a stretch of theirs begins")
  func origins() {
    let origin = LineOrigin(
      lines: 1..<3, commit: CommitID(rawValue: String(repeating: "a1", count: 20)), author: "Ada <b>",
      date: Date(timeIntervalSince1970: 1_795_162_325))
    var other = origin
    other.lines = 3..<4
    other.author = "Bob"
    let html = listing(SourceHistory(removed: [], origins: [origin, other]))
    #expect(html.contains("<table class=by>") && html.contains("<th scope=col>Day, author and line<th"))
    #expect(
      html.contains(
        """
        <tr id=L1><td><small class=a title="Ada &lt;b&gt;, commit a1a1a1a">2026-11-20 Ada &lt;b&gt;</small>1
        2<td>1<td>a
        b
        <tr id=L3
        """))
    #expect(html.contains("title=\"Bob, commit a1a1a1a\">2026-11-20 Bob</small>3<td>1<td>c\n</tbody>"))
    #expect(!listing(SourceHistory()).contains("uthor") && !listing(SourceHistory()).contains("class=by"))
  }

  @Test("Every row says who wrote it, also inside a long stretch and a long row")
  func eachRow() {
    let origin = LineOrigin(
      lines: 1..<101, commit: CommitID(rawValue: String(repeating: "a1", count: 20)), author: "Ada\nB.",
      date: Date(timeIntervalSince1970: 1_795_162_325))
    let text = String(repeating: "a\n", count: 100)
    let listing = SourceListing(
      HighlightedSource(Array(text.utf8), path: "a.swift"),
      coverage: file(lines: [LineCoverage(line: 30, count: 1, state: .ran)]),
      remarks: SourceRemarks(history: SourceHistory(removed: [], origins: [origin])))
    let rows = String(decoding: listing.html().bytes, as: UTF8.self).split(separator: "<tr id=").dropFirst()
    #expect(rows.count == 7)
    #expect(rows.first?.contains(">2026-11-20 Ada B.</small>1\n") == true)
    for row in rows.dropFirst() { #expect(row.contains("<td><small title=2026-11-20>Ada B.</small>")) }
  }

  @Test("Of deleted text that would make a page too long a part is shown, and the rest is counted")
  func longRemoved() {
    let long = Array((String(repeating: "a,", count: 300_000) + "\n").utf8)
    let plain = Array((String(repeating: "a", count: 20_000) + "\nb\n").utf8)
    let html = listing(
      SourceHistory(removed: [
        RemovedLines(before: 2, first: 2, text: long, count: 1, code: Tally()),
        RemovedLines(before: 3, first: 3, text: plain, count: 2, code: Tally()),
      ]))
    #expect(html.contains("before: no code</summary><small>and 1 more line</small>\n</details>"))
    #expect(html.contains("aaa …\nb\n</details>"))
    #expect(html.utf8.count < 15_000)
  }

  @Test("The column can be hidden without script")
  func toggle() throws {
    var report = CoverageSample.report
    let path = "coverage/Sources-Greeter-Greeter.swift.html"
    #expect(try !PageSite(report).text(path).contains("o-blame"))
    report.origins["Sources/Greeter/Greeter.swift"] = [
      LineOrigin(
        lines: 1..<16, commit: report.integration.commit.id, author: "Ada",
        date: report.integration.commit.date)
    ]
    let head = try #require(try PageSite(report).text(path).split(separator: "<div class=source-head>").last)
    #expect(head.contains("<input type=\"checkbox\" class=\"o-blame\" id=\"l-blame\">"))
  }
}
