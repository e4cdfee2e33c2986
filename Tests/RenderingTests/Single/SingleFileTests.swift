import Model
import Testing

@testable import Rendering

@Suite("A report as one file")
struct SingleFileTests {
  private func file(_ report: Report, limit: Int = SingleFile.sizeLimit) throws -> SingleFile {
    try file(of: try PageSite(report), limit: limit)
  }

  private func file(of site: PageSite, limit: Int = SingleFile.sizeLimit) throws -> SingleFile {
    try SingleFile(name: "Greeter 42", title: "Greeter 42", library: try PageSite.templates(), limit: limit) {
      site.pages[$0]
    }
  }

  private func text(_ report: Report) throws -> String {
    String(decoding: try file(report).bytes, as: UTF8.self)
  }

  @Test("Every link leads to an anchor in it, and no id is given twice", arguments: PageSite.samples.map(\.name))
  func links(_ name: String) throws {
    let text = String(decoding: try file(of: try PageSite.sample(name)).bytes, as: UTF8.self)
    let markup = PageMarkup(text.replacing(/<(style|script)>[\s\S]*?<\/(style|script)>/, with: ""))
    let ids = markup.values(of: "id")
    #expect(ids.count == Set(ids).count)
    for link in markup.values(of: "href") {
      #expect(link.hasPrefix("#") && ids.contains(String(link.dropFirst())), "\(link)")
    }
    for name in ["for", "aria-labelledby"] {
      for value in markup.values(of: name) { #expect(ids.contains(value), "\(name)=\(value)") }
    }
    #expect(markup.nestingFault == nil)
  }

  @Test("A link to an anchor that its page does not have leads to the page")
  func missingAnchor() throws {
    let pages = [
      "index.html": "<a href=\"coverage.html#there\">1</a><a href=\"coverage.html#L7\">2</a>",
      "coverage.html": "<p id=there>3</p>",
    ]
    let file = try SingleFile(name: "Greeter 42", title: "Greeter 42", library: try PageSite.templates()) { path in
      pages[path].map { Array("<main id=\"content\">\($0)</main>".utf8) }
    }
    let text = String(decoding: file.bytes, as: UTF8.self)
    #expect(text.contains("<a href=\"#p1-there\">1</a><a href=\"#p1\">2</a>"))
  }

  @Test("It refers to nothing outside, and its policy names its own style and script")
  func policy() throws {
    let text = try text(GreeterSample.red)
    let markup = PageMarkup(text)
    #expect(markup.values(of: "src").isEmpty && !markup.tags.contains { ["link", "img"].contains($0.name) })
    let style = try #require(text.firstMatch(of: /<style>([\s\S]*?)<\/style>/)).1
    let script = try #require(text.firstMatch(of: /<script>([\s\S]*?)<\/script>/)).1
    let policy =
      "default-src 'none'; style-src '\(ContentHash.source(of: Array(style.utf8)))'; "
      + "script-src '\(ContentHash.source(of: Array(script.utf8)))'; base-uri 'none'; form-action 'none'"
    #expect(text.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"))
    #expect(text.ranges(of: "<style").count == 1 && text.ranges(of: "<script").count == 1)
  }

  @Test("It holds the summary, red tests with their messages, the coverage and the sources")
  func contents() throws {
    let site = try PageSite.sample("red")
    let file = try file(GreeterSample.red)
    let text = String(decoding: file.bytes, as: UTF8.self)
    #expect(file.leftCount == 0 && file.pageCount == site.html.count - 3)
    for failure in GreeterSample.red.integration.tests.results.flatMap(\.failures).prefix(3) {
      let line = failure.message.split(separator: "\n")[0].prefix(20)
      #expect(text.contains(String(decoding: SafeHTML.escaping(line).bytes, as: UTF8.self)), "\(line)")
    }
    #expect(text.contains("<span class=\"fact-1\"></span>") && text.contains(".fact-1::after"))
  }

  @Test("What does not fit is left out from the end, is counted, and nothing leads to it")
  func limit() throws {
    let whole = try file(GreeterSample.red)
    let small = try file(GreeterSample.red, limit: whole.bytes.count * 3 / 4)
    #expect(small.bytes.count < whole.bytes.count * 3 / 4)
    #expect(small.leftCount > 0 && small.leftCount + small.pageCount == whole.pageCount)
    let text = String(decoding: small.bytes, as: UTF8.self)
    #expect(text.contains("<span>\(small.leftCount) page"))
    let markup = PageMarkup(text.replacing(/<(style|script)>[\s\S]*?<\/(style|script)>/, with: ""))
    let ids = Set(markup.values(of: "id"))
    for link in markup.values(of: "href") { #expect(ids.contains(String(link.dropFirst())), "\(link)") }
    #expect(try file(GreeterSample.red, limit: 1).pageCount == 1)
  }

  @Test("The page that compares with the baseline is in it, with a tab")
  func comparison() throws {
    let text = try text(ComparisonSample.report)
    #expect(text.contains("<li><a href=\"#p3\">Compare"))
    #expect(text.contains("<caption class=\"vh\">Uncovered lines by file in both integrations</caption>"))
  }

  @Test("It has the tabs of the report with their counts and the logs, and each page tells its own")
  func tabs() throws {
    let text = try text(GreeterSample.red)
    let tabs = text.split(separator: "<nav class=tabs").last?.split(separator: "</nav>").first ?? ""
    #expect(tabs.contains(##"<li><a href="#p0" aria-current=page>Summary</a>"##))
    #expect(tabs.contains(/<a href="#p2">Tests <b class=is-failed>\d+ red<\/b><\/a>/))
    #expect(tabs.contains(##"<a href="#p0-logs">Logs</a>"##))
    let own = ["p0": "#p0", "p1": "#p1", "p2": "#p2"]
    for (id, tab) in own { #expect(text.contains(#"<article class="sheet" id="\#(id)" data-tab="\#(tab)">"#)) }
    let logs = text.matches(of: /data-tab="#p0-logs">\s*<div class="verdict plain">/)
    #expect(!logs.isEmpty && text.contains(/id="p(?:[3-9]|\d\d+)" data-tab="#p2">/))
  }

  @Test("Each tab has its page, though nothing else may lead there; where there was no room for it, it is no link")
  func tabsWithoutPage() throws {
    let tabs =
      "<nav class=tabs><ul>\n<li><a href=\"index.html\" aria-current=page>Summary</a>\n"
      + "<li><a href=\"issues.html\">Issues</a>\n</ul></nav>"
    func text(limit: Int = SingleFile.sizeLimit) throws -> String {
      let pages = ["index.html": "", "issues.html": "none"]
      let file = try SingleFile(name: "", title: "", library: try PageSite.templates(), limit: limit) { path in
        pages[path].map { Array("\(tabs)<main id=\"content\">\($0)</main>".utf8) }
      }
      return String(decoding: file.bytes, as: UTF8.self)
    }
    #expect(try text().contains("<li><a href=\"#p1\">Issues</a>\n</ul></nav>"))
    #expect(try text(limit: 1).contains("<li><a>Issues</a>\n</ul></nav>"))
  }

  @Test("The kinds of what is left out are named")
  func kinds() {
    let paths = [
      "files-by-name.html", "files-by-lines.html", "coverage/A.html", "log/testing.html", "compare.html",
    ]
    #expect(
      SingleFile.leftWords(paths)
        == "5 pages of the report not in this file: compare.html, 1 source, 2 lists of files and 1 page of logs")
    #expect(SingleFile.leftWords(["issues.html"]) == "1 page of the report not in this file: issues.html")
  }

  @Test("Sources come before the lists of files in other orders")
  func lists() throws {
    let text = try text(CoverageSample.report)
    let sources = text.ranges(of: "<div class=source>")
    let lists = text.ranges(of: "<table class=\"rows flat")
    #expect(lists.count == FileList.Order.shown(for: CoverageTotals()).count)
    let (source, list) = (try #require(sources.last), try #require(lists.first))
    #expect(source.lowerBound < list.lowerBound)
  }

  @Test("The same report gives the same bytes")
  func same() throws {
    #expect(try file(GreeterSample.red).bytes == file(GreeterSample.red).bytes)
  }

  @Test("A sheet that would end its element is refused")
  func refused() throws {
    let library = try PageSite.templates()
    #expect(throws: TemplateError.self) {
      try SingleFile(name: "", title: "", library: library) { $0 == "style.css" ? Array("a</style>".utf8) : [] }
    }
  }

  @Test(
    "The hash is that of the standard's examples",
    arguments: [
      ("", "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
      ("abc", "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "sha256-JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="
      ),
      (String(repeating: "a", count: 1000), "sha256-Qe3s5C1j6Nm/UVqbppMuHCDLyfWl0TRkWttdsblzfqM="),
    ])
  func hash(_ text: String, _ source: String) {
    #expect(ContentHash.source(of: Array(text.utf8)) == source)
  }
}
