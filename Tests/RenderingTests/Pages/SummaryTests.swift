import Model
import Testing

@testable import Rendering

@Suite("What the summary says where")
struct SummaryTests {
  @Test("The command that runs the red tests stands below them, and nowhere else")
  func runsRedTests() throws {
    let index = try PageSite.sample("red").text("index.html")
    let label = #"<p class="small more-rows">Run in a checkout:</p>"#
    let parts = index.split(separator: "\(label)\n<div class=\"cmd\"><code>")
    try #require(parts.count == 2)
    #expect(parts[0].hasSuffix("</table>\n"))
    #expect(parts[1].contains("<dl class=\"figures"))
    // One of them never ends by itself, which only Martlet's command shows.
    let command = try #require(parts[1].split(separator: "</code>").first)
    #expect(command.hasPrefix("swift test ") && !command.contains("answered"))
    #expect(command.ranges(of: "--filter").count == 1 && command.contains("|"))
    #expect(index.contains(">The time-out, at this commit:</p>\n<div class=\"cmd\"><code>martlet run "))
    #expect(try !PageSite.sample("green").text("index.html").contains("<code>swift test"))
  }

  @Test("The commands that run the integration again are folded away, like how it ran")
  func runsAgain() throws {
    let index = try PageSite.sample("red").text("index.html")
    for id in ["again", "provenance"] {
      #expect(
        index.contains(#"aria-labelledby="h-\#(id)">\#n<details><summary class="head"><h2 id="h-\#(id)">"#), "\(id)")
    }
  }

  @Test("How many tests are red leads to the one that the log has first, and what ended the process to what did that")
  func firstEnd() throws {
    var report = GreeterSample.red
    report.integration.tests = TestReport(
      results: [("ape()", TestState.failed), ("bat()", .crashed), ("cow()", .failed)].map { name, state in
        TestResult(
          id: TestID(module: "M", suite: "S", name: name), library: .swiftTesting, state: state, duration: 1)
      })
    report.integration.tests.results[1].crash = CrashReport(reason: "Fatal error: Index out of range")
    let log = """
      ✘ Test cow() recorded an issue at A.swift:3:1: Expectation failed: false
      ✘ Test ape() recorded an issue at A.swift:1:1: Expectation failed: false
      ◇ Test bat() started.
      A.swift:2: Fatal error: Index out of range

      """
    report.logs = [Report.Log(step: .testing, bytes: Array(log.utf8))]
    report.integration.steps = [StepRecord(name: .testing, duration: 1, exitStatus: 1)]
    let index = try PageSite(report).text("index.html")
    #expect(index.contains(#"<a href="log/testing.html#L1">3 red tests</a>"#))
    report.integration.steps[0] = StepRecord(name: .testing, duration: 1)
    report.integration.steps[0].signal = 4
    let ended = "ended by signal 4 (SIGILL, illegal instruction)"
    #expect(try PageSite(report).text("index.html").contains(##"<a href="log/testing.html#L4">\##(ended)</a>"##))
  }

  @Test("Of a gate that passed it is said what ran")
  func passedGate() throws {
    var report = try #require(ChangeSample.pairs.first { $0.0 == .newRan }).1.report
    func gate(_ rule: String) throws -> String? {
      let base = GateResult.Base.commit(CommitID(rawValue: "c"), number: 41)
      report.integration.gates = [
        GateResult(rule: rule, state: .passed, sentence: "The changed line ran.", base: base)
      ]
      return try PageSite(report).text("index.html").firstMatch(of: #/<\/span><\/dt><dd>(.*?)<\/dd>/#)?.1.description
    }
    #expect(try gate("patch=80") == "80% patch gate: The changed line ran.")
    #expect(try gate("ratchet")?.hasSuffix(": The changed line ran.") == true)
  }

  @Test("How many tests were added is said once, with a link to them")
  func moreTests() throws {
    var report = GreeterSample.green
    report.integration.testChanges = TestListChanges(added: [TestID(module: "M", suite: "S", name: "t3()")])
    report.integration.tests = TestReport(
      results: (1...3).map {
        TestResult(
          id: TestID(module: "M", suite: "S", name: "t\($0)()"), library: .swiftTesting, state: .passed, duration: 1)
      })
    func tellsAll(passed: Int, skipped: Int) throws -> Bool {
      var before = TestCounts()
      (before.passed, before.skipped) = (passed, skipped)
      report.integration.baseline?.tests = before
      return try PageSite(report).text("index.html").contains(
        ##"<span class="part"><a href="tests.html#changed">1 added</a></span>"##)
    }
    #expect(try !tellsAll(passed: 2, skipped: 0))
    #expect(try tellsAll(passed: 1, skipped: 1))
  }

  @Test("Beside a build that failed the tests that were added are counted since what built")
  func testsSinceBuilt() throws {
    var report = ComparisonSample.report
    report.integration.tests = GreeterSample.green.integration.tests
    report.integration.baseline?.outcome = .buildErrors
    report.comparison?.before.outcome = .buildErrors
    var built = ComparisonSample.comparison
    built.before.number = 40
    built.tests = TestChanges()
    built.tests.added = [try #require(ComparisonSample.comparison.tests.broken.first)]
    report.otherComparisons = [.built: built]
    #expect(
      try PageSite(report).text("index.html").contains(
        ##"<a href="compare-built.html#tests">1 added since 40</a>"##))
  }

  @Test("Beside the tests stands how many of them were skipped")
  func skipped() throws {
    var report = GreeterSample.green
    report.integration.tests.results[0].state = .skipped
    let count = report.integration.tests.counts.skipped
    let text = try PageSite(report).text("index.html")
    #expect(text.contains("<span class=\"part\">\(CountText.plain(count)) skipped</span>"))
  }

  @Test("Beside a change of the duration stands the step that made it, and otherwise the longest one")
  func movedStep() throws {
    var report = GreeterSample.green
    let duration = report.integration.duration
    report.integration.steps[1].warm = true
    report.integration.steps[2].duration = report.integration.steps[1].duration + 5
    report.integration.baseline?.stepDurations = [
      .building: report.integration.steps[1].duration - 2.3, .testing: report.integration.steps[2].duration,
    ]
    report.integration.baseline?.duration = duration - 2.3
    #expect(try PageSite(report).text("index.html").contains("building +2.3 s"))
    report.integration.baseline?.duration = duration
    let text = try PageSite(report).text("index.html")
    let longest = DurationText.fine(report.integration.steps[2].duration)
    #expect(!text.contains("building +2.3 s") && text.contains("testing \(longest)"))
    report.integration.baseline?.duration = duration - 2.3
    report.integration.baseline?.stepDurations = [:]
    #expect(try !PageSite(report).text("index.html").contains("testing \(longest)"), "No step grew.")
  }

  @Test("The total of the steps has the change of the figure, and none where the build before was of another kind")
  func totalChange() throws {
    var report = GreeterSample.green
    report.integration.steps[1].warm = true
    let duration = report.integration.duration
    report.integration.baseline?.duration = duration - 2.3
    func last(of steps: String) throws -> String {
      let text = try PageSite(report).text("index.html")
      return String(try #require(text.split(separator: steps).last?.split(separator: "</tr>").first))
    }
    #expect(try last(of: "<b>Total</b>").contains("+2.3 s</span></td>"))
    report.integration.baseline?.isWarm = false
    report.integration.baseline?.stepDurations[.testing] = 90
    #expect(try last(of: "<b>Total</b>").contains(#"data-l="change"></td>"#))
    let number = try #require(report.integration.baseline?.number)
    let row = try last(of: #"<th scope="row">Building</th>"#)
    #expect(row.contains(#"data-l="change"><span class="faint">–</span></td>"#))
    #expect(row.contains(#"<span class="faint">clean build in \#(number)</span></td>"#))
  }

  @Test("Steps below a second are all in milliseconds, as in a comparison")
  func stepUnits() throws {
    var report = GreeterSample.green
    (report.integration.steps[0].duration, report.integration.steps[3].duration) = (0.064, 0.109)
    let text = try PageSite(report).text("index.html")
    #expect(text.contains(">64 ms</td>") && text.contains(">109 ms</td>"))
  }

  @Test("Among what is red the new comes first, and then what is worse")
  func newFirst() throws {
    let rows = try PageSite.sample("red").text("index.html").split(separator: "<tr data-stop>").dropFirst()
    let old = try #require(rows.firstIndex { $0.contains("answered<wbr>Before<wbr>Waiting()") })
    let new = try #require(rows.firstIndex { $0.contains("The first hour of each part") })
    let crashed = try #require(rows.firstIndex { $0.contains("unknown<wbr>Language<wbr>Has<wbr>None()") })
    #expect(crashed < new && new < old)
  }

  @Test("A file that the baseline did not count is new in its row")
  func newFile() throws {
    var report = GreeterSample.red
    let files = try #require(report.integration.coverage.coverage).files
    func news() throws -> Int {
      try PageSite(report).text("index.html").matches(of: #/<\/b> <span class="d ">new<\/span><\/td>/#).count
    }
    report.integration.baseline?.files = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.totals) })
    #expect(try news() == 0)
    let worst = try #require(files.max { $0.totals.lines.uncovered < $1.totals.lines.uncovered })
    report.integration.baseline?.files[worst.path] = nil
    #expect(try news() == 1)
  }

  @Test("The columns of tables of findings stand below each other, whichever of them a table has")
  func columns() throws {
    let sheet = try #require(PageSite.assets().first { $0.name == "style.css" })
    let rules = String(decoding: sheet.bytes, as: UTF8.self)
    func width(_ selector: String) throws -> Int {
      let start = try #require(rules.firstRange(of: "\(selector) { width: "), "\(selector)").upperBound
      return try #require(Int(rules[start...].prefix(while: \.isNumber)))
    }
    let widths = try [".red .where", ".red .by-whom", ".red .age"].map(width)
    #expect(try [3, 4, 5].map { try width(".issues td:nth-child(\($0))") } == widths)
    #expect(try width(".red:not(:has(.by-whom)) .where") == widths[1])
    for column in 3...5 {
      let head = " thead th:nth-child(\(column))"
      #expect(try width(".gone\(head)") == width(".issues .red\(head)"), "\(column)")
    }
  }

  @Test("Several commits have a tab; a single one is in the heading")
  func commitsTab() {
    var integration = GreeterSample.green.integration
    integration.commits = [integration.commit]
    #expect(!ReportFacts(integration).tabs.contains { $0.label == "Commits" })
    integration.commits = [integration.commit, integration.commit]
    #expect(ReportFacts(integration).tabs.contains { $0.label == "Commits" && $0.count == "2" })
  }

  @Test("Blank lines at the ends of a transcript are none of it")
  func blankEnds() {
    func count(_ lines: String...) -> TemplateValue {
      guard case .record(let fields) = TranscriptSection(lines.map { TranscriptLine(text: $0) }).record else {
        return .missing
      }
      return fields["count"] ?? .missing
    }
    #expect(count("", "Fatal error", "", "*** Signal 4", " ", "") == .text("3 lines"))
    #expect(count("", " ") == .missing)
  }

  @Test("What was printed is told from what the library reports, which is not in its own words")
  func reported() throws {
    let printed = TranscriptLine(text: "saying hello")
    let report = TranscriptLine(kind: .failure, text: "Tests/A.swift:7: Expectation failed: 1 == 2")
    #expect(TranscriptSection([printed]).words == "1 line printed")
    #expect(TranscriptSection([printed, printed, report]).words == "2 lines printed, 1 reported")
    #expect(
      TranscriptSection([printed, TranscriptLine(text: " "), printed]).words == "2 lines printed",
      "A blank line says nothing.")
    #expect(TranscriptSection([report]).words == "1 line reported" && !TranscriptSection([report]).saysMore)
    let failure = TestFailure(
      location: Model.SourceLocation(file: "Tests/A.swift", line: 7), message: "Expectation failed: 1 == 2\na note")
    let note = TranscriptLine(kind: .failure, text: "a note")
    #expect(TranscriptSection([report, note]).repeats([failure]) && !TranscriptSection([report]).repeats([]))
    #expect(!TranscriptSection([report, printed]).repeats([failure]), "It has what was printed, too.")
    var site = GreeterSample.green
    site.integration.tests.results[0].transcript = [report]
    #expect(try !PageSite(site).text("tests.html").contains("1 line reported"), "The row has the failure.")
    site.integration.tests.results[0].transcript = [printed, report]
    #expect(try PageSite(site).text("tests.html").contains("<summary>1 line printed, 1 reported</summary>"))
  }

  @Test("In the bar of the tests a known issue has its own colour")
  func knownIssue() throws {
    var report = GreeterSample.green
    for index in report.integration.tests.results.indices {
      report.integration.tests.results[index].state = index == 0 ? .expectedFailure : .passed
    }
    let text = try PageSite(report).text("index.html")
    let tile = try #require(text.split(separator: "<dt>").first { $0.hasPrefix("Tests<") })
    #expect(tile.contains("f-violet") && tile.contains("f-green"))
  }

  @Test("Where a build failed, the figure of tests says how many ran before")
  func ranBefore() throws {
    var report = OtherSamples.buildErrors
    var baseline = try #require(GreeterSample.red.integration.baseline)
    baseline.tests = TestCounts()
    (baseline.tests.passed, baseline.tests.skipped) = (9, 1)
    report.integration.baseline = baseline
    #expect(try PageSite(report).text("index.html").contains("9 of 10 ran in \(baseline.number)"))
  }

  @Test("A file's name stands once for places in it")
  func placesInOneFile() throws {
    let context = ReportContext(GreeterSample.green, library: try PageSite.templates(), time: .utc)
    let lines = [("A.swift", 3), ("A.swift", 4), ("A.swift", 7), ("B.swift", 1)].map {
      Model.SourceLocation(file: "Sources/\($0)", line: $1)
    }
    func place(_ glue: String, _ text: String, _ after: TemplateValue) -> TemplateValue {
      .record(["glue": .text(glue), "text": .name(text), "after": after, "isUp": .flag(false), "link": .missing])
    }
    let places = [place("", "A.swift:3–4", .text(",")), place(" ", "7", .text(";")), place(" ", "B.swift:1", .missing)]
    #expect(context.sources.links(to: LinePlaces(lines), first: 3) == .list(places))
  }

  @Test("What is the newest of its branch leads to the newest of the main one")
  func newestOfMain() throws {
    let steps = try SiteSample.pages().steps(of: SiteSample.branched)
    let files = Dictionary(uniqueKeysWithValues: steps.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    let sheet = try #require(files["8/newest.css"])
    #expect(sheet.contains("../newest-main.css") && sheet.hasSuffix(".turn .next { display: none; }\n"))
    #expect(files["8/newest.html"]?.contains("url=../newest-main.html") == true)
  }

  @Test("What leads to the neighbours of an integration is in its report once, whatever its destinations")
  func stepsOfDestinations() throws {
    var (report, other) = (GreeterSample.red, GreeterSample.green)
    var (debug, release) = (Destination(), Destination())
    (debug.name, release.name) = ("debug", "release")
    report.integration.destination = DestinationResult(debug, leads: true, outcome: .testFailures)
    other.integration.destination = DestinationResult(release, leads: false, outcome: .succeeded)
    (report.integration.cells, report.cells) = ([other.integration], [other])
    let paths = try PageSite(report).pages.keys
    let folder = ReportPaths.cell("release")
    #expect(paths.contains("\(folder)/index.html") && paths.contains("\(folder)/facts.css"))
    for name in ReportRenderer.stepPaths {
      #expect(paths.contains(name) && !paths.contains("\(folder)/\(name)"), "\(name)")
    }
  }

  @Test("The line of a red test leads to its source where that has a page, and its name to the page of the test")
  func redLine() throws {
    let index = try PageSite(GreeterSample.red).text("index.html")
    let row = try #require(index.split(separator: "<tr data-stop>").dropFirst().first)
    #expect(row.contains(#"<a class="name" href="tests/"#))
    let source = "test-sources/Sources-Greeter-Phrases-Language.swift.html#L14"
    #expect(row.contains(#"<td class="where"><a href="\#(source)">Language.swift:14</a>"#), "\(row)")
    #expect(row.ranges(of: source).count == 2, "As in the stack.")
  }

  @Test("Of a crash without a line of the package the row tells the calls that are known")
  func namelessCrash() throws {
    var report = GreeterSample.red
    let index = try #require(report.integration.tests.results.firstIndex { $0.crash != nil })
    let frames = [("_dispatch_semaphore_dispose", "libdispatch.so"), ("Door.deinit", "APackageTests.xctest")]
    let thread = ThreadStack(
      frames: frames.enumerated().map { StackFrame(number: $0, function: $1.0, image: $1.1) })
    report.integration.tests.results[index].crash = CrashReport(reason: "signal 4 (SIGILL)", signal: 4, thread: thread)
    let text = try PageSite(report).text("index.html")
    #expect(text.contains(#"<span class="dim">· in _dispatch_semaphore_dispose, called from Door.deinit</span>"#))
    #expect(text.contains(#"<li class="faint"><code>Door.deinit</code></li>"#))
  }

  @Test("Where every line ran there is no share, and no section with nothing below its heading")
  func allRan() throws {
    var report = ChangeSample(before: ["1|a()"], now: ["1|a()"]).report
    report.integration.outcome = .incomplete
    let index = try PageSite(report).text("index.html")
    #expect(index.contains("<dt>Uncovered lines</dt>") && !index.contains(#"<span class="part">0%</span>"#))
    #expect(!index.contains(#"id="h-coverage""#))
  }

  @Test("Of a step that a timeout ended the number of red tests is told where others are red, too")
  func timedOutAmongRed() throws {
    var report = GreeterSample.red
    let index = try #require(report.integration.steps.firstIndex { $0.name == .testing })
    (report.integration.steps[index].exitStatus, report.integration.steps[index].signal) = (nil, 15)
    #expect(try PageSite(report).text("index.html").contains(">4 red tests<"))
    #expect(try !PageSite(report).text("index.html").contains("1 test timed out"))
  }

  @Test("Files are in the order of the coverage page, and are not counted where all are listed")
  func filesOfCoverage() throws {
    func file(_ name: String, uncovered: Int, partly: Int) -> FileCoverage {
      let lines = (1...9).map { line in
        LineCoverage(
          line: line, count: line <= uncovered ? 0 : 1,
          state: line <= uncovered ? .neverRan : line <= uncovered + partly ? .partlyRan : .ran)
      }
      return RenderingTests.file(name, target: "Greeter", lines: lines)
    }
    var report = CoverageSample.report
    let files = [
      file("A.swift", uncovered: 0, partly: 1), file("B.swift", uncovered: 0, partly: 2),
      file("C.swift", uncovered: 1, partly: 0),
    ]
    func coverage(_ files: [FileCoverage]) throws -> Substring {
      (report.integration.baseline, report.integration.changes) = (nil, nil)
      report.integration.coverage = .available(Coverage(files: files))
      let index = try PageSite(report).text("index.html")
      return try #require(index.split(separator: #"<section id="coverage""#).last)
    }
    let all = try coverage(files)
    let names = all.matches(of: #/<th scope="row" class="path">(?:<a [^>]*>)?([^<]*)</#).map { String($0.output.1) }
    #expect(names == ["C.swift", "B.swift", "A.swift"])
    #expect(all.contains("<p>3 lines partly ran") && !all.contains("3 files"))
    #expect(try coverage(files + [file("D.swift", uncovered: 0, partly: 0)]).contains("4 files</p>"))
  }

  @Test("Several commits are listed where they are compared, and on the first page only without a comparison")
  func files() throws {
    var report = ComparisonSample.report
    let site = try PageSite(report)
    let index = site.text("index.html")
    #expect(index.contains(##"<span id="commits"><a class="sha" href="compare.html#commits">"##))
    #expect(index.contains(##"<a href="compare.html#commits">3 commits by "##))
    #expect(index.contains(##"<a href="compare.html#commits">Commits"##))
    #expect(!index.contains("h-files") && !index.contains("h-commits"))
    let page = site.text("compare.html")
    #expect(page.contains(#"File0.swift</code>"#) && !page.contains("<summary>1 file"), "It needs no fold.")
    // Not all of them were read.
    #expect(page.contains("<summary>13 files</summary>") && page.contains("and 4 more files"))
    let alone = try PageSite(GreeterSample.red).text("index.html")
    #expect(alone.contains(#"<section id="commits""#) && alone.contains("<h2 id=\"h-commits\">Commits</h2>"))
    report.integration.commits = [report.integration.commit]
    let single = try PageSite(report).text("index.html")
    #expect(single.contains(#"<a class="sha" href="compare.html#commits">"#))
    #expect(single.contains(#"<h2 id="h-files">Changed files</h2>"#) && !single.contains("h-commits"))
    #expect(single.contains(#" since <a class="up" href="../41/index.html">41</a></span>"#))
    #expect(try !PageSite.sample("green").text("index.html").contains("h-files"))
  }
}
