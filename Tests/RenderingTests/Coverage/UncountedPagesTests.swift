import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("Sources that do not count")
struct UncountedPagesTests {
  private static let test = "Tests/GreeterTests/GreeterTests.swift"
  private static let dependency = ".build/checkouts/swift-log/Sources/Logging/Logging.swift"

  private static func source(
    _ kind: UncountedSources.Kind, _ path: String, group: String = "", _ states: [LineState]
  ) -> UncountedSources.Source {
    let lines = states.enumerated().map { LineCoverage(line: $0 + 3, count: $1 == .neverRan ? 0 : 7, state: $1) }
    return UncountedSources.Source(kind: kind, group: group, coverage: file(path, target: group, lines: lines))
  }

  /// The sample with the five kinds of sources that do not count.
  private static func report(failing: Bool = true) -> Report {
    var report = CoverageSample.report
    var coverage = Coverage(files: CoverageSample.files, profilesRead: 2)
    coverage.uncounted = UncountedSources(
      sources: [
        source(.test, test, group: "GreeterTests", [.ran, .ran, .neverRan]),
        source(.test, "Tests/GreeterTests/WordsTests.swift", group: "GreeterTests", [.ran]),
        source(.sibling, "../Core/Sources/Core/Core.swift", group: "Core", [.ran, .neverRan, .neverRan]),
        source(.dependency, dependency, group: "swift-log", [.ran, .neverRan]),
        source(.dependency, "/elsewhere/<X>.swift", [.ran]),
        source(.generated, ".build/debug/GreeterPackageTests.derived/runner.swift", [.ran]),
        source(.unlisted, "Snippets/Old.swift", [.partlyRan]),
      ],
      left: [.dependency: UncountedSources.Left(neverRan: 12, tooMany: 1)])
    report.integration.coverage = .available(coverage)
    if !failing { report.integration.tests = TestReport() }
    for source in coverage.uncounted.sources where !source.coverage.path.hasPrefix("/") {
      if report.sources[source.coverage.path] == nil {
        report.sources[source.coverage.path] = Array("// one\n// two\nlet a = 1\nlet b = 2\n".utf8)
      }
    }
    return report
  }

