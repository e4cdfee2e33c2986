import Testing

@testable import Model
@testable import Rendering

@Suite("Pages contradict neither themselves nor what happened")
struct TruePagesTests {
  @Test("Where not even one test began, the last line that was printed stands with the reasons")
  func lastPrinted() throws {
    var report = OtherSamples.incomplete
    let words = "<p class=\"lead\">Last line printed: <code>a line of nobody</code></p>"
    #expect(try !PageSite(report).text("index.html").contains(words))
    for index in report.integration.tests.results.indices {
      (report.integration.tests.results[index].state, report.integration.tests.results[index].duration) = (.notRun, 0)
    }
    #expect(try PageSite(report).text("index.html").contains(words))
    report.integration.tests.looseOutput = []
    #expect(try !PageSite(report).text("index.html").contains("Last line"))
  }

  @Test("Tests that are declared and did not run are counted with the others, and listed with the reason")
  func unlisted() throws {
    var report = GreeterSample.green
    report.integration.outcome = .incomplete
    report.integration.tests.unlisted = (1...4).map { number in
      UnlistedTest(
        name: "GreeterTests.LateTests/test\(number)", cause: .handWrittenList, file: "Tests/GreeterTests/Late.swift",
        line: number)
    }
    let site = try PageSite(report)
    #expect(site.text("index.html").contains("4 declared tests did not run"))
    let tests = site.text("tests.html")
    #expect(tests.contains("Declared, not run</h2><p>4 tests, left out by Tests/LinuxMain.swift</p>"))
    #expect(tests.contains(#"<code>GreeterTests.LateTests/test4</code></th><td class="faint">Late.swift:4</td>"#))
    report.integration.tests.unlisted[0].cause = .notBuilt
    let mixed = try PageSite(report).text("tests.html")
    #expect(mixed.contains("Declared, not run</h2><p>4 tests</p>"))
    #expect(mixed.contains("<td>declared in a target that was not built</td>"))
  }

  @Test("Where nothing is known of the past, no column tells since when, and no issue repeats what its test's page has")
  func first() throws {
    var report = GreeterSample.red
    let red = try #require(report.integration.tests.results.first { $0.state == .failed })
    report.integration.baseline = nil
    report.integration.histories = [:]
    report.integration.issues = [Model.Issue(id: "t-1", kind: .testFailure, message: "m", test: red.id)]
    report.integration.issueRecords = [
      IssueRecord(
        id: "t-1", kind: .testFailure, message: "m", location: nil, test: red.id,
        streaks: [.init(opened: 1, lastSeen: 1)])
    ]
    let site = try PageSite(report)
    let page = ReportPaths(tests: report.integration.tests.results.map(\.id)).page(of: red.id)
    #expect(!site.text("index.html").contains(">Since</th>"))
    for path in ["index.html", page] { #expect(!site.text(path).contains("issues/t-1.html"), "\(path)") }
    #expect(site.text("issues.html").contains("issues/t-1.html"))
  }

  @Test("A test that died has the time that it took, or a dash, and never 0 ms")
  func durations() throws {
    var report = GreeterSample.red
    for index in report.integration.tests.results.indices {
      let result = report.integration.tests.results[index]
      if result.state == .crashed { report.integration.tests.results[index].duration = 0 }
      if result.state == .timedOut { report.integration.tests.results[index].duration = 24.1 }
    }
    let moments = [(42, 0.0), (41, 0), (40, 17), (39, 16)].map { number, duration in
      TestHistory.Moment(
        number: number, commit: CommitID(rawValue: "c"), branch: "main", toolchain: "Swift",
        verdict: TestVerdicts.Verdict(state: number < 41 ? .passed : .crashed, duration: duration, isFlaky: false))
    }
    let dead = try #require(report.integration.tests.results.first { $0.state == .crashed })
    report.integration.histories = [dead.id: TestHistory(moments)]
    let site = try PageSite(report)
    let paths = ReportPaths(tests: report.integration.tests.results.map(\.id))
    for path in ["index.html", "tests.html", paths.page(of: dead.id)] {
      #expect(!site.text(path).contains(">0 ms<"), "\(path)")
      #expect(!site.text(path).contains(": 0 ms"), "\(path)")
    }
    #expect(site.text(paths.page(of: dead.id)).contains(#"<td class="num">–</td>"#))
    #expect(site.text(paths.page(of: dead.id)).contains("<title>40: 17 ms</title>"))
    // A picture of next to no time would show nothing, nor would one of a single run.
    for count in 2...3 {
      report.integration.histories = [dead.id: TestHistory(Array(moments.prefix(count)))]
      #expect(try !PageSite(report).text(paths.page(of: dead.id)).contains("How long it took"))
    }
    #expect(site.text("tests.html").contains(#"<td class="num">24.1 s</td>"#))
  }

  @Test("A failed gate is a red row with its figure, and each of its lines is linked")
  func gateRow() throws {
    var report = ChangeSample.pairs[0].1.report
    var gate = GateResult(rule: "patch=80", state: .failed, sentence: "2 of 7 changed lines never ran.")
    gate.lines = [2, 3, 1].map { SourceLocation(file: ChangeSample.path, line: $0) }
    gate.share = Tally(total: 7, covered: 5)
    report.integration.gates = [gate]
    report.integration.outcome = .testFailures
    report.integration.onlyGatesFailed = true
    report.integration.reasons = [.gateFailed(gate)]
    let text = try PageSite(report).text("index.html")
    #expect(text.contains("<h1>80%&nbsp;patch gate failed</h1>"))
    #expect(text.contains(##"<a class="name" href="#coverage">80% patch gate</a>"##))
    #expect(text.contains(#": <a href="coverage.html#change">5 of 7 changed lines ran; 1 more needed</a>"#))
    #expect(!text.contains(#"<p class="lead">Gate patch=80"#))
    let row = try #require(text.split(separator: "<tr").first { $0.contains(#"<a class="name""#) })
    #expect(row.contains("Greeter.swift:2–3</a>,</span> <span class=\"whole\"><a href="))
    #expect(row.contains(">1</a>"))
    let function = try #require(
      report.integration.coverage.coverage?.files.first { $0.path == ChangeSample.path }?.functions.first)
    #expect(row.contains("<code>\(function.name)</code>"), "The place at which it begins leads there.")
  }

