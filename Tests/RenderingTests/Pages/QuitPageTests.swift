import Testing

@testable import Model
@testable import Rendering

@Suite("Pages of a test that ended its process as if all were well")
struct QuitPageTests {
  private let id = TestID(module: "GreeterTests", suite: "ExitTests", name: "test_quits")
  private var page: String { ReportPaths(tests: [id]).page(of: id) }

  /// A test that ended its process, among those that passed and one that did not run.
  private func quitting() -> Report {
    var report = GreeterSample.green
    var quit = TestResult(id: id, library: .xctest, duration: 0.4)
    quit.quit = ProcessQuit(
      call: "exit(0)", location: SourceLocation(file: "Tests/GreeterTests/GreetingTests.swift", line: 20))
    let unseen = TestResult(id: TestID(module: "GreeterTests", suite: "ExitTests", name: "test_z"), library: .xctest)
    report.integration.outcome = .incomplete
    report.integration.tests = TestReport(
      results: GreeterTests.passing + [quit, unseen], runs: report.integration.tests.runs)
    return report
  }

  @Test("A test that ended the process has a state, a row and a page of its own, and its line is linked")
  func quit() throws {
    let report = quitting()
    let site = try PageSite(report)
    let index = site.text("index.html")
    let heading = "Incomplete: test_<wbr>quits ended the process: exit(0) and 1&nbsp;listed test did not run"
    #expect(index.contains("<h1>\(heading)</h1>"))
    #expect(index.contains(#"<a class="name" href="\#(page)">test_<wbr>quits</a>"#))
    // The line shows the call.
    #expect(!index.contains(#"<span class="say">exit(0)</span>"#) && index.contains(#"<code class="line">"#))
    let source = "test-sources/Tests-GreeterTests-GreetingTests.swift.html#L20"
    #expect(index.contains(#"<a href="\#(source)">Greeting<wbr>Tests.swift:20</a>"#))
    #expect(index.contains(", 1 quit, 1 not run"))
    #expect(index.contains("Tests <b class=is-incomplete>1 quit</b>"))
    #expect(index.contains(#"<dd class="is-incomplete"><a href="tests.html">1 quit</a>"#))
    let unseen = TestID(module: "GreeterTests", suite: "ExitTests", name: "test_z")
    let row = ReportPaths(tests: [unseen]).row(of: unseen)
    #expect(index.contains(#"<span class="part"><a href="\#(row)">1 not run</a></span>"#))
    // One of them ran until it quit.
    #expect(index.contains(#">2 tests did not run to their end</a></span>"#))
    let text = site.text(page)
    #expect(text.replacing("<wbr>", with: "").contains("<h1>test_quits ended the process: exit(0)</h1>"))
    #expect(text.contains("Where it ended the process"))
    #expect(text.contains(#"<tr class="hot"><th class="ln" scope="row">20</th>"#))
    #expect(!text.contains("nothing was seen of it"))
    // The heading has it.
    #expect(!text.contains("It did not finish") && !text.contains("Ended the process: exit(0)"))
    #expect(text.contains(#"<div id="message-1"></div>"#))
    #expect(text.contains("<span>400 ms</span>"))
    #expect(site.text("tests.html").contains("1 ended the process and 1 did not run"))
  }

