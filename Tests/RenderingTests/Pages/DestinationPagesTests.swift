import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

/// The pages of an integration of which one destination is red, and the first one is not.
@Suite("Pages of several destinations")
struct DestinationPagesTests {
  private static let folder = ReportPaths.cell("release")

  private static func result(
    _ name: String, _ outcome: Outcome, leads: Bool, isRequired: Bool = true
  ) -> DestinationResult {
    var destination = Destination()
    (destination.name, destination.isRequired) = (name, isRequired)
    return DestinationResult(destination, leads: leads, outcome: outcome)
  }

  /// - Parameter others: the states of the first tests in release that passed there.
  private static func report(
    first: Report = GreeterSample.green, _ outcome: Outcome = .succeeded, isRequired: Bool = true,
    others: [TestState] = []
  ) -> Report {
    var (whole, release) = (first, GreeterSample.red)
    for state in others {
      guard let test = release.integration.tests.results.firstIndex(where: { $0.state == .passed }) else { continue }
      release.integration.tests.results[test].state = state
    }
    whole.integration.destination = result("default", outcome, leads: true)
    whole.integration.outcome = isRequired ? .testFailures : outcome
    release.integration.destination = result("release", .testFailures, leads: false, isRequired: isRequired)
    release.integration.testCommand = "swift test --configuration release"
    if isRequired {
      whole.integration.issues = release.integration.issues.map { issue in
        var issue = issue
        issue.destinations = ["release"]
        return issue
      }
    }
    (whole.integration.cells, whole.cells) = ([release.integration], [release])
    return whole
  }

  @Test("What is red for another destination is told in full first, as that has it, and counted in tile and tab")
  func redElsewhere() throws {
    let site = try PageSite(Self.report(others: [.skipped]))
    let index = site.text("index.html")
    let table = try #require(index.firstRange(of: #"<caption class="vh">4 red tests for release</caption>"#))
    let destinations = try #require(index.firstRange(of: #"<section id="destinations""#))
    #expect(table.lowerBound < destinations.lowerBound)
    #expect(index.contains(#"<a class="name" href="\#(Self.folder)/tests/GreeterTests-"#))
    #expect(index.ranges(of: #" <span class="tag">release</span>"#).count == 4)
    #expect(index.contains(#"<span class="val a">.<mark>morning</mark></span> ≠"#))
    #expect(index.contains(#"<li><a href="tests.html">Tests <b class=is-failed>4 red</b></a>"#))
    let link = #"<span class="part worse"><a href="\#(Self.folder)/tests.html">release: 4 red</a></span>"#
    #expect(!index.contains("release: 4 red") && index.contains("coverage and warnings below: default"))
    #expect(index.contains(#"<a href="tests.html">4 red</a>"#) && index.contains("<small>of 39</small>"))
    // The page of tests counts over all, and has the rows of those for which its tests are red.
    let tests = site.text("tests.html")
    #expect(tests.contains("<h1>4 of 39 tests are red</h1>") && tests.contains(##"<svg class="g big is-failed""##))
    #expect(tests.contains(link) && tests.contains(#"<span class="part">default: 35 passed</span>"#))
    #expect(tests.ranges(of: #"<th scope="row"><a href="\#(Self.folder)/tests/"#).count >= 4)
    #expect(tests.ranges(of: #"Failed</span> <span class="tag">release</span> "#).count == 2)
    #expect(tests.ranges(of: #"<tr class="t l2 red-t"#).count == 4 && tests.contains("Red 4</label>"))
    #expect(tests.contains(#"<span class="val a">.<mark>morning</mark></span> ≠"#))
    #expect(tests.contains(#"<span class="say">release: <a class="st is-skipped" href="\#(Self.folder)/tests"#))
    #expect(!tests.contains("default: <a"), "Those that are not told as red passed.")
    #expect(index.contains(#"<p>default · <a href="\#(Self.folder)/index.html#logs">release</a></p>"#))
    #expect(index.contains("<h3>Other tests that differ</h3>") && !index.contains("All destinations"))
    #expect(site.brokenLinks { ["index.html", "tests.html"].contains($0) } == [])
    // Its own page names no destination.
    #expect(!site.text("\(Self.folder)/index.html").contains(#"<span class="tag">release</span>"#))
  }