  @Test("The uncovered lines of a change are red only where a gate failed for them, on both pages")
  func patchFigure() throws {
    var report = ChangeSample.pairs[0].1.report
    func labels(_ state: GateResult.State) throws -> [String] {
      report.integration.gates = [GateResult(rule: "patch=80", state: state, sentence: "")]
      // The heading of the page about coverage says how many these are where there is a baseline.
      var first = report
      first.integration.baseline = nil
      return try [(report, "index.html"), (first, "coverage.html")].map { report, page in
        let figure = try #require(
          try PageSite(report).text(page).firstMatch(of: #/<dt>Uncovered in this change</dt><dd([^>]*)>/#), "\(page)")
        return figure.1.description
      }
    }
    let red = #" class="worse""#
    #expect(try labels(.failed) == [red, red])
    #expect(try labels(.passed) == ["", ""])
  }

  @Test(
    "What a gate found is told as short as can be",
    arguments: [
      (Tally(total: 7, covered: 5), nil, 2, "5 of 7 changed lines ran"),
      (Tally(total: 10_000, covered: 7_999), nil, 1, "7999 of 10\u{202F}000 changed lines ran"),
      (Tally(total: 5, covered: 0), nil, 1, "0 of 5 changed lines ran"),
      (Tally(total: 90, covered: 71), Tally(total: 89, covered: 72), 1, "71 of 90 lines ran, was 72 of 89"),
      (nil, nil, 3, "3 lines"), (nil, nil, 0, "No coverage."),
    ] as [(Tally?, Tally?, Int, String)])
  func finding(share: Tally?, before: Tally?, lines: Int, words: String) {
    var gate = GateResult(rule: "ratchet", state: .failed, sentence: "No coverage.")
    (gate.share, gate.shareBefore) = (share, before)
    gate.lines = (0..<lines).map { SourceLocation(file: "A.swift", line: $0 + 1) }
    #expect(gate.finding(beside: nil) == words)
  }

  @Test("What ran only in part is told with what a gate of changed lines found")
  func partlyRan() {
    var gate = GateResult(rule: "patch=80", state: .failed, sentence: "")
    (gate.share, gate.partial) = (Tally(total: 5, covered: 1), 1)
    #expect(gate.finding(beside: nil) == "1 of 5 changed lines ran (1 partly); 3 more needed")
  }

  @Test("The page of a failed gate's issue marks all lines that it failed for")
  func gateIssue() throws {
    var report = IssueSample.report
    let path = "Tests/GreeterTests/GreetingTests.swift"
    var gate = GateResult(rule: "no-lost-coverage", state: .failed, sentence: "Lines were lost.")
    gate.lines = [3, 5, 20].map { SourceLocation(file: path, line: $0) }
    var issue = Model.Issue(id: "g-1", kind: .gate, message: gate.message, location: gate.lines?.first)
    issue.subject = .gate(gate.rule)
    report.integration.gates = [gate]
    report.integration.issues.append(issue)
    report.integration.issueRecords.append(
      IssueRecord(
        id: "g-1", kind: .gate, message: gate.message, location: nil, test: nil,
        streaks: [.init(opened: 42, lastSeen: 42)]))
    let site = try PageSite(report)
    let text = site.text("issues/g-1.html")
    for line in [3, 5, 20] {
      #expect(text.contains(#"<tr class="hot"><th class="ln" scope="row">\#(line)</th>"#), "\(line)")
    }
    #expect(site.text("index.html").contains(#"<a class="name" href="issues/g-1.html">Lost-coverage gate</a>"#))
  }

  @Test("What came back is in no list of what is new")
  func comeback() throws {
    let site = try PageSite.sample("issues")
    let index = site.text("index.html")
    #expect(
      index.contains(
        #"<span class="pill old">Known flaky</span> <span class="dim">before in 12–30; red in "#))
    #expect(!index.contains("issues-came-back"))
    let list = site.text("issues.html")
    let back = try #require(list.firstRange(of: #"<tbody id="issues-came-back""#)?.lowerBound)
    #expect(list[back...].contains("t-4c81"))
    #expect(site.text("issues/t-4c81.html").contains(#"<span class="pill new">Came back</span>"#))
  }

  @Test("What a test measured is no failure in its transcript")
  func measured() throws {
    var report = GreeterSample.green
    report.integration.tests.results[0].transcript = [
      TranscriptLine(text: "measuring"), TranscriptLine(kind: .event, text: "measured [Time, seconds] average: 0.001"),
    ]
    let text = try PageSite(report).text("tests.html")
    #expect(text.contains(#"<b class="said">measured [Time, seconds] average: 0.001</b>"#))
  }

  @Test("Beside a red cross stands what was wrong, whatever the last process ended with")
  func step() throws {
    var report = GreeterSample.red
    report.integration.steps[3].exitStatus = 0
    let text = try PageSite(report).text("index.html")
    let row = try #require(text.split(separator: "<tr>").first { $0.contains(#"<th scope="row">Testing</th>"#) })
    #expect(row.contains(#"aria-label="Failed""#))
    #expect(row.contains("4 red tests"))
  }

  @Test("A gate that passes was not fixed: its page says with which commit it passed, and what it finds now")
  func gatePasses() throws {
    var report = GreeterSample.green
    let number = report.integration.number
    var record = IssueRecord(
      id: "g-1", kind: .gate, message: "80% patch gate: 10 of 10 changed lines never ran.", location: nil, test: nil,
      streaks: [.init(opened: number - 1, lastSeen: number - 1, closed: number)])
    record.subject = .gate("patch=80")
    record.streaks[0].ending = .fixed
    record.streaks[0].resolution = IssueRecord.Resolution([report.integration.commit])
    let sentence = "All 10 lines changed since integration 40 ran."
    report.integration.gates = [GateResult(rule: "patch=80", state: .passed, sentence: sentence)]
    report.integration.issueRecords = [record]
    report.integration.issues = [Model.Issue(record)]
    let site = try PageSite(report)
    let page = site.text("issues/g-1.html")
    #expect(page.contains("<h1>80%&nbsp;patch gate passed in \(number)</h1>"))
    #expect(
      page.contains(
        #"opened in <a class="up" href="../../\#(number - 1)/index.html">\#(number - 1)</a></span>"#
          + #"<span class="sha">"#))
    #expect(!page.contains("<span>passed in"))
    #expect(page.contains("Passed: <span") && !page.contains("Fix:"))
    #expect(page.contains(sentence) && !page.contains("10 changed lines never ran"))
    #expect(site.text("issues.html").contains("<td>passed in \(number)</td>"))
  }

  @Test("The values of an assertion that is mended are told apart as they were when it failed")
  func mendedAssertion() throws {
    var report = GreeterSample.green
    let test = try #require(report.integration.tests.results.first { $0.library == .xctest })
    let message = #"XCTAssertEqual failed: ("a\#n= 1\#n") is not equal to ("a\#n: 1\#n") - "#
    var record = IssueRecord(
      id: "t-1", kind: .testFailure, message: message, location: nil, test: test.id,
      streaks: [.init(opened: 1, lastSeen: 1, closed: report.integration.number)])
    record.streaks[0].ending = .fixed
    report.integration.issueRecords = [record]
    report.integration.issues = [Model.Issue(record)]
    let page = try PageSite(report).text("issues/t-1.html")
    #expect(page.contains("XCTAssertEqual") && !page.contains(#"id="message""#) && !page.contains("is not equal to"))
  }

  @Test("A gate that failed twice says when it came back and passed again, and with which commits each time")
  func gateTwice() throws {
    var report = GreeterSample.green
    let number = report.integration.number
    var record = IssueRecord(
      id: "g-1", kind: .gate, message: "m", location: nil, test: nil,
      streaks: [
        .init(opened: 1, lastSeen: 1, closed: 2),
        .init(opened: number - 1, lastSeen: number - 1, closed: number),
      ])
    record.subject = .gate("patch=80")
    record.streaks[1].ending = .fixed
    record.streaks[1].resolution = IssueRecord.Resolution([report.integration.commit])
    report.integration.issueRecords = [record]
    report.integration.issues = [Model.Issue(record)]
    let site = try PageSite(report)
    let page = site.text("issues/g-1.html")
    #expect(page.contains("passed again in \(number)</h1>"))
    let commit = report.integration.commit
    #expect(
      page.contains(
        #"<span class="faint">with <a href="../index.html#commits">\#(commit.id.short)</a> \#(commit.summary)</span>"#))
    #expect(site.words("index.html").contains("came back in \(number - 1), passed again"))
  }

  @Test("What went with a commit that did not build was open until that was seen, and its fix leads to that commit")
  func goneUnbuilt() throws {
    var report = GreeterSample.green
    let number = report.integration.number
    var record = IssueRecord(
      id: "w-1", kind: .warning, message: "never used", location: nil, test: nil,
      streaks: [.init(opened: number - 2, lastSeen: number - 2, closed: number, age: 1)])
    record.streaks[0].ending = .fixed
    let commit = Commit(
      id: CommitID(rawValue: "e83f1640"), summary: "Count names", author: "Ben", date: report.integration.commit.date)
    record.streaks[0].resolution = IssueRecord.Resolution([commit])
    record.streaks[0].resolution?.integrations = (number - 1)...(number - 1)
    record.streaks[0].wentUnchecked = true
    report.integration.issueRecords = [record]
    report.integration.issues = [Model.Issue(record)]
    let site = try PageSite(report)
    let page = site.text("issues/w-1.html")
    let address = "\(number - 1)/index.html"
    let end = "fixed in \(number - 1), checked"
    #expect(page.contains("<h1>“never used”, \(end) in \(number)</h1>") && !page.contains("<span>\(end)"))
    #expect(page.contains("<span>open for 2 integrations</span>"))
    #expect(page.contains(#"href="../../\#(address)#commits">e83f164</a>"#) && page.contains("<b>Ben</b>"))
    #expect(site.text("issues.html").contains("<td>\(end) in \(number)</td>"))
    #expect(site.words("index.html").contains("opened in \(number - 2), \(end)"))
  }

  @Test("The figure of warnings counts all that the outcome does")
  func warnings() throws {
    func figure(_ change: (inout Integration) -> Void) throws -> Substring? {
      var report = GreeterSample.green
      report.integration.outcome = .warnings
      change(&report.integration)
      let text = try PageSite(report).text("index.html")
      guard let start = text.firstRange(of: "<dt>Warnings</dt>")?.lowerBound else { return nil }
      return text[start...].split(separator: "</div>").first
    }
    // Flaky tests are told beside the tests.
    let flaky = try figure {
      $0.tests.results[0].isFlaky = true
      $0.reasons = [.testsFlaky([$0.tests.results[0].title]), .quarantined(1)]
    }
    #expect(flaky?.contains("<dd>0 <") == true)
    let both = try #require(
      try figure {
        $0.tests.results[0].isFlaky = true
        $0.diagnostics = [Diagnostic(severity: .warning, message: "w"), Diagnostic(severity: .warning, message: "v")]
      })
    #expect(both.contains("<dd>2 <") && !both.contains("flaky"), "\(both)")
    // Fewer tests than before, say, are nothing to count.
    #expect(try figure { _ in } == nil)
    #expect(try figure { $0.outcome = .succeeded }?.contains("<dd>0 <") == true)
    // Where not everything was compiled, none is not known to be none.
    let unbuilt = try figure {
      $0.outcome = .buildErrors
      $0.tests = TestReport()
    }
    #expect(unbuilt == nil)
  }

  @Test(
    "A build that went on from an earlier one is not called faster than one that did not",
    arguments: [
      (true, true, true), (false, false, true), (true, false, false), (false, true, false), (nil, nil, false),
      (true, nil, false),
    ] as [(Bool?, Bool?, Bool)])
  func duration(now: Bool?, before: Bool?, isCompared: Bool) throws {
    var report = GreeterSample.green
    report.integration.steps[1].warm = now
    report.integration.baseline?.isWarm = before
    let text = try PageSite(report).text("index.html")
    let start = try #require(text.firstRange(of: "<dt>Duration</dt>")?.lowerBound)
    let figure = try #require(text[start...].split(separator: "</div>").first)
    #expect(figure.contains(#"class="d "#) == isCompared)
    #expect(figure.contains("incremental build") == (now == true && before == false))
    #expect(figure.contains("clean build") == (now == false && before == true))
  }

  @Test("A clean build says in its row that it is one after an incremental one, and why as far as that is known")
  func cleanBuild() throws {
    func words(_ change: (inout Baseline) -> Void = { _ in }) throws -> Substring? {
      var report = GreeterSample.green
      report.integration.branch = "redesign"
      report.integration.steps[1].warm = false
      var baseline = try #require(report.integration.baseline)
      change(&baseline)
      report.integration.baseline = baseline
      return try PageSite(report).text("index.html").firstMatch(of: #/<span class="faint">(clean build[^<]*)</#)?.1
    }
    #expect(try words() == "clean build")
    #expect(try words { $0.branch = "main" } == "clean build, 41 was on main")
    let mark = ToolchainMark(name: "Swift version 5.0", stamp: nil, machine: nil)
    #expect(try words { $0.toolchainMark = mark } == "clean build, with another toolchain")
    let other = ToolchainMark(name: "Swift version 5.0", stamp: nil, machine: "slow")
    #expect(try words { $0.toolchainMark = other } == "clean build, on another machine")
    #expect(try words { $0.isWarm = false } == nil)
  }

  @Test("A test that ran alone and proved nothing is told not to be judged, rather than not to have run")
  func notJudged() throws {
    var report = UnsteadySample.report
    report.integration.tests.isolation?.left = 1
    #expect(try PageSite(report).text("tests.html").contains(#"<p class="note">1 test was not judged alone.</p>"#))
  }

  @Test("A sign without a word beside it is read as one, before a name as a sentence and for each destination")
  func signs() throws {
    let tests = try PageSite.sample("unsteady").text("tests.html")
    #expect(tests.contains(#"<li><svg class="g is-flaky" role="img" aria-label="Passed, flaky">"#))
    var (report, other) = (GreeterSample.red, GreeterSample.green.integration)
    var (debug, release) = (Destination(), Destination())
    (debug.name, release.name) = ("debug", "release")
    report.integration.destination = DestinationResult(debug, leads: true, outcome: .testFailures)
    other.destination = DestinationResult(release, leads: false, outcome: .succeeded)
    report.integration.cells = [other]
    let index = try PageSite(report).text("index.html")
    let cell = #"<td class="ico"><svg class="g is-passed" role="img" aria-label="Succeeded">"#
    #expect(index.contains("<tr data-stop>\(cell)"))
  }
}
