import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The parts of the page of all tests")
struct TestPagingTests {
  private func report(_ count: Int) -> Report {
    let commit = Commit(
      id: CommitID(rawValue: String(repeating: "a", count: 40)), summary: "Begin", author: "Mira",
      date: Date(timeIntervalSince1970: 0))
    var integration = Integration(
      bot: "Shop", number: 1, repository: "/r", branch: nil, commit: commit, cause: .person, toolchain: "Swift",
      configuration: "debug", sandbox: "off", queuedAt: Date(timeIntervalSince1970: 0), repeatCommand: "martlet run")
    integration.tests.results = (0..<count).map { index in
      TestResult(
        id: TestID(module: "ShopTests", suite: "Suite\(index / 100)", name: "testNumber\(index)IsAsLongAsNamesAre"),
        library: .xctest, state: index == count - 1 ? .failed : .passed)
    }
    return Report(integration: integration, logs: [], sources: [:])
  }

  @Test("A suite is on one page, unless it is too long for one")
  func suites() {
    let pages = TestPaging(TestTree(report(1500).integration.tests.results)).pages
    #expect(pages.count > 1)
    let suites = pages.map { Set($0.map(\.id.suite)) }
    for (page, next) in zip(suites, suites.dropFirst()) { #expect(page.isDisjoint(with: next)) }
    let long = report(1500).integration.tests.results.map { test in
      var test = test
      test.id = TestID(module: "ShopTests", suite: "Suite", name: test.id.name)
      return test
    }
    #expect(TestPaging(TestTree(long)).pages.count > 1)
  }

  @Test("Whatever is filtered out, the test to which a link leads is shown, and so is its suite")
  func linked() throws {
    let style = try #require(PageSite.assets().first { $0.name == "style.css" })
    let rules = String(decoding: style.bytes, as: UTF8.self)
    for kind in ["red", "new", "flaky", "canceled", "notrun", "known", "skipped", "passed", "added"] {
      let filter = ".filter:has(.show-\(kind):checked) ~ .tree"
      #expect(rules.contains("\(filter) .t:not(.\(kind)-t, :target)"))
      #expect(rules.contains("\(filter) tbody:not(:has(.\(kind)-t, .target, :target))"))
    }
  }

  @Test("A thousand tests have one page, and a thousand suites of one test each have none above a megabyte")
  func thousand() throws {
    var report = report(1000)
    #expect(TestPaging(TestTree(report.integration.tests.results)).pages.count == 1)
    for index in report.integration.tests.results.indices {
      report.integration.tests.results[index].id.suite = "Suite\(index)"
    }
    let site = try PageSite(report)
    #expect(site.pages["tests-2.html"] != nil)
    #expect((site.pages["tests.html"]?.count ?? 0) < 1_000_000)
  }

  @Test("A few tests have one page and no pager")
  func few() throws {
    let site = try PageSite(report(20))
    #expect(site.pages["tests-2.html"] == nil)
    #expect(!site.text("tests.html").contains("class=\"pager\""))
  }

  @Test("A page on which all tests passed has their number in its heading, and their one library beside the target")
  func once() throws {
    var report = report(20)
    report.integration.tests.results[19].state = .passed
    let text = try PageSite(report).text("tests.html")
    #expect(text.contains("<h1>All 20 tests passed</h1>") && !text.contains("<b>20</b> passed"))
    #expect(text.split(separator: ">XCTest</td>").count == 2)
    // Where all passed, there is nothing to choose.
    #expect(!text.contains("f-passed") && text.contains(#"<fieldset class="filter" aria-label="Filter"></fieldset>"#))
  }

  @Test("A deleted test is no failure: it stands beside the heading by that name, and leads to the list of such tests")
  func deleted() throws {
    var report = report(20)
    report.integration.tests.results[19].state = .passed
    report.integration.testChanges = TestListChanges(
      deleted: [TestID(module: "ShopTests", suite: "Suite0", name: "testGone")])
    let text = try PageSite(report).text("tests.html")
    #expect(text.contains(##"<p class="facts"><span><a href="#changed">1 deleted</a></span>"##))
    #expect(text.contains("<section id=\"changed\""))
    #expect(Delta(9, from: 10, .moreIsBetter)?.tone == "" && Delta(10, from: 9, .moreIsBetter)?.tone == "better")
  }

  @Test("A deleted test has the name that its author gave it, as everywhere else")
  func deletedName() throws {
    var report = ComparisonSample.report
    let test = try #require(report.comparison?.tests.removed.first?.id)
    report.integration.testChanges = TestListChanges(deleted: [test])
    report.comparison?.tests.removed[0].displayName = "It is gone"
    let text = try PageSite(report).text("tests.html")
    #expect(text.contains(#"<li>It is gone <span class="faint">\#(test.home)/\#(test.name)</span></li>"#))
  }

  @Test("Tests that were added or renamed say so in their rows, and only deleted ones have a list")
  func added() throws {
    var report = report(20)
    let ids = report.integration.tests.results.map(\.id)
    let gone = TestID(module: "ShopTests", suite: "Suite0", name: "testGone")
    report.integration.testChanges = TestListChanges(
      added: [ids[0], ids[1]], deleted: [gone], renamed: [.init(from: gone, to: ids[2])])
    let rows = ReportPaths(tests: ids)
    let text = try PageSite(report).text("tests.html")
    let links = [(rows.row(of: ids[0]), "2 added"), ("#changed", "1 deleted"), (rows.row(of: ids[2]), "1 renamed")]
    #expect(text.contains(links.map { #"<span><a href="\#($0.0)">\#($0.1)</a></span>"# }.joined()))
    #expect(text.contains(#"<h2 id="h-changed">Deleted tests</h2>"#) && text.ranges(of: "testGone").count == 2)
    #expect(text.ranges(of: #"<span class="tag">added</span>"#).count == 2 && text.ranges(of: " added-t").count == 2)
    #expect(text.contains(#"class="show-added">Added 2</label>"#))
    #expect(text.contains(#"<span class="say">was ShopTests.Suite0/testGone</span>"#))
    report.integration.testChanges?.deleted = []
    let without = try PageSite(report).text("tests.html")
    #expect(without.contains(#"<span id="changed"><a href="\#(links[0].0)">"#) && !without.contains("h-changed"))
  }

  @Test("What was printed outside any test is folded only if it is long")
  func loose() throws {
    func part(_ lines: Int) throws -> Substring {
      var report = report(20)
      report.integration.tests.looseOutput = (0..<lines).map { _ in TranscriptLine(text: "no licence") }
      return try #require(PageSite(report).text("tests.html").split(separator: #"id="h-loose""#).last)
    }
    #expect(try part(2).contains(#"<pre class="log" tabindex="0">no licence"#) && !part(2).contains("<details"))
    #expect(try part(20).contains("<summary>Show</summary>"))
  }

  @Test("Many tests have several pages, none larger than a megabyte, what is red on the first")
  func many() throws {
    let site = try PageSite(report(3000))
    let pages = site.order.filter { $0.hasPrefix("tests") && !$0.hasPrefix("tests/") && $0 != SlowestTestsPage.path }
    #expect(pages.count > 2)
    #expect(pages.allSatisfy { (site.pages[$0]?.count ?? 0) < 1_000_000 })
    #expect(site.text("tests.html").contains("testNumber2999"))
    let rows = pages.reduce(0) { $0 + site.text($1).components(separatedBy: "<tr class=\"t l2").count - 1 }
    #expect(rows == 3000)
    #expect(pages.allSatisfy { site.text($0).contains("<b>2999</b> passed") })
    let last = try #require(pages.last)
    #expect(site.text("tests.html").contains("<a href=\"\(last)\">\(pages.count)</a>"))
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