  @Test("The page of tests counts what is red for each destination, and a test that several have red once")
  func severalElsewhere() throws {
    var report = Self.report()
    var thread = report.cells[0]
    thread.integration.destination = Self.result("thread", .testFailures, leads: false)
    report.cells.append(thread)
    report.integration.cells.append(thread.integration)
    let page = try PageSite(report).text("tests.html")
    #expect(page.contains("<h1>4 of 39 tests are red</h1>"))
    #expect(page.contains(">release: 4 red</a>") && page.contains(">thread: 4 red</a>"))
    #expect(page.contains(#"Failed</span> <span class="tag">release, thread</span>"#))
  }

  @Test("Where the tests of a destination did not run, no page is plainly green")
  func unbuilt() throws {
    var report = Self.report()
    report.integration.outcome = .buildErrors
    report.cells[0].integration.outcome = .buildErrors
    report.cells[0].integration.destination = Self.result("release", .buildErrors, leads: false)
    report.cells[0].integration.tests = TestReport()
    report.integration.cells = [report.cells[0].integration]
    let site = try PageSite(report)
    let link = #"<a href="\#(Self.folder)/tests.html">release"#
    let tests = site.text("tests.html")
    #expect(tests.contains("<h1>Tests did not run for \(link)</a>; elsewhere all 35 tests passed</h1>"))
    #expect(tests.contains(##"<svg class="g big is-not-run""##))
    #expect(site.text("index.html").contains(#"<span class="part worse">\#(link): did not run</a></span>"#))
  }

  @Test("A test counts as red if it is red and not silenced for any destination, and with the baseline of each")
  func judged() {
    func test(_ name: String, _ state: TestState) -> TestResult {
      TestResult(id: TestID(module: "M", suite: "S", name: name), library: .swiftTesting, state: state)
    }
    var (whole, release) = (Self.report().integration, Self.report().cells[0].integration)
    let tests = ["a", "b", "c"].map { test($0, $0 == "a" ? .failed : .passed) }
    whole.tests = TestReport(results: tests)
    release.tests = TestReport(results: [test("a", .failed), test("b", .skipped), test("c", .notRun)])
    var silenced = Model.Issue(id: "t-1", kind: .testFailure, status: .silenced, message: "m", test: tests[0].id)
    silenced.destinations = ["default"]
    (whole.issues, release.issues, whole.cells) = ([silenced], [], [release])
    let judged = JudgedTests(whole)
    #expect(judged.results.map(\.state) == [.failed, .passed, .notRun])
    #expect(judged.red == 1 && judged.silenced.isEmpty && judged.counts.listed == 3)
    #expect(tests.map { judged.destination(of: $0.id) } == ["release", "default", "release"])
    whole.baseline?.states = [tests[1].id: .passed, tests[2].id: .passed]
    release.baseline?.states = [tests[1].id: .crashed]
    whole.cells = [release]
    let before = JudgedTests.before(whole) { _ in [] }
    #expect(before?.counts.crashed == 1 && before?.counts.passed == 1)
    whole.cells[0].baseline = nil
    let part = JudgedTests.before(whole) { _ in [] }
    #expect(part == nil, "Nothing is compared with a part.")
  }

  @Test("The page of a test says how it ended for each destination, and is not that of a passed one beside a red one")
  func testPage() throws {
    var report = Self.report()
    let noon = "test_greeting_atNoon_isAfternoon"
    let index = try #require(report.integration.tests.results.firstIndex { $0.id.name == noon })
    report.integration.tests.results[index].warnings = [TestFailure(location: nil, message: "it is noon")]
    let site = try PageSite(report)
    let path = ReportPaths(tests: report.integration.tests.results.map(\.id))
      .page(of: report.integration.tests.results[index].id)
    let page = site.text(path)
    #expect(site.words(path).contains("\(noon) failed for release") && page.contains("g big is-failed"))
    #expect(page.contains(#"<span>release: <a class="st is-failed" href="../\#(Self.folder)/\#(path)">"#))
    let own = site.text("\(Self.folder)/\(path)")
    #expect(own.contains(#"<span>default: <a class="st is-warning" href="../../../\#(path)">"#))
    #expect(own.contains(#"<span>release: <b class="st is-failed">"#))
    #expect(site.brokenLinks { $0 == path } == [])
  }

