import Model
import Testing

@testable import Rendering

@Suite("The listing of a source file")
struct SourceListingTests {
  @Test("A line that ran has its number, its runs and its coloured text")
  func ran() {
    #expect(
      rows("let a = 1\n", lines: [LineCoverage(line: 1, count: 7, state: .ran)]) == [
        "<tr id=L1><td>1<td>7<td><b>let</b> a = <var>1</var>\n"
      ])
  }

  @Test("A line that partly ran says so and has a row of its own")
  func partly() {
    let lines = [(1, LineState.ran), (2, .partlyRan), (3, .ran)].map { LineCoverage(line: $0, count: 7, state: $1) }
    #expect(
      rows("a\nb\nc", lines: lines) == [
        "<tr id=L1><td>1<td>7<td>a\n", "<tr id=L2 class=p data-stop><td>2<td>7<small> partly</small><td>b\n",
        "<tr id=L3><td>3<td>7<td>c\n",
      ])
  }

  @Test("Lines without code share a row that has no runs")
  func noCode() {
    #expect(rows("// x\n// y", lines: []) == ["<tr id=L1 class=o><td>1\n2<td><td><em>// x\n// y</em>\n"])
  }

  @Test("Lines that ran equally often share a row, and a function begins another")
  func equal() {
    let lines = (1...4).map { LineCoverage(line: $0, count: 2, state: .ran) }
    let region = CoverageRegion(start: .init(line: 3, column: 1), end: .init(line: 4, column: 2), count: 2)
    let function = FunctionCoverage(name: "f()", symbol: "f", count: 2, regions: [region])
    let listing = SourceListing(
      HighlightedSource(Array("a\nb\nc\nd\n".utf8), path: "a.swift"),
      coverage: file(lines: lines, functions: [function]), remarks: SourceRemarks(targets: [2]))
    let text = String(decoding: listing.html().bytes, as: UTF8.self)
    #expect(text.contains("<tr id=L1><td>1<td>2<td>a\n<tr id=L2><td>2<td>2<td>b\n"))
    #expect(text.contains("<tr id=L3><td>3\n4<td>2<td>c\nd\n"))
  }

  @Test("A line that is wrapped on paper has a row of its own, so that numbers stay beside their lines")
  func wrapped() {
    let lines = (1...5).map { LineCoverage(line: $0, count: 2, state: .ran) }
    let (short, long) = (String(repeating: "a", count: 80), String(repeating: "b", count: 81))
    #expect(
      rows("a\n\(short)\n\(long)\n\t\(short.dropLast(3))\n\t\(short.dropLast(4))\n", lines: lines) == [
        "<tr id=L1><td>1\n2<td>2<td>a\n\(short)\n", "<tr id=L3><td>3<td>2<td>\(long)\n",
        "<tr id=L4><td>4<td>2<td>\t\(short.dropLast(3))\n", "<tr id=L5><td>5<td>2<td>\t\(short.dropLast(4))\n",
      ])
    #expect(rows("// \(long)\n// a\n", lines: []).count == 2)
  }

  @Test("Lines that share a row have one number of runs, unless none ran")
  func sharedNumber() {
    let never = (1...2).map { LineCoverage(line: $0, count: 0, state: .neverRan) }
    let ran = (3...4).map { LineCoverage(line: $0, count: 20_000, state: .ran) }
    let text = rows("a\nb\nc\nd\n", lines: never + ran)
    #expect(text.first?.contains("<td>0\n0<td>") == true)
    #expect(text.last == "<tr id=L3><td>3\n4<td title=\"ran 20\u{202F}000 times\">20.0k<td>c\nd\n")
  }

  @Test("A carriage return before a line feed is not shown, and lines stay lines")
  func carriageReturns() {
    #expect(rows("a\r\nb\r\n", lines: []) == ["<tr id=L1 class=o><td>1\n2<td><td>a\nb\n"])
  }

  @Test("A dead stretch that crosses tokens is one element around pieces of them")
  func crossing() {
    let line = LineCoverage(line: 1, count: 1, state: .partlyRan)
    // From inside the string to inside the number.
    let text = text(#"f("ab cd" + 123)"#, lines: [line], dead: [DeadStretch(line: 1, columns: 5..<15)])
    #expect(
      text == #"f(<u>"a</u><span class="dead" title="never ran"><u>b cd"</u> + "#
        + #"<var>12</var></span><var>3</var>)"#)
  }

  @Test("A dead stretch loses the blanks at its ends, and an empty one is not shown")
  func blanks() {
    let line = LineCoverage(line: 1, count: 1, state: .ran)
    #expect(
      text("a  b  c", lines: [line], dead: [DeadStretch(line: 1, columns: 2..<6)])
        == #"a  <span class="dead" title="never ran">b</span>  c"#)
    #expect(text("a  b", lines: [line], dead: [DeadStretch(line: 1, columns: 2..<4)]) == "a  b")
    #expect(text("ab", lines: [line], dead: [DeadStretch(line: 1, columns: 3..<Int.max)]) == "ab")
  }

  @Test("Columns are bytes, and a stretch never cuts a character")
  func bytes() {
    let line = LineCoverage(line: 1, count: 1, state: .ran)
    #expect(
      text("é b", lines: [line], dead: [DeadStretch(line: 1, columns: 4..<Int.max)])
        == #"é <span class="dead" title="never ran">b</span>"#)
    #expect(
      text("aéb", lines: [line], dead: [DeadStretch(line: 1, columns: 3..<4)])
        == #"a<span class="dead" title="never ran">é</span>b"#)
  }

  @Test("What stands for other bytes is an element that tells for how many; what looks like it in the source is none")
  func pictures() {
    let line = LineCoverage(line: 1, count: 1, state: .partlyRan)
    #expect(
      text("\u{FEFF}/*⟨U+200B⟩*/\u{200B}é b", lines: [line], dead: [DeadStretch(line: 1, columns: 25..<Int.max)])
        == "<samp>⟨U+FEFF⟩</samp><em>/*⟨U+200B⟩*/</em><samp>⟨U+200B⟩</samp>é "
        + "<span class=\"dead\" title=\"never ran\">b</span>")
    // Two bytes of three, then one that begins nothing.
    let source = HighlightedSource([0x61, 0xE2, 0x80, 0x62, 0xFF, 0xEF, 0xBF, 0xBD], path: "a.c")
    #expect(
      String(decoding: source.html(ofLine: 1).bytes, as: UTF8.self)
        == "a<samp data-n=2>\u{FFFD}</samp>b<samp data-n=1>\u{FFFD}</samp>\u{FFFD}")
  }

  @Test("A line that never ran is marked as a whole, not by stretches")
  func neverRan() {
    let line = LineCoverage(line: 1, count: 0, state: .neverRan)
    let row = rows("a", lines: [line], dead: [DeadStretch(line: 1, columns: 1..<2)])[0]
    #expect(row.contains("<tr id=L1 class=n data-stop>"))
    #expect(!row.contains("dead"))
  }

  @Test("Uncovered blocks are chained, and their ends lead to the neighbours")
  func chain() {
    let lines = [2, 3, 5, 8].map { LineCoverage(line: $0, count: 0, state: .neverRan) }
    let neighbours = SourceListing.Neighbours(
      previous: .init(arrow: "←", words: "A.swift", address: "a.html#L9"),
      next: .init(arrow: "→", words: "next file: C.swift", address: "c.html"))
    let rows = rows(String(repeating: "x\n", count: 9), lines: lines, neighbours: neighbours)
    #expect(rows.map { String($0.dropFirst("<tr id=".count).prefix(2)) } == ["L1", "L2", "L4", "L5", "L6", "L8", "L9"])
    #expect(rows.filter { $0.contains("data-stop") }.count == 3)
    #expect(
      rows[1] == #"<tr id=L2 class=n data-stop><td><a href="a.html#L9" title="A.swift">← A.swift</a>"#
        + "<a href=#L5>↓ next</a>2\n3<td>0\n0<td>x\nx\n")
    #expect(rows[3].contains("<td><a href=#L2>↑ previous</a><a href=#L8>↓ next</a>5<td>"))
    #expect(rows[5].contains(#"<a href="c.html" title="next file: C.swift">→ next file: C.swift</a>8<td>"#))
    #expect(!rows[2].contains("<a "))
  }

  @Test("Only the lines of a part are written, with links out of it given by the neighbours")
  func part() {
    let lines = [2, 8].map { LineCoverage(line: $0, count: 0, state: .neverRan) }
    let html = SourceListing(
      HighlightedSource(Array(String(repeating: "x\n", count: 9).utf8), path: "a.c"), coverage: file(lines: lines),
      neighbours: .init(next: .init(arrow: "↓", words: "line 8", address: "a.2.html#L8"))
    ).html(lines: 1..<5)
    let text = String(decoding: html.bytes, as: UTF8.self)
    #expect(text.contains("<td>3\n4<td>") && !text.contains("5\n"))
    #expect(text.contains(#"<td><a href="a.2.html#L8" title="line 8">↓ line 8</a>2<td>"#))
  }

  @Test("Large counts are short, with the whole number in the title")
  func counts() {
    func cell(_ count: UInt64) -> String {
      let row = rows("x", lines: [LineCoverage(line: 1, count: count, state: .ran)])[0]
      return String(row.split(separator: "<td")[2].prefix { $0 != "\n" })
    }
    #expect(cell(9999) == ">9999")
    #expect(cell(12_345) == " title=\"ran 12\u{202F}345 times\">12.3k")
    #expect(cell(9_200_000_000_000_000_000).hasSuffix("\u{202F}000 times\">9.2E"))
    #expect(RunCountText.short(999_999) == "999k")
    #expect(RunCountText.short(1_000_000) == "1.0M")
    #expect(RunCountText.short(UInt64(Int64.max) - 1) == "9.2E")
  }

  @Test("A counter below zero is no number, also as the highest one that llvm-cov writes")
  func underflow() {
    for count in [UInt64(Int64.max), .max] {
      let row = rows("x", lines: [LineCoverage(line: 1, count: count, state: .ran)])[0]
      let title =
        "The counter fell below zero, so whether this ran is not known. llvm-cov counts it as run."
      #expect(row.contains("<td title=\"\(title)\">?<td>"))
      #expect(RunCountText.short(count) == nil && RunCountText.long(count) == title)
    }
  }

  @Test("What is said about a line is shown under it, and the line stands out")
  func bubbles() {
    let html = SourceListing(
      HighlightedSource(Array("a\nb".utf8), path: "a.swift"), coverage: file(lines: []),
      remarks: SourceRemarks(bubbles: [1: [SafeHTML("<b>no</b>")]])
    ).html()
    #expect(
      String(decoding: html.bytes, as: UTF8.self).contains(
        "<tr id=L1 class=o data-stop=hot><td>1<td><td>a\n"
          + #"<tr class="bubble"><td colspan="3"><span class="tip"><b>no</b></span></td></tr>"#))
  }

  @Test("Coverage of lines that are not there, or in no order, does not trap")
  func absurd() {
    let lines = [9, 2, 2, -4, Int.max].map { LineCoverage(line: $0, count: 0, state: .neverRan) }
    let dead = [DeadStretch(line: 1, columns: -5..<0), DeadStretch(line: 1, columns: 2..<Int.max)]
    #expect(rows("a\nb", lines: lines, dead: dead).count == 2)
  }
}
