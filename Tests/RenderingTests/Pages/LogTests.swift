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

  @Test("What a build system says about itself is no warning in its log either")
  func remarks() {
    let text = """
      /srv/A/Package.swift: A: clang: warning: argument unused during compilation: '-rdynamic' [-Wunused]
      warning: '--build-system native' has been deprecated and will be removed
      /srv/A/Package.swift: A: clang: warning: no such option [-Wother]

      """
    let book = LogBook(Report.Log(step: .building, bytes: Array(text.utf8), folder: "/srv/A"))
    #expect(book.pages[0].map(\.kind) == [.plain, .plain, .warning])
    #expect(book.found == "1 warning")
  }

  @Test("What each attempt repeats is one error, and the sums behind it are none")
  func repeats() {
    let attempt = """
      \u{1B}[91m✘ \u{1B}[0mTest x() recorded an issue at A.swift:1:1: Expectation failed: 1 == 2
      \u{1B}[91m✘ \u{1B}[0mTest x() failed after 0.001 seconds with 1 issue.
      \u{1B}[91m✘ \u{1B}[0mTest run with 1 test in 0 suites failed after 0.001 seconds with 1 issue.

      """
    let book = LogBook(Report.Log(step: .testing, bytes: Array((attempt + attempt).utf8)))
    #expect(book.found == "1 error")
    #expect(book.pages[0].map(\.kind) == [.error, .plain, .plain, .error, .plain, .plain])
  }

  @Test("That a command failed is an error only where nothing says why")
  func echoes() {
    func found(_ text: String) -> String {
      LogBook(Report.Log(step: .building, bytes: Array(text.utf8))).found
    }
    let echo = "error: emit-module command failed with exit code 1 (use -v to see invocation)\n"
    #expect(found("/a/B.swift:3:1: error: cannot find 'x' in scope\n\(echo)error: fatalError\n") == "1 error")
    #expect(found(echo) == "1 error")
  }

  @Test("Paths begin in the package, wherever its sources lay")
  func folders() {
    let text = "/w/src/A.swift:1: error: no\nnote: /w/src/B.swift and /w/src/C.swift, not /w/srcs/D.swift\n/w/src\n"
    let book = LogBook(Report.Log(step: .building, bytes: Array(text.utf8), folder: "/w/src"))
    #expect(
      book.pages[0].map { String(decoding: $0.bytes, as: UTF8.self) }
        == ["A.swift:1: error: no", "note: B.swift and C.swift, not /w/srcs/D.swift", "/w/src"])
  }

  @Test("What the build is at is named without the folders of its path, and only that")
  func progress() {
    let text = "[5/12] /w/build/all-tests.swift\n[6/12] Write sources\n[5] /w/build/x\n[5/12 /w/build/x\n"
    let book = LogBook(Report.Log(step: .building, bytes: Array(text.utf8)))
    #expect(
      book.pages[0].map { String(decoding: $0.bytes, as: UTF8.self) }
        == ["[5/12] all-tests.swift", "[6/12] Write sources", "[5] /w/build/x", "[5/12 /w/build/x"])
  }

  @Test("An empty log has no page, and no link from the pages of others")
  func empty() throws {
    var report = OtherSamples.incomplete
    report.logs = [
      Report.Log(step: .resolving, bytes: []), Report.Log(step: .building, bytes: Array("Build complete\n".utf8)),
    ]
    let site = try PageSite(report)
    #expect(site.order.filter { $0.hasPrefix("log/") } == ["log/building.html"])
    #expect(!site.text("log/building.html").contains("resolving.html"))
  }

  /// Logs that are large in different ways.
  enum Large: String, CaseIterable {
    case manyLines, oneLine, invalid, empty, colors, controls

    var bytes: [UInt8] {
      switch self {
      case .manyLines: Self.repeated("a line of a log\n", 16_000)
      case .oneLine: Self.repeated("<", 900_000)
      case .invalid: Array(repeating: 0xFF, count: 300_000)
      case .empty: Self.repeated("\n", 16_000)
      case .colors: Self.repeated("\u{1B}[1;31mx", 60_000)
      case .controls: Array(repeating: 0, count: 300_000)
      }
    }

    private static func repeated(_ text: String, _ count: Int) -> [UInt8] {
      Array(String(repeating: text, count: count).utf8)
    }
  }

  @Test("However long a log and whatever is in it, no page is larger than a megabyte", arguments: Large.allCases)
  func pages(of log: Large) throws {
    var report = OtherSamples.incomplete
    report.logs = [Report.Log(step: .testing, bytes: log.bytes)]
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

  @Test("Of a huge line only the beginning and the end have pages, and control characters count as they are shown")
  func hugeLine() throws {
    for (byte, most) in [(UInt8(ascii: "x"), 16_100_000), (0, 700_000)] {
      let log = Report.Log(step: .testing, bytes: Array(repeating: byte, count: 20_000_000) + Array("\nend\n".utf8))
      let book = LogBook(log)
      #expect(book.omitted == 1...1)
      let lines = book.pages.flatMap(\.self)
      #expect((600_000...most).contains(lines.reduce(0) { $0 + $1.bytes.count }))
      #expect(lines.last?.number == 2)
    }
    #expect(LogWords.omitted(1...1) == "all of line 1")
    #expect(LogWords.omitted(2...1000) == "lines 2 to 1000")
  }

  @Test("Text, control characters and bytes that are no text are told apart in one line")
  func mixed() {
    var writer = LogLine()
    let line = Array("é<\u{2028}".utf8) + [0, 0xFF, 0xE2, 0x82] + Array("z".utf8)
    #expect(
      String(decoding: writer.html(of: line[...]).bytes, as: UTF8.self)
        == #"é&lt;⟨U+2028⟩⟨U+0000⟩<i class="byte">\xFF</i><i class="byte">\xE2</i><i class="byte">\x82</i>z"#)
  }
}