  @Test("The report of a destination names it, and leads to the coverage and the sources of the whole report")
  func ownReport() throws {
    var report = Self.report(first: GreeterSample.red, .testFailures)
    report.cells[0].integration.coverage = .unavailable(reason: "Coverage is measured for default.")
    report.cells[0].sources = [:]
    report.integration.cells = [report.cells[0].integration]
    let site = try PageSite(report)
    let index = site.text("\(Self.folder)/index.html")
    let coverage = #"<a href="../../coverage.html">Coverage is measured for default.</a>"#
    #expect(index.contains("<h1>release: ") && index.contains(coverage))
    #expect(site.text("\(Self.folder)/coverage.html").contains(coverage))
    let tests = site.text("\(Self.folder)/tests.html")
    #expect(tests.contains(" for release</h1>") && tests.contains(#"<a href="../../test-sources/"#))
    #expect(site.text("\(Self.folder)/log/testing.html").contains(#"<a href="../../../test-sources/"#))
    let ran = "queued 09:12:04, started 09:12:05"
    #expect(site.text("index.html").contains(ran) && !index.contains(", started") && !index.contains(">started"))
    #expect(tests.contains(#"<li class=kept><a"#) && !site.text("tests.html").contains("class=kept"))
    #expect(index.contains("queued 09:12:04 ") && !index.contains("queued 09:12:04,"))
  }

  @Test("A log names its destination, and leads from that of the first to those of others in which not all is well")
  func logs() throws {
    let report = Self.report()
    let site = try PageSite(report)
    let log = site.text("log/testing.html")
    #expect(log.contains("<h1>Test log for default: "))
    #expect(log.contains("<title>Test log for default of Greeter \(report.integration.number)"))
    #expect(log.contains(##"<a href="../\##(Self.folder)/log/testing.html">release: 4 red</a>"##))
    let own = site.text("\(Self.folder)/log/testing.html")
    #expect(own.contains("<h1>Test log for release: ") && !own.contains(">release: 4 red</a>"))
  }

  @Test("The page of a test's source names its destination, and red rows lead to that of theirs")
  func sources() throws {
    let site = try PageSite(Self.report())
    let page = "test-sources/Tests-GreeterTests-GreetingTests.swift.html"
    let first = try PageSite(Self.report(first: GreeterSample.red, .testFailures)).text(page)
    #expect(first.contains("<h1>GreetingTests.swift for default: "))
    #expect(first.contains(#"<a href="../\#(Self.folder)/tests.html">release: "#))
    #expect(site.text("\(Self.folder)/\(page)").contains("GreetingTests.swift for release: "))
    #expect(site.text("tests.html").contains(#"<a href="\#(Self.folder)/\#(page)#L"#))
    #expect(site.brokenLinks { ["\(Self.folder)/\(page)", "tests.html"].contains($0) } == [])
  }

  @Test("A destination leads to its own report in what it is compared with, or to the whole one where it led")
  func compared() throws {
    var report = Self.report()
    let (path, before) = ("\(Self.folder)/index.html", "../../../41/index.html")
    #expect(try PageSite(report).text(path).contains(#"<a class="up" href="\#(before)">compared with 41</a>"#))
    report.cells[0].integration.baseline?.cell = "release"
    let tests = try PageSite(report).text("\(Self.folder)/tests.html")
    #expect(tests.contains(#"<a class="up" href="\#(before)?page=\#(path)">compared with 41</a>"#))
  }

