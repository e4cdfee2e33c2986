import Model
import Testing

@testable import Rendering

@Suite("Logs as pages")
struct LogTests {
  private func html(_ text: String) -> String { html(Array(text.utf8)) }

  private func html(_ bytes: [UInt8]) -> String {
    var writer = LogLine()
    return String(decoding: writer.html(of: bytes[...]).bytes, as: UTF8.self)
  }

  @Test(
    "Colours become styles, other escape codes are dropped",
    arguments: [
      ("\u{1B}[31mred\u{1B}[0m plain", #"<span class="a-red">red</span> plain"#),
      (
        "\u{1B}[1m\u{1B}[92mdone\u{1B}[22m.", #"<span class="a-green a-bold">done</span><span class="a-green">.</span>"#
      ),
      ("\u{1B}[38;5;9mnumbered", "numbered"), ("\u{1B}[2K\u{1B}[1Gline", "line"),
      ("\u{1B}]0;title\u{7}text", "text"), ("\u{1B}]8;;x\u{1B}\\link", "link"), ("end\u{1B}", "end"),
      ("end\u{1B}[", "end"), ("end\u{1B}[31", "end"), ("\u{1B}Mup", "up"),
    ])
  func escapes(text: String, expected: String) {
    #expect(html(text) == expected)
  }

  @Test("A colour reaches over the end of its line")
  func carried() {
    var writer = LogLine()
    _ = writer.html(of: Array("\u{1B}[31mone".utf8)[...])
    #expect(
      String(decoding: writer.html(of: Array("two".utf8)[...]).bytes, as: UTF8.self)
        == #"<span class="a-red">two</span>"#)
  }

  @Test("Bytes that are no text are shown by their numbers")
  func invalid() {
    #expect(html([0x61, 0xFF, 0x62]) == #"a<i class="byte">\xFF</i>b"#)
    #expect(html([0xE2, 0x82]) == #"<i class="byte">\xE2</i><i class="byte">\x82</i>"#)
    #expect(html([0x00, 0x3C]) == "⟨U+0000⟩&lt;")
    #expect(html(Array("ü → ✘".utf8)) == "ü → ✘")
  }

  @Test("What belongs to a finding goes with it")
  func kinds() {
    let text = """
      [1/2] Compiling
      /a/B.swift:3:1: error: wrong
      2 | let a = 1
        |     `- error: wrong
      3 | }

      /a/B.swift:9:1: warning: doubtful
      \u{1B}[91m✘ \u{1B}[0mTest x() recorded an issue
      """
    let book = LogBook(Report.Log(step: .building, bytes: Array(text.utf8)))
    #expect(
      book.pages[0].map(\.kind) == [.plain, .error, .error, .error, .error, .plain, .warning, .error])
    #expect(book.count(of: .error) == 2)
    #expect(book.count(of: .warning) == 1)
    #expect(book.lineCount == 8)
  }

  @Test("An empty log is one empty page")
  func empty() throws {
    var report = OtherSamples.incomplete
    report.logs = [Report.Log(step: .resolving, bytes: [])]
    let site = try PageSite(report)
    #expect(site.text("log/resolving.html").contains("<b>0 lines</b>, 0 bytes"))
  }

  @Test(
    "However long a log and whatever is in it, no page is larger than a megabyte",
    arguments: [
      ("many lines", Array(repeating: Array("a line of a log\n".utf8), count: 60_000).flatMap { $0 }),
      ("a line without end", Array(repeating: UInt8(ascii: "<"), count: 1_500_000)),
      ("no text at all", Array(repeating: UInt8(0xFF), count: 300_000)),
      ("line feeds", Array(repeating: UInt8(ascii: "\n"), count: 60_000)),
      ("escape codes", Array(repeating: Array("\u{1B}[1;31mx".utf8), count: 60_000).flatMap { $0 }),
      ("controls", Array(repeating: UInt8(0), count: 300_000)),
    ] as [(String, [UInt8])])
  func pages(name: String, bytes: [UInt8]) throws {
    var report = OtherSamples.incomplete
    report.logs = [Report.Log(step: .testing, bytes: bytes)]
    let site = try PageSite(report)
    let pages = site.order.filter { $0.hasPrefix("log/") }
    #expect(pages.count > 1)
    #expect(pages.first == "log/testing.html")
    #expect(pages.dropFirst().first == "log/testing-2.html")
    for page in pages { #expect((site.pages[page]?.count ?? 0) < 1_000_000, "\(page)") }
  }

  @Test("Of a huge log the beginning and the end have pages, and the page says what is left out")
  func huge() {
    let line = Array((String(repeating: "x", count: 999) + "\n").utf8)
    let book = LogBook(Report.Log(step: .testing, bytes: Array(repeating: line, count: 20_000).flatMap { $0 }))
    #expect(book.lineCount == 20_000)
    let omitted = book.omitted
    #expect(omitted?.lowerBound == 12_002)
    #expect(omitted?.upperBound == 16_000)
    #expect(book.pages.last?.last?.number == 20_000)
  }
}
