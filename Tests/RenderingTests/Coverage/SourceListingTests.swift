import Model
import Testing

@testable import Rendering

@Suite("The listing of a source file")
struct SourceListingTests {
  @Test("A line that ran has its number, its runs, its state and its coloured text")
  func ran() {
    #expect(
      rows("let a = 1\n", lines: [LineCoverage(line: 1, count: 7, state: .ran)]) == [
        ##"<tr id="L1" class="ran"><th class="ln" scope="row"><a href="#L1">1</a></th><td class="ct">7</td>"##
          + #"<td class="mk"><span class="box R" role="img" aria-label="ran">•</span></td>"#
          + #"<td class="sr"><span class="k">let</span> a = <span class="n">1</span></td></tr>"#
      ])
  }

  @Test("A line without code has neither runs nor state")
  func noCode() {
    #expect(
      rows("// x", lines: []) == [
        ##"<tr id="L1"><th class="ln" scope="row"><a href="#L1">1</a></th><td class="ct"></td><td class="mk"></td>"##
          + #"<td class="sr"><span class="c">// x</span></td></tr>"#
      ])
  }

  @Test("A dead stretch that crosses tokens is one element around pieces of them")
  func crossing() {
    let line = LineCoverage(line: 1, count: 1, state: .partlyRan)
    // From inside the string to inside the number.
    let text = text(#"f("ab cd" + 123)"#, lines: [line], dead: [DeadStretch(line: 1, columns: 5..<15)])
    #expect(
      text == #"f(<span class="s">"a</span><span class="dead" title="never ran"><span class="s">b cd"</span> + "#
        + #"<span class="n">12</span></span><span class="n">3</span>)"#)
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

  @Test("A line that never ran is marked as a whole, not by stretches")
  func neverRan() {
    let line = LineCoverage(line: 1, count: 0, state: .neverRan)
    let row = rows("a", lines: [line], dead: [DeadStretch(line: 1, columns: 1..<2)])[0]
    #expect(row.contains(#"<tr id="L1" class="never" data-stop>"#))
    #expect(!row.contains("dead"))
  }

  @Test("Uncovered blocks are chained, and their ends lead to the neighbours")
  func chain() {
    let lines = [2, 3, 5, 8].map { LineCoverage(line: $0, count: 0, state: .neverRan) }
    let neighbours = SourceListing.Neighbours(
      previous: .init(words: "← A.swift", address: "a.html#L9"),
      next: .init(words: "next file: C.swift →", address: "c.html"))
    let rows = rows(String(repeating: "x\n", count: 9), lines: lines, neighbours: neighbours)
    #expect(rows.filter { $0.contains("data-stop") }.count == 3)
    #expect(rows[1].contains(#"<a href="a.html#L9" aria-label="Previous uncovered block: ← A.swift">← A.swift</a>"#))
    #expect(rows[1].contains(##"<a href="#L5" aria-label="Next uncovered block">next ↓</a>"##))
    #expect(rows[4].contains(##"<a href="#L2" aria-label="Previous uncovered block">↑</a>"##))
    #expect(rows[7].contains(#"<a href="c.html" aria-label="Next uncovered block: next file: C.swift →">"#))
    #expect(!rows[2].contains(#"class="go""#))
  }

  @Test("Only the lines of a part are written, with links out of it given by the neighbours")
  func part() {
    let lines = [2, 8].map { LineCoverage(line: $0, count: 0, state: .neverRan) }
    let html = SourceListing(
      HighlightedSource(Array(String(repeating: "x\n", count: 9).utf8), path: "a.c"), coverage: file(lines: lines),
      neighbours: .init(next: .init(words: "line 8 ↓", address: "a.2.html#L8"))
    ).html(lines: 1..<5)
    let text = String(decoding: html.bytes, as: UTF8.self)
    #expect(text.contains(#"id="L4""#) && !text.contains(#"id="L5""#))
    #expect(text.contains(#"<a href="a.2.html#L8" "#))
  }

  @Test("Large counts are short, with the whole number in the title")
  func counts() {
    func cell(_ count: UInt64) -> String {
      let row = rows("x", lines: [LineCoverage(line: 1, count: count, state: .ran)])[0]
      return String(row.split(separator: #"<td class="ct""#)[1].prefix { $0 != "/" })
    }
    #expect(cell(9999) == ">9999<")
    #expect(cell(12_345) == " title=\"ran 12\u{202F}345 times\">12.3k<")
    #expect(cell(UInt64.max) == #" title="ran; its counter was driven below zero">ran<"#)
    #expect(RunCountText.short(999_999) == "999k")
    #expect(RunCountText.short(1_000_000) == "1.0M")
    #expect(RunCountText.short(UInt64(Int64.max)) == "9.2E")
  }

  @Test("What is said about a line is shown under it")
  func bubbles() {
    let html = SourceListing(
      HighlightedSource(Array("a\nb".utf8), path: "a.swift"), coverage: file(lines: []),
      bubbles: [1: [SafeHTML("<b>no</b>")]]
    ).html()
    #expect(
      String(decoding: html.bytes, as: UTF8.self).contains(
        "a</td></tr>\n" + #"<tr class="bubble"><td colspan="4"><span class="tip"><b>no</b></span></td></tr>"#))
  }

  @Test("Coverage of lines that are not there, or in no order, does not trap")
  func absurd() {
    let lines = [9, 2, 2, -4, Int.max].map { LineCoverage(line: $0, count: 0, state: .neverRan) }
    let dead = [DeadStretch(line: 1, columns: -5..<0), DeadStretch(line: 1, columns: 2..<Int.max)]
    #expect(rows("a\nb", lines: lines, dead: dead).count == 2)
  }
}