  @Test("They have pages of their own with counts, and are in no sum")
  func pages() throws {
    let site = try CoverageSite.render(Self.report())
    #expect(
      site.keys.filter { $0.contains("-sources/") }.sorted() == [
        "dependency-sources/swift-log-Sources-Logging-Logging.swift.html",
        "other-sources/Snippets-Old.swift.html",
        "other-sources/debug-GreeterPackageTests.derived-runner.swift.html",
        "package-sources/Core-Sources-Core-Core.swift.html",
        "test-sources/Tests-GreeterTests-GreeterTests.swift.html",
        "test-sources/Tests-GreeterTests-WordsTests.swift.html",
      ])
    let plain = try #require(try CoverageSite.render(CoverageSample.report)["coverage.html"])
    let counted = try #require(site["coverage.html"])
    let (before, behind) = ("<div class=\"verdict\">", "<section aria-labelledby=\"not-counted\">")
    let sums = try #require(counted.split(separator: before).last?.split(separator: behind).first)
    #expect(plain.contains(sums))
  }

  @Test(
    "A generated source is shown without the folders that depend on machine and configuration",
    arguments: [
      (".build/debug/AppTests.derived/runner.swift", "AppTests.derived/runner.swift"),
      (".build/x86_64-unknown-linux-gnu/release/App.build/DerivedSources/a.swift", "App.build/DerivedSources/a.swift"),
      (".build/plugins/outputs/app/App/destination/Maker/debug/a.swift", "App/destination/Maker/debug/a.swift"),
      (".build/out/Intermediates.noindex/app.build/Debug-linux/App.build/a.swift", "App.build/a.swift"),
      (".build/debug/a.swift", "a.swift"), (".build/App/a.swift", "App/a.swift"),
      ("/srv/debug/a.swift", "/srv/debug/a.swift"),
    ])
  func shownPath(path: String, shown: String) throws {
    #expect(UncountedList.shownPath(path, .generated) == shown)
    #expect(UncountedList.shownPath(path, .unlisted) == path)
  }

  @Test("The page of a generated source and the list name its folder as shown")
  func shownFolder() throws {
    let site = try CoverageSite.render(Self.report())
    let page = try #require(site["other-sources/debug-GreeterPackageTests.derived-runner.swift.html"])
    #expect(page.contains("<b class=mono>GreeterPackageTests.derived/runner.swift</b>"))
    #expect(try #require(site["coverage.html"]).contains("<td class=path>GreeterPackageTests.derived<td"))
  }

  @Test("A line that a hint leads to begins a row, so that the link needs no script")
  func hinted() throws {
    var report = Self.report(failing: false)
    let path = "test-sources/Tests-GreeterTests-GreeterTests.swift.html"
    #expect(try #require(CoverageSite.render(report)[path]).contains("<tr id=L2") == false)
    report.integration.practice = PracticeCard(hints: [
      PracticeHint(
        .isolated, .attention, "One.",
        entries: [.init(test: nil, location: SourceLocation(file: Self.test, line: 2), words: nil)])
    ])
    #expect(try #require(CoverageSite.render(report)[path]).contains("<tr id=L2"))
  }

  @Test(
    "The pages look as accepted",
    arguments: [
      "coverage.html", "dependency-sources/swift-log-Sources-Logging-Logging.swift.html",
      "test-sources/Tests-GreeterTests-GreeterTests.swift.html",
    ])
  func golden(_ path: String) throws {
    let page = try #require(try CoverageSite.render(Self.report())[path])
    let main = page.split(separator: "<main id=\"content\">\n")[1].split(separator: "</main>")[0]
    let part = path == "coverage.html" ? main.split(separator: "<section aria-labelledby=\"not-counted\">\n")[1] : main
    try GoldenFile("coverage-pages/uncounted-" + path.replacing("/", with: "-")).compare(with: String(part))
  }

  @Test("The page of a dependency compares nothing, and leads only to others of its kind")
  func page() throws {
    let page = try #require(
      try CoverageSite.render(Self.report(failing: false))[
        "dependency-sources/swift-log-Sources-Logging-Logging.swift.html"])
    #expect(page.contains("this is a source of the dependency swift-log, as it was checked out"))
    #expect(page.contains("<h1>Logging.swift: 1 of 2 lines never ran</h1>"))
    #expect(!page.contains("not counted before") && !page.contains("±"))
    #expect(!page.contains("rel=\"next\"") && !page.contains("next file"))
  }

  @Test("The page of a source of another package of the repository says whose it is, and which bot would count it")
  func sibling() throws {
    let page = try #require(
      try CoverageSite.render(Self.report(failing: false))["package-sources/Core-Sources-Core-Core.swift.html"])
    #expect(
      page.contains(
        "Not counted: this is a source of another package of this repository, which a bot with `package: Core` would count. It is in no total and not compared."
      ))
    #expect(page.contains("<h1>Core.swift: 2 of 3 lines never ran</h1>"))
  }

  @Test("A test's source says first what failed in it, and else how it ran")
  func failures() throws {
    let path = "test-sources/Tests-GreeterTests-GreeterTests.swift.html"
    let red = try #require(try CoverageSite.render(Self.report())[path])
    #expect(
      red.contains("<h1>GreeterTests.swift: 1 failure</h1>")
        && red.contains("<title>Greeter: GreeterTests.swift: 1 failure"))
    #expect(red.contains("<svg class=\"g big is-failed\"") && !red.contains("is-passed"))
    #expect(red.contains(" data-stop=hot><td>") && red.contains("class=\"bubble\""))
    // How much of it ran is beside the point.
    #expect(!red.contains("uncovered</span>") && !red.contains("Not counted:"))
    let green = try #require(try CoverageSite.render(Self.report(failing: false))[path])
    #expect(green.contains("<h1>GreeterTests.swift: 1 of 3 lines never ran</h1>"))
    #expect(green.contains("href=\"../coverage.html#not-counted\""))
  }

  @Test("A line that only known issues name is told apart from failures")
  func knownIssues() {
    let test = TestResult(id: TestID(module: "A", suite: "", name: "a()"), library: .swiftTesting, state: .failed)
    let failure = TestFailure(location: SourceLocation(file: "A.swift", line: 3), message: "no")
    var verdict = SourceVerdict()
    verdict.count(.known, failure, of: test, at: 3, page: nil)
    verdict.count(.flaky, failure, of: test, at: 5, page: nil)
    verdict.count(.failed, failure, of: test, at: 7, page: nil)
    #expect([3, 5, 7].map { verdict.lead(at: $0) } == ["known issue", "flaky", nil])
    verdict.count(.failed, failure, of: test, at: 3, page: nil)
    #expect(verdict.lead(at: 3) == nil)
  }

  @Test("The source in which a test ended its process counts no failure")
  func quit() {
    var test = TestResult(id: TestID(module: "A", suite: "", name: "a()"), library: .xctest, state: .notRun)
    test.quit = ProcessQuit()
    let place = SourceLocation(file: "A.swift", line: 3)
    var verdict = SourceVerdict()
    verdict.declare(test)
    verdict.count(.failed, TestFailure(location: place, message: "no"), of: test, at: 3, page: nil)
    #expect(verdict.phrase == "1 test ended the process" && verdict.glyph == TestState.notRun.glyph)
  }

  @Test("A test's source says how each test ended where it is declared, and of coverage only what never ran")
  func verdicts() throws {
    let path = "test-sources/Tests-GreeterTests-GreeterTests.swift.html"
    func page(of text: String? = nil, _ change: (inout TestResult) -> Void = { _ in }) throws -> String {
      var report = Self.report(failing: false)
      if let text { report.sources[Self.test] = Array(text.utf8) }
      var test = TestResult(
        id: TestID(module: "GreeterTests", suite: "", name: "greets()"), library: .swiftTesting, state: .passed,
        location: SourceLocation(file: Self.test, line: 3))
      change(&test)
      report.integration.tests = TestReport(results: [test])
      return try #require(try CoverageSite.render(report)[path])
    }
    let green = try page()
    #expect(
      green.contains("<h1>GreeterTests.swift: 1 test passed</h1>") && green.contains("<svg class=\"g big is-passed\""))
    #expect(green.contains("<use href=\"#passed\"/></svg><a href=\"../tests/greets().html\">Passed</a></span></span>"))
    #expect(!green.contains("l-runs") && !green.contains(">7") && green.contains(" class=n"))
    // The body of a skipped test was not meant to run.
    let skipped = try page(of: "@Test func a() {}\n\n@Test func greets() {\n  try b()\n}\n") { $0.state = .skipped }
    #expect(skipped.contains(">Skipped</a>") && !skipped.contains(" class=n"))
    let crashed = try page {
      $0.state = .crashed
      $0.failures = [.crash("Fatal error: a", at: SourceLocation(file: Self.test, line: 4))]
    }
    #expect(crashed.contains("<span class=\"tip\"><svg class=\"g is-crashed\""))
    #expect(crashed.contains("<h1>GreeterTests.swift: 1 test crashed</h1>"))
    #expect(
      crashed.contains("<svg class=\"g big is-crashed\"")
        && crashed.contains("<span><a href=\"../tests/greets().html\">greets()</a> at <a href="))
    let flaky = try page {
      $0.isFlaky = true
      $0.failures = [TestFailure(location: SourceLocation(file: Self.test, line: 4), message: "no")]
    }
    #expect(
      flaky.contains("<h1>GreeterTests.swift: 1 flaky test</h1>") && flaky.contains("<svg class=\"g big is-flaky\""))
    #expect(!flaky.contains("1 failure") && !flaky.contains("is-failed") && flaky.contains(">Passed, flaky</a>"))
  }

  @Test("The list of test sources counts what their pages mark, and not the bodies of skipped tests")
  func skipped() throws {
    var report = Self.report(failing: false)
    report.sources[Self.test] = Array("@Test func a() {}\n\n@Test func greets() {\n  try b()\n}\n".utf8)
    func uncovered(_ state: TestState) throws -> Substring? {
      let test = TestResult(
        id: TestID(module: "GreeterTests", suite: "", name: "greets()"), library: .swiftTesting, state: state,
        location: SourceLocation(file: Self.test, line: 3))
      report.integration.tests = TestReport(results: [test])
      let page = try #require(try CoverageSite.render(report)["coverage.html"])
      let row = page.split(separator: "<tr>").first { $0.contains("Tests-GreeterTests-GreeterTests.swift.html") }
      return row?.firstMatch(of: /data-l=uncovered>(\d+)/)?.1
    }
    #expect(try uncovered(.skipped) == "0")
    #expect(try uncovered(.passed) == "1")
  }

  @Test(
    "The head of a test source tells how many of its tests are red, and a skipped one hides no passed one",
    arguments: [
      ([.failed, .passed], "1 of 2 tests failed", "failed"), ([.failed], "1 test failed", "failed"),
      ([.failed, .crashed, .passed], "1 of 3 tests crashed, 1 failed", "crashed"),
      ([.passed, .passed, .skipped], "2 of 3 tests passed, 1 skipped", "passed"),
    ] as [([TestState], String, String)])
  func head(states: [TestState], phrase: String, glyph: String) {
    var verdict = SourceVerdict()
    for state in states {
      verdict.declare(TestResult(id: TestID(module: "M", suite: "", name: "a()"), library: .swiftTesting, state: state))
    }
    #expect(verdict.phrase == phrase && verdict.glyph == glyph)
  }

  @Test("Without counted lines nothing explains them: no legend, and no column beside the numbers")
  func uncounted() throws {
    var report = Self.report(failing: false)
    let path = "Tests/GreeterTests/WordsTests.swift"
    report.integration.tests = TestReport(results: [
      TestResult(
        id: TestID(module: "GreeterTests", suite: "", name: "words()"), library: .swiftTesting, state: .timedOut,
        location: SourceLocation(file: path, line: 3),
        failures: [.timeOut("longer than 4 s", at: SourceLocation(file: path, line: 4))])
    ])
    let page = try #require(try CoverageSite.render(report)["test-sources/Tests-GreeterTests-WordsTests.swift.html"])
    #expect(page.contains("<h1>WordsTests.swift: 1 test timed out</h1>"))
    #expect(
      page.contains("<table class=bare><caption class=vh>WordsTests.swift with the states of its tests</caption>"))
    #expect(page.contains("<thead class=vh><tr><th scope=col>Line<th scope=col>Source</thead>"))
    #expect(!page.contains("What the marks mean") && !page.contains("no bar: not counted"))
  }

  @Test(
    "How a test ended stands behind its line, also behind a long one where no list of blocks takes room",
    arguments: [(70, "go"), (71, "go long"), (110, "go long"), (111, "go far")])
  func room(columns: Int, style: String) throws {
    var report = Self.report(failing: false)
    let path = "Tests/GreeterTests/WordsTests.swift"
    report.sources[path] = Array("\n\n\(String(repeating: "a", count: columns))\n".utf8)
    report.integration.tests = TestReport(results: [
      TestResult(
        id: TestID(module: "GreeterTests", suite: "", name: "words()"), library: .swiftTesting, state: .passed,
        location: SourceLocation(file: path, line: 3))
    ])
    let page = try #require(try CoverageSite.render(report)["test-sources/Tests-GreeterTests-WordsTests.swift.html"])
    #expect(page.contains("<span class=\"\(style)\"><span class=\"st is-passed\"><svg class=\"g is-passed\""))
  }

  @Test("A source that does not count is grey, and where all of it ran only the heading says so")
  func generated() throws {
    let path = "other-sources/debug-GreeterPackageTests.derived-runner.swift.html"
    let page = try #require(try CoverageSite.render(Self.report())[path])
    #expect(page.contains("<svg class=\"g big is-not-run\"") && page.contains("runner.swift: the only line ran</h1>"))
    #expect(page.contains("<p class=facts></p>") && page.contains("<span>no bar: not counted</span>"))
  }

  @Test("Every link between the pages leads to a page and an anchor that exist")
  func links() throws {
    let site = try CoverageSite.render(Self.report())
    let ids = site.mapValues { Set(PageMarkup($0).values(of: "id")) }
    for (path, text) in site {
      for link in PageMarkup(text).values(of: "href") where link.contains("coverage") || link.contains("-sources") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let target = parts[0].isEmpty ? path : PageMarkup.resolve(parts[0], from: path)
        #expect(site[target] != nil, "\(path) links to \(link)")
        if parts.count > 1 { #expect(ids[target]?.contains(parts[1]) == true, "\(path) links to \(link)") }
      }
    }
    let overview = try #require(site["coverage.html"])
    #expect(PageMarkup(overview).nestingFault == nil)
    #expect(overview.contains("&lt;X&gt;.") && !overview.contains("<X>"))
  }

  @Test("Hundreds of them leave the page about all files below its limit")
  func many() throws {
    var report = CoverageSample.report
    let files = (0..<3000).map { index in
      let lines = (1...4).map { LineCoverage(line: $0, count: 1, state: $0 <= index % 4 ? .neverRan : .ran) }
      return file("Sources/Big/Folder\(index % 30)/File\(index).swift", target: "Big", lines: lines)
    }
    var coverage = Coverage(files: files)
    coverage.uncounted.sources = (0..<900).map { index in
      Self.source(.test, "Tests/BigTests/SomeLongerNameOfTests\(index).swift", group: "BigTests", [.ran])
    }
    report.integration.coverage = .available(coverage)
    for source in coverage.uncounted.sources { report.sources[source.coverage.path] = [] }
    let overview = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(overview.utf8.count < 1_000_000)
  }
}