  @Test("What ended the process stands below what is red and failed gates, as in the heading")
  func belowRed() throws {
    var report = quitting()
    let red = try #require(GreeterTests.red.first)
    report.integration.outcome = .testFailures
    report.integration.tests.results = report.integration.tests.results.map { $0.id == red.id ? red : $0 }
    report.integration.gates = [GateResult(rule: "no-lost-coverage", state: .failed, sentence: "A line was lost.")]
    let index = try PageSite(report).text("index.html")
    let rows = [
      #"href="\#(ReportPaths(tests: [red.id]).page(of: red.id))">"#, ">Lost-coverage gate</a>", ">test_<wbr>quits</a>",
    ]
    let starts = try rows.map { row in try #require(index.firstRange(of: row)?.lowerBound) }
    #expect(starts == starts.sorted())
  }

  @Test("A test before which the process ended did not run, and what ended it is told in its place")
  func beforeStart() throws {
    var report = quitting()
    let index = try #require(report.integration.tests.results.firstIndex { $0.id == id })
    report.integration.tests.results[index].quit?.isBeforeStart = true
    report.integration.tests = TestReport(results: report.integration.tests.results)
    report.integration.issues = [
      Issue(
        id: "q-1", kind: .quit, message: "Did not begin: exit(0) ended the process",
        location: report.integration.tests.results[index].quit?.location, test: id)
    ]
    report.integration.issueRecords = [
      IssueRecord(
        id: "q-1", kind: .quit, message: "Did not begin: exit(0) ended the process", location: nil, test: id,
        streaks: [.init(opened: report.integration.number, lastSeen: report.integration.number)])
    ]
    let sentence = "exit(0) at GreetingTests.swift:20 ended the process before any test of ExitTests began"
    report.integration.reasons = [.gap(.contradiction("\(sentence).")), .gap(.notRun(2))]
    let log = """
      Test Suite 'GreetingTests' started at 1
      Test Suite 'ExitTests' started at 2
      no licence
      \(RunAnnouncement.rest(2).line)
      $ a.xctest
      Test Suite 'ExitTests' started at 3

      """
    report.logs = [Report.Log(step: .testing, bytes: Array(log.utf8))]
    report.integration.testChanges = TestListChanges(
      added: report.integration.tests.results.map(\.id).filter { $0.suite == "ExitTests" })
    let site = try PageSite(report)
    let page = site.text("index.html")
    let source = try #require(site.order.first { $0.hasSuffix("GreetingTests.swift.html") })
    let place = #"<a href="\#(source)#L20">Greeting<wbr>Tests.swift:20</a>"#
    #expect(page.contains(#"<td class="where">\#(place)"#), "The page of the test has no message there.")
    // The row has the place.
    let heading = sentence.replacing(" at GreetingTests.swift:20", with: "")
    #expect(page.replacing("<wbr>", with: "").contains("<h1>Incomplete: \(heading)</h1>"))
    #expect(page.replacing("<wbr>", with: "").ranges(of: heading).count == 2, "In the title and the heading.")
    #expect(page.contains("Tests <b class=is-incomplete>2 not run</b>"))
    #expect(page.contains(#"<th scope="col">Did not begin</th>"#))
    // The tests of the class are told once, and run again together.
    #expect(page.contains(#"<a class="name" href="\#(self.page)">Exit<wbr>Tests</a> <span class="faint">GreeterTests"#))
    #expect(page.contains("<summary>2 tests did not run</summary>") && page.contains(">test_z</a></li>"))
    #expect(!page.contains(#"<th scope="col">No result</th>"#))
    #expect(page.contains(#"--filter</span> &#39;^GreeterTests\.ExitTests/&#39;</code>"#))
    let tests = site.text("tests.html")
    #expect(tests.contains(" passed, 2 did not run</h1>"))
    // The row of the class tells why, and each of its tests leads to the page that names both.
    let end = "exit(0) ended the process before any test of ExitTests began"
    let told = #"<a href="issues/q-1.html">\#(end)</a>: \#(place)"#
    #expect(tests.contains(#"ExitTests</label><span class="say">\#(told)</span></th>"#))
    #expect(tests.matches(of: /ended the process/).count == 1 && !tests.contains("did not begin"))
    for name in ["test_<wbr>quits", "test_<wbr>z"] {
      #expect(tests.contains(#"<a href="\#(self.page)">\#(name)</a>"#), "\(name)")
    }
    #expect(site.text(self.page).contains("<title>test_quits and test_z: not run in "))
    #expect(
      site.text(self.page).replacing("<wbr>", with: "").contains(
        "<h1>test_quits and test_z did not begin: exit(0) ended the process</h1>"))
    #expect(!tests.contains("</b> passed") && !tests.contains("</b> not run"), "The heading has it.")
    #expect(!tests.contains(", all added"), "The rows of its tests say so.")
    #expect(site.text(self.page).contains("<span aria-current=page>test_quits and test_z</span>"))
    #expect(tests.matches(of: /class="st is-incomplete">/).count == 2)
    #expect(tests.contains(##"<use href="#incomplete"/></svg>Not run 2</label>"##))
    let names = tests.split(separator: #"id="h-sentences""#).last ?? ""
    #expect(names.matches(of: /is-incomplete" role="img" aria-label="Not run"/).count == 2, "Of both.")
    #expect(tests.matches(of: #/>New test</#).count == 2, "Of both.")
    // Their rows tell that they were added.
    let row = "tests.html#\(ReportPaths(tests: [id]).anchor(of: id))"
    #expect(tests.contains(#"<span id="changed"><a href="\#(row)">2 added</a></span>"#))
    #expect(!tests.contains(#"id="h-changed""#))
    #expect(site.text(self.page).contains("Run at this commit:"))
    let printed = #"Last line <a href="log/testing.html#L3">printed</a>: <code>no licence</code>"#
    let green = "swift test alone would report success (exit status 0)."
    let runs = "exit(0) in both runs; swift test alone would report success."
    let before = runs.replacing("exit(0)", with: "exit(0) before its first test")
    #expect(page.contains(printed) && page.contains(#"<span class="say">\#(before)</span>"#))
    #expect(site.text(self.page).contains(#"<p class="lead">\#(runs)</p>"#))
    #expect(site.text(self.page).contains(printed.replacing("log/", with: "../log/")))
    let issue = site.text("issues/q-1.html")
    #expect(issue.contains("<h1>test_<wbr>quits and test_<wbr>z did not begin: exit(0) ended the process</h1>"))
    #expect(issue.contains(#"<p class="lead">\#(green)</p>"#))
    #expect(!issue.contains("Did not begin"))
    #expect(issue.contains(##"<a href="../log/testing.html#L2">log</a>"##))
    let lines = site.text("log/testing.html")
    #expect(lines.contains("<h1>Test log: no test of ExitTests began</h1>"))
    // Only what a line says is set like one.
    #expect(lines.contains(##"<a href="#L2">Line 2</a> <span>exit(0) at <a href="../"##))
    let ended = ">GreetingTests.swift:20</a> ended the process before any test of ExitTests began "
    #expect(lines.contains(ended + #"<span class="nowrap screen">· <a "#))
    let other = ##"<a href="#L6" data-line="6">run of the rest</a>"##
    #expect(lines.contains(#"<span class="dim">first run, \#(other)</span>"#))
    #expect(lines.contains("<b>Run of the rest: 2 tests that had not begun</b>"))
    #expect(lines.contains(#"<li class="error flaky" data-stop id="L2">"#), "Amber, as on the other pages.")
    #expect(lines.contains("&#39;ExitTests&#39; started at 2 <small>was running when the process ended</small>"))
    #expect(lines.contains("no licence <small>last line before the process ended</small>"))
    #expect(site.text(self.page).contains(##"<a href="../log/testing.html#L2">log</a>"##))
    #expect(issue.contains(#"--filter</span> &#39;^GreeterTests\.ExitTests/&#39;</code>"#))
    #expect(page.contains("<caption class=\"vh\">2 tests that did not begin</caption>"))
    let text = site.text(source)
    #expect(text.contains("the process ended before 2 tests"))
    #expect(text.contains(##"<use href="#incomplete"/></svg><span><a href="../"##))
    #expect(text.contains("<b>test_quits and 1 more test</b></a>: Did not begin: exit(0) ended the process"))
    let document = IntegrationRecord(report.integration)
    let finding = try #require(LeadingFinding(of: document, among: document.issues) { _ in nil })
    #expect("\(finding.record(besides: nil))".contains(heading))
  }

  @Test("An exit with another status before the first test of a class has one row, beside what is red")
  func otherStatus() throws {
    var report = quitting()
    let index = try #require(report.integration.tests.results.firstIndex { $0.id == id })
    let place = report.integration.tests.results[index].quit?.location
    report.integration.tests.results[index].quit = ProcessQuit(
      call: "exit(3)", location: place, isBeforeStart: true, status: 3)
    report.integration.tests.results[0].state = .crashed
    report.integration.outcome = .testFailures
    report.integration.issues = [
      Issue(
        id: "q-1", kind: .quit, message: "Did not begin: exit(3) ended the process", location: place, test: id)
    ]
    report.integration.reasons = [
      .testsRed(failed: 0, crashed: 1, timedOut: 0),
      .gap(.contradiction("exit(3) at GreetingTests.swift:20 ended the process before any test of ExitTests began.")),
      .gap(.notRun(2)),
    ]
    let text = try PageSite(report).text("index.html")
    #expect(text.contains(#"<span class="say">exit(3) before its first test</span>"#))
    #expect(text.contains("<summary>2 tests did not run</summary>"))
    #expect(text.contains("no test of Exit<wbr>Tests began</h1>"))
    #expect(!text.contains("report success") && !text.contains(#"<p class="lead">"#))
  }

  @Test("What is new of the test before which the process ended is not called a new test where another one is old")
  func oldBesideNew() throws {
    var report = quitting()
    for index in report.integration.tests.results.indices {
      report.integration.tests.results[index].quit?.isBeforeStart = true
      let id = report.integration.tests.results[index].id
      if id.name == "test_z" { report.integration.baseline?.states[id] = .passed }
    }
    report.integration.issues = [Issue(id: "q-1", kind: .quit, message: "Did not begin", test: id)]
    let tests = try PageSite(report).text("tests.html")
    #expect(tests.matches(of: #/<span class="pill new">([^<]+)<\/span>/#).map(\.1) == ["New test", "New"])
  }

  @Test("Who is suspected of what kept a class from beginning is told once, in the row of the class")
  func suspectOfClass() throws {
    var report = quitting()
    for index in report.integration.tests.results.indices {
      report.integration.tests.results[index].quit?.isBeforeStart = true
    }
    var issue = Model.Issue(id: "q-1", kind: .quit, message: "Did not begin", test: id)
    issue.suspects = [Suspect(name: "Ada", email: "", confidence: .high, reason: "it changed a line.")]
    report.integration.issues = [issue]
    let tests = try PageSite(report).text("tests.html")
    let row = try #require(tests.split(separator: "ExitTests</label>").last?.split(separator: "</th>").first)
    let name = #"probably <span class="who">Ada</span>"#
    #expect(row.contains(name) && tests.ranges(of: name).count == 1, "\(row)")
  }

  @Test("The page that two tests share which did not begin names where both are declared")
  func declaredBoth() throws {
    var report = quitting()
    for index in report.integration.tests.results.indices {
      report.integration.tests.results[index].quit?.isBeforeStart = true
      let line = ["test_quits": 10, "test_z": 11][report.integration.tests.results[index].id.name]
      report.integration.tests.results[index].location = line.map {
        Model.SourceLocation(file: "Tests/GreeterTests/ExitTests.swift", line: $0)
      }
    }
    let text = try PageSite(report).text(page)
    #expect(text.contains("<span>declared at ExitTests.swift:10 and :11</span>"), "\(text)")
    #expect(!text.contains("also did not begin:"), "The heading names both.")
    // Of more, the heading has only the number.
    let third = TestResult(id: TestID(module: "GreeterTests", suite: "ExitTests", name: "test_y"), library: .xctest)
    report.integration.tests = TestReport(results: report.integration.tests.results + [third])
    let all = try PageSite(report).text(page)
    #expect(all.contains("<h1>test_<wbr>quits and 2&nbsp;more tests of its class did not begin:"))
    #expect(
      all.contains("<span>also did not begin:</span><span>test_y</span><span>test_z at Exit<wbr>Tests.swift:11</span>"))
  }