  @Test("Times of tests are added up on the pages of one destination only")
  func times() throws {
    let site = try PageSite(Self.report())
    let sum = "</b> in all</span>"
    #expect(!site.text("tests.html").contains(sum) && site.text("\(Self.folder)/tests.html").contains(sum))
    func tellsTime(_ path: String) -> Bool {
      site.text(path).split(separator: "\n").contains {
        $0.contains(#"data-l="listed""#) && $0.contains(#"data-l="time""#)
      }
    }
    #expect(!tellsTime("index.html") && tellsTime("\(Self.folder)/index.html"))
  }

  @Test("That destinations were built at once is told where their times add up to more than the whole")
  func atOnce() {
    var whole = Self.report().integration
    let sum = whole.all.map(\.ownDuration).reduce(0, +)
    whole.endedAt = whole.startedAt.addingTimeInterval(sum + 1)
    #expect(DestinationWords.built(in: whole) == "2 destinations")
    whole.endedAt = whole.startedAt.addingTimeInterval(sum - 1)
    #expect(DestinationWords.built(in: whole) == "2 destinations, partly in parallel")
  }

  @Test("The command for what is red for a destination runs it as that does")
  func command() throws {
    var report = Self.report()
    let failed = report.cells[0].integration.tests.results.filter { $0.state == .failed || !$0.endsBadly }
    report.cells[0].integration.tests.results = failed
    report.integration.cells = [report.cells[0].integration]
    let words = try PageSite(report).words("index.html")
    #expect(words.contains("Run in a checkout:\nswift test --configuration release --filter"))
  }

  @Test("The page of an issue that one destination has leads to the test of that, and has its commands")
  func issuePage() throws {
    var report = Self.report()
    let issue = try #require(report.integration.issues.first { $0.id == "t-a07e" })
    let number = report.integration.number
    report.integration.issueRecords = [
      IssueRecord(
        id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test, age: 0,
        streaks: [.init(opened: number, lastSeen: number)])
    ]
    let site = try PageSite(report)
    let page = site.text("issues/t-a07e.html")
    #expect(site.words("issues/t-a07e.html").contains("swift test --configuration release --filter"))
    #expect(page.contains(#"<a href="../\#(Self.folder)/tests/"#) && page.contains(">test page</a>"))
  }

  @Test("A table with the columns of the one before it shows their heads no more")
  func headsOnce() throws {
    var report = Self.report(first: GreeterSample.red, .testFailures, others: [.failed])
    func clear(_ integration: inout Integration) {
      (integration.issues, integration.histories, integration.baseline) = ([], [:], nil)
    }
    clear(&report.integration)
    clear(&report.cells[0].integration)
    report.integration.cells = [report.cells[0].integration]
    let index = try PageSite(report).text("index.html")
    #expect(index.ranges(of: #"<table class="red stack rows">"#).count == 2)
    #expect(index.ranges(of: ">Run in a checkout:</p>").count == 2, "Each command says where it runs.")
    #expect(index.ranges(of: #"<thead class="vh"><tr><th scope="col"><span class="vh">State</span>"#).count == 1)
  }

  @Test("A test that several destinations have red has one row, which names them unless it is all")
  func redForBoth() throws {
    let site = try PageSite(Self.report(first: GreeterSample.red, .testFailures))
    let index = site.text("index.html")
    #expect(index.ranges(of: #"<table class="red stack rows">"#).count == 1)
    #expect(!index.contains(#"<span class="tag">"#))
    #expect(index.contains("Tests <b class=is-failed>4 red</b>"))
  }

  @Test("What is red for an optional destination is told beside the figures, and makes nothing red")
  func redForOptional() throws {
    let index = try PageSite(Self.report(isRequired: false)).text("index.html")
    #expect(index.contains(#"<span class="part"><a href="\#(Self.folder)/tests.html">release: 4 red</a></span>"#))
    #expect(!index.contains(#"<table class="red stack rows">"#) && !index.contains("<b class=is-failed>"))
  }

  @Test("A test that differs has a mark for each destination with a link, and a word where that is no plain result")
  func marks() throws {
    var report = Self.report(isRequired: false, others: [.skipped])
    var thread = report.cells[0].integration
    thread.destination = Self.result("thread", .succeeded, leads: false, isRequired: false)
    thread.tests.results.removeAll { $0.state == .skipped }
    report.integration.cells.append(thread)
    let index = try PageSite(report).text("index.html")
    let differing = try #require(index.split(separator: "Tests that differ").last)
    #expect(differing.contains(#"<a class="st is-failed" href="\#(Self.folder)/tests/"#))
    #expect(differing.contains(##"<use href="#failed"/></svg><span class="vh">Failed</span></a>"##))
    #expect(differing.contains(##"<use href="#skipped"/></svg><span>Skipped</span></a>"##))
    #expect(differing.contains(##"<use href="#not-run"/></svg><span>No such test</span></span>"##))
    #expect(differing.contains(##"<use href="#crashed"/></svg><span>Crashed</span></a>"##))
    #expect(differing.contains(#"<a class="st is-passed" href="tests.html#"#))
    #expect(differing.contains(#"<th scope="row"><a href="tests.html#"#), "The name leads to the test, too.")
  }

  @Test("The steps of the first destination add up to its time, and the footer has how each was built")
  func ofBoth() throws {
    var report = Self.report()
    report.cells[0].integration.configuration = "release"
    report.cells[0].integration.circumstances.append(Circumstance(Circumstance.sanitizers, "thread"))
    report.integration.cells = [report.cells[0].integration]
    let whole = report.integration
    report.integration.endedAt = whole.startedAt.addingTimeInterval(3 * whole.steps.duration)
    let index = try PageSite(report).text("index.html")
    #expect(!index.contains("Between steps"), "That time may be another destination's.")
    #expect(index.contains("<span>\(whole.configuration), release</span>"))
    #expect(index.contains("<span>thread sanitizer</span>"))
  }
}
