import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The pages about source")
struct CoveragePagesTests {
  @Test("Each counted file and each source with a failure has a page")
  func paths() throws {
    #expect(
      try CoverageSite.render(CoverageSample.report).keys.sorted() == [
        "coverage.html", "coverage/Sources-Greeter-Greeter.swift.html",
        "coverage/Sources-Greeter-Words-Words.swift.html", "coverage/Sources-tool-Tool.c.html",
        "files-by-functions.html", "files-by-lines.html", "files-by-name.html", "files-by-partly.html",
        "files-by-regions.html", "files-by-share.html", "files-by-uncovered.html",
        "test-sources/Tests-GreeterTests-GreeterTests.swift.html",
      ])
  }

  @Test(
    "The pages look as accepted",
    arguments: [
      "coverage.html", "coverage/Sources-Greeter-Greeter.swift.html", "coverage/Sources-tool-Tool.c.html",
      "test-sources/Tests-GreeterTests-GreeterTests.swift.html",
    ])
  func golden(_ path: String) throws {
    let page = try #require(try CoverageSite.render(CoverageSample.report)[path])
    let main = page.split(separator: "<main id=\"content\">\n")[1].split(separator: "</main>")[0]
    try GoldenFile("coverage-pages/" + path.replacing("/", with: "-")).compare(with: String(main))
  }

  @Test("Every link between these pages leads to a page and an anchor that exist")
  func links() throws {
    let site = try CoverageSite.render(CoverageSample.report)
    let ids = site.mapValues { Set(PageMarkup($0).values(of: "id")) }
    for (path, text) in site {
      for link in PageMarkup(text).values(of: "href")
      where link.contains("coverage") || link.contains("files-by") || link.hasPrefix("#") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let target = parts[0].isEmpty ? path : PageMarkup.resolve(parts[0], from: path)
        #expect(site[target] != nil, "\(path) links to \(link)")
        if parts.count > 1 { #expect(ids[target]?.contains(parts[1]) == true, "\(path) links to \(link)") }
      }
    }
  }

  @Test("A marker without effect among lines without code has a line of its own that its link leads to")
  func idleMarker() throws {
    var report = CoverageSample.report
    let path = "Sources/Greeter/Greeter.swift"
    var coverage = try #require(report.integration.coverage.coverage)
    coverage.idleMarkers = [IdleMarker(path: path, line: 16, marker: "coverage:ignore", reason: .noCode)]
    report.integration.coverage = .available(coverage)
    report.sources[path] = Array("\(CoverageSample.greeter)// coverage:ignore\n// End.\n".utf8)
    let site = try CoverageSite.render(report)
    #expect(site["coverage.html"]?.contains("coverage/Sources-Greeter-Greeter.swift.html#L16\"") == true)
    let page = try #require(site["coverage/Sources-Greeter-Greeter.swift.html"])
    #expect(PageMarkup(page).values(of: "id").contains("L16"))
  }

  @Test("The lines of a function that was never called are in its row, and other uncovered blocks in a list")
  func blocks() throws {
    let site = try CoverageSite.render(CoverageSample.report)
    let page = try #require(site["coverage/Sources-Greeter-Greeter.swift.html"])
    #expect(page.contains("<h2>Uncovered inside functions</h2>") && page.contains(">Line 7</a>"))
    #expect(page.contains(">whisper()</a><td><b>3</b><td>12–14<td>0\n") && !page.contains(">Lines 12–14</a>"))
  }

  @Test("No link leads to a line that its page does not show", arguments: [0, 1])
  func linesThatAreNotThere(_ sample: Int) throws {
    var report = CoverageSample.report
    let path = "Sources/Greeter/Greeter.swift"
    report.sources[path] = sample == 0 ? nil : Array("let a = 1\nlet b = 2\n".utf8)
    let site = try CoverageSite.render(report)
    let page = try #require(site["coverage/Sources-Greeter-Greeter.swift.html"])
    // The functions are named all the same.
    #expect(page.contains("<table class=fns"))
    for (path, text) in site {
      for link in PageMarkup(text).values(of: "href") where link.contains("#L") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let target = parts[0].isEmpty ? path : PageMarkup.resolve(parts[0], from: path)
        let ids = PageMarkup(try #require(site[target], "\(path) links to \(link)")).values(of: "id")
        #expect(ids.contains(parts[1]), "\(path) links to \(link)")
      }
    }
  }

  @Test("Every page is well-formed, without inline style or script, with captions and scopes")
  func structure() throws {
    for (path, text) in try CoverageSite.render(CoverageSample.report) {
      let markup = PageMarkup(text)
      #expect(markup.nestingFault == nil, "\(path)")
      #expect(markup.tags.count { $0.name == "h1" } == 1, "\(path)")
      #expect(markup.tags.count { $0.name == "table" } == markup.tags.count { $0.name == "caption" }, "\(path)")
      for tag in markup.tags {
        #expect(!tag.attributes.contains { $0.name == "style" || $0.name.hasPrefix("on") }, "\(path)")
        #expect(tag.name != "th" || tag.attributes.contains { $0.name == "scope" }, "\(path)")
      }
      let ids = markup.values(of: "id")
      #expect(ids.count == Set(ids).count, "\(path)")
    }
  }

  @Test("A link leads to the page and the line, and is nil for what has no page")
  func link() throws {
    let pages = try CoverageSite.pages(CoverageSample.report)
    let page = "coverage/Sources-Greeter-Greeter.swift.html"
    #expect(pages.link(to: "Sources/Greeter/Greeter.swift", line: nil) == page)
    #expect(pages.link(to: "Sources/Greeter/Greeter.swift", line: 7) == "\(page)#L7")
    #expect(
      pages.link(to: "Tests/GreeterTests/GreeterTests.swift", line: 4)
        == "test-sources/Tests-GreeterTests-GreeterTests.swift.html#L4")
    #expect(pages.link(to: "Tests/Other.swift", line: 1) == nil)
    // A file without text has no lines to lead to.
    #expect(pages.link(to: "Sources/tool/Tool.c", line: 2) == "coverage/Sources-tool-Tool.c.html")
  }

  @Test("Without coverage there is a reason, and no figure")
  func unavailable() throws {
    var report = CoverageSample.report
    report.integration.coverage = .unavailable(reason: "The build failed.")
    let site = try CoverageSite.render(report)
    #expect(
      site.keys.sorted()
        == [
          "coverage.html", "test-sources/Tests-GreeterTests-GreeterTests.swift.html",
          "test-sources/Sources-Greeter-Greeter.swift.html",
        ].sorted())
    let main = try #require(site["coverage.html"]?.split(separator: "<main").last)
    #expect(main.contains("<h1>No coverage</h1>\n<p class=\"lead\">The build failed.</p>"))
    #expect(!main.contains("0%") && !main.contains("<table"))
  }

  @Test("Where a process took its counters with it, the pages say so and compare nothing")
  func incomplete() throws {
    var report = CoverageSample.report
    report.integration.coverage = .available(
      Coverage(files: CoverageSample.files, isComplete: false, reason: "XCTest died of signal 9."))
    let site = try CoverageSite.render(report)
    let overview = try #require(site["coverage.html"])
    #expect(overview.contains("<h1>At most 5 of 13 lines never ran</h1>"))
    #expect(overview.contains("Incomplete: XCTest died of signal 9."))
    #expect(!overview.contains("±") && !overview.contains("than in 41"))
    let page = try #require(site["coverage/Sources-Greeter-Greeter.swift.html"])
    #expect(page.contains("<h1>Greeter.swift: at most 4 of 11 lines never ran</h1>"))
    #expect(page.contains("XCTest died of signal 9."))
    #expect(!page.contains("±") && !page.contains("in 41"))
  }

  @Test("A long file is divided, and its links find the right part")
  func parts() throws {
    var report = CoverageSample.report
    let path = "Sources/Greeter/Greeter.swift"
    let count = 16000
    report.sources[path] = Array(
      String(repeating: "    call(first: 1, second: \"two\", third: Three())\n", count: count).utf8)
    let lines = (1...count).map {
      LineCoverage(line: $0, count: $0 % 9 == 0 ? 0 : 1, state: $0 % 9 == 0 ? .neverRan : .ran)
    }
    let functions = (1...count / 10).map { CoverageSample.function("A.f\($0)()", ($0 * 10)...($0 * 10 + 5), count: 1) }
    report.integration.coverage = .available(
      Coverage(files: [file(path, target: "Greeter", lines: lines, functions: functions)]))
    let site = try CoverageSite.render(report)
    #expect(site.values.allSatisfy { $0.utf8.count < 1_000_000 })
    let pages = try CoverageSite.pages(report)
    let last = try #require(pages.link(to: path, line: count))
    #expect(last != "coverage/Sources-Greeter-Greeter.swift.html#L16000")
    let ids = site.mapValues { Set(PageMarkup($0).values(of: "id")) }
    for line in stride(from: 1, through: count, by: 97) {
      let parts = try #require(pages.link(to: path, line: line)).split(separator: "#").map(String.init)
      let page = try #require(site[parts[0]])
      let isShown = ["\n", "<td"].contains { end in [">", "\n"].contains { page.contains("\($0)\(line)\(end)") } }
      #expect(isShown, "line \(line)")
    }
    for (path, text) in site where path.hasPrefix("coverage/") {
      for link in PageMarkup(text).values(of: "href") where link.contains("#L") {
        let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        #expect(ids[parts[0].isEmpty ? path : "coverage/\(parts[0])"]?.contains(parts[1]) == true, "\(path): \(link)")
      }
    }
  }

  @Test("Coverage of another version of the file is called that")
  func stale() throws {
    var report = CoverageSample.report
    report.sources["Sources/Greeter/Greeter.swift"] = Array("a\n".utf8)
    let page = try #require(try CoverageSite.render(report)["coverage/Sources-Greeter-Greeter.swift.html"])
    #expect(page.contains("The coverage names line 14, but the file has 1 line: it was built from another version"))
  }

  @Test("The same report gives the same bytes")
  func deterministic() throws {
    #expect(try CoverageSite.render(CoverageSample.report) == CoverageSite.render(CoverageSample.report))
  }
}