  @Test("The call that led to what ended the process is told in its row, and quoted on the pages of test and issue")
  func calledFrom() throws {
    var report = quitting()
    let index = try #require(report.integration.tests.results.firstIndex { $0.id == id })
    report.integration.tests.results[index].quit = ProcessQuit(
      call: "exit(0)", location: SourceLocation(file: "Sources/greet/Options.swift", line: 3),
      calledFrom: SourceLocation(file: "Tests/GreeterTests/GreetingTests.swift", line: 20))
    report.integration.issues = [Issue(id: "q-1", kind: .quit, message: "Ended the process: exit(0)", test: id)]
    report.integration.issues[0].location = report.integration.tests.results[index].quit?.location
    report.integration.issueRecords = [
      IssueRecord(
        id: "q-1", kind: .quit, message: "Ended the process: exit(0)", location: nil, test: id,
        streaks: [.init(opened: report.integration.number, lastSeen: report.integration.number)])
    ]
    let site = try PageSite(report)
    #expect(site.text("index.html").contains("<small>called from Greeting<wbr>Tests.swift:20</small>"))
    let text = site.text(page)
    #expect(text.contains(#"<h2 id="h-called-1">Where it was called from</h2></div>"#))
    #expect(text.contains(#"<tr class="hot"><th class="ln" scope="row">20</th>"#))
    #expect(site.text("issues/q-1.html").contains("called from Tests/GreeterTests/GreetingTests.swift"))
    // Beside a red test, swift test would not report success.
    var red = TestResult(id: TestID(module: "GreeterTests", suite: "ExitTests", name: "test_red"), library: .xctest)
    red.state = .failed
    report.integration.tests = TestReport(results: report.integration.tests.results + [red])
    let beside = try PageSite(report).text("issues/q-1.html")
    #expect(!beside.contains("report success") && !beside.contains(#"<p class="lead"></p>"#))
  }

  @Test("Where all that did not end quit, their filter has the glyph of their rows, and so has their issue")
  func glyph() throws {
    var report = quitting()
    report.integration.tests.results.removeAll { $0.id.name == "test_z" }
    #expect(try PageSite(report).text("tests.html").contains(##"<use href="#incomplete"/></svg>Quit 1</label>"##))
    #expect(Model.Issue.Kind.quit.glyph == "incomplete")
  }

  @Test("The history of a test that ended its process tells that it ran, in each row, in the strip and in the count")
  func quitHistory() throws {
    var report = quitting()
    let now = TestVerdicts(IntegrationRecord(report.integration))
    let before = [(TestState.notRun, true), (.notRun, false), (.passed, false)].enumerated().map { index, end in
      TestVerdicts(
        number: now.number - 1 - index, commit: CommitID(rawValue: "c"), branch: now.branch, toolchain: "Swift",
        verdicts: [id: TestVerdicts.Verdict(state: end.0, duration: 0, isFlaky: false, isQuit: end.1)])
    }
    report.integration.histories = TestHistory.all(of: [now] + before)
    let text = try PageSite(report).text(page)
    let history = text.split(separator: #"id="h-history""#).last ?? ""
    #expect(history.contains("<p>4 integrations</p>"))
    #expect(history.contains("oldest first: passed, not run, quit, quit"))
    let rows = history.split(separator: "</thead>").last ?? ""
    #expect(rows.split(separator: ##"<use href="#incomplete"/></svg>Quit<"##).count == 3)
    #expect(rows.split(separator: ##"<use href="#incomplete"/></svg>Not run<"##).count == 2)
  }

  @Test("A test that ended its process has all that the row of a red one has, with its issue and the command below")
  func quitRow() throws {
    var report = quitting()
    let number = report.integration.number
    report.integration.baseline?.states[id] = .passed
    var issue = Model.Issue(id: "q-1", kind: .quit, message: "Ended the process: exit(0)", test: id)
    issue.life = IssueLife(firstSeen: number, streakStart: number)
    issue.suspects = [Suspect(name: "Ada", email: "", confidence: .high, reason: "it changed a line.")]
    report.integration.issues = [issue]
    report.integration.issueRecords = [
      IssueRecord(
        id: issue.id, kind: .quit, message: issue.message, location: nil, test: id,
        streaks: [.init(opened: number, lastSeen: number)])
    ]
    let site = try PageSite(report)
    let index = site.text("index.html")
    #expect(index.contains(#"<span class="pill new">New</span>"#))
    // The filter of what is new is one of the red.
    #expect(!site.text("tests.html").contains(" new-t"))
    #expect(index.contains(#"<a href="issues/q-1.html">q-1</a>"#))
    #expect(index.contains(#"probably <span class="who">Ada</span>"#))
    #expect(site.text(page).contains(#"<a href="../issues/q-1.html">q-1</a>"#))
    // SwiftPM's ends green.
    for path in ["index.html", page, "issues/q-1.html"] {
      let commands = site.text(path).matches(of: #/<div class="cmd"><code>(\w+ \w+).*?--filter/#).map(\.1)
      #expect(commands == ["martlet run"], "\(path)")
    }
  }

  @Test("A test that ended its process is not told how another one ended the process after that")
  func quitBeforeCrash() throws {
    var report = quitting()
    for index in report.integration.tests.runs.indices { report.integration.tests.runs[index].signal = 4 }
    let site = try PageSite(report)
    let text = site.text(page)
    #expect(!text.contains("signal 4"))
  }

  @Test("The log of a test that ended its process begins with that, marks where it ran, and is opened there")
  func log() throws {
    var report = quitting()
    let log = """
      $ a.xctest
      Test Case 'ExitTests.test_quits' started at 10:00
      good bye
      \(RunEnd(.exited(0), after: 0.051).line)
      \(RunAnnouncement.mapping.line)
      $ a.xctest
      ✘ Test ticks() recorded an issue at A.swift:1:1: Expectation failed: 1 == 2

      """
    report.logs = [Report.Log(step: .testing, bytes: Array(log.utf8))]
    report.integration.steps = [StepRecord(name: .testing, duration: 1)]
    let site = try PageSite(report)
    let text = site.text("log/testing.html")
    #expect(text.contains("<h1>Test log: 1 test quit, 1 failure in the serial run and 1 test did not run</h1>"))
    #expect(text.contains(##"<a href="#L2">Line 2</a> <span>test_quits ended the process: exit(0) at <a "##))
    #expect(text.contains("10:00 <small>was running when the process ended</small>"))
    #expect(text.contains("good bye <small>last line before the process ended</small>"))
    #expect(text.contains(#"<li class="error flaky" data-stop id="L2">"#))
    #expect(site.text(page).contains(#"<a href="../log/testing.html#L2">log</a>"#))
    #expect(site.text("index.html").contains(#"<a href="log/testing.html#L2">incomplete</a>"#))
  }
}
