import Model
import Testing

@testable import Rendering

@Suite("The page of a log")
struct LogPageTests {
  private func page(_ log: String, _ change: (inout Integration) -> Void = { _ in }) throws -> String {
    var report = GreeterSample.red
    report.logs = [Report.Log(step: .testing, bytes: Array(log.utf8), folder: "/srv/w/main/checkout")]
    change(&report.integration)
    return try PageSite(report).text("log/testing.html")
  }

  @Test("The heading says what was found, or that nothing was, and only of a good end that nothing failed")
  func heading() throws {
    let warning = "/srv/w/main/checkout/A.swift:1:1: warning: unused\n"
    let failure = "✘ Test b() recorded an issue at A.swift:2:1: Expectation failed: false\n"
    let green = try page("one\ntwo\n") { ($0.tests.results, $0.steps) = ([], []) }
    #expect(green.contains("<h1>Test log: nothing failed</h1>") && green.contains("<b>2 lines</b>, 8 bytes</span>"))
    let ended = try page("one\ntwo\n") {
      $0.tests.results = []
      $0.steps = [StepRecord(name: .testing, duration: 1, exitStatus: 1)]
    }
    #expect(ended.contains("<h1>Test log: no error printed</h1>"))
    #expect(try page("one\n").contains("<h1>Test log: no error printed</h1>"), "There are red tests.")
    let found = try page("\(warning)\(failure)") { $0.tests.results = [] }
    #expect(found.contains("<h1>Test log: 1 failure and 1 warning</h1>"))
    #expect(found.contains("<title>Test log of Greeter 42"))
  }

  @Test("A command stays in sight, with the library whose tests it runs, and says its paths without their folders")
  func commands() throws {
    let passed = (1...80).map { "✔ Test t\($0)() passed after 0.001 seconds.\n" }.joined()
    let log = """
      $ /srv/w/main/Tests.xctest --testing-library swift-testing --no-parallel --cache /srv/cache
      \(passed)/srv/w/main/build/x
      $ # attempt 2 of 3: M.S/t()
      $ /srv/w/main/Tests.xctest M.S/t

      """
    let text = try page(log)
    #expect(
      text.contains(
        "<b>Swift Testing, one test at a time</b> $ Tests.xctest <span class=whole>--testing-library</span> <span class=whole>"
      ), "A line breaks in no flag.")
    #expect(text.contains("<span class=whole>--no-parallel</span> <span class=whole>--cache</span> …/cache<"))
    #expect(text.contains(##"<a href="#L83">83</a><span><b>Retry 1 of 2: M.S/t()</b> </span></li>"##))
    #expect(text.contains(##"<a href="#L84">84</a><span><b>XCTest</b> $ Tests.xctest M.S/t</span></li>"##))
    #expect(text.contains("<summary>80 lines: 80 tests passed</summary>"))
    #expect(text.contains("<span>/srv/w/main/build/x</span>"))
  }

  @Test(
    "The line on which a test began that crashed or took too long is open and has a link, unless others have its name")
  func unended() throws {
    let passed = (1...80).map { "✔ Test t\($0)() passed after 0.001 seconds.\n" }.joined()
    func text(_ tests: [TestID]) throws -> String {
      try page("\(passed)◇ Test waits() started.\n\(passed)") {
        $0.tests.results = tests.map { TestResult(id: $0, library: .swiftTesting, state: .timedOut, duration: 8) }
      }
    }
    let waits = TestID(module: "M", suite: "S", name: "waits()")
    #expect(
      try text([waits]).contains(##"<a href="#L81">Line 81</a> <span>waits() timed out after 8.0 s"##))
    #expect(try text([waits]).contains("<summary>80 lines: 80 tests passed</summary>"))
    #expect(try text([waits]).contains("<summary>79 lines: 79 tests passed</summary>"))
    // What leads to the lines says it already.
    #expect(try !text([waits]).contains(" 1 test timed out</a>"))
    let other = TestID(module: "M", suite: "Other", name: "waits()")
    #expect(try !text([waits, other]).contains("Line 81"))
  }

  @Test("In each process the line of the test that was running when time ran out is marked, and the last line before")
  func running() throws {
    let run = "$ a.xctest\n◇ Test waits() started.\n◇ Test b() started.\n✔ Test b() passed after 0.001 seconds.\n"
    let ended = "$ a.xctest\n◇ Test waits() started.\n✘ Test waits() failed after 0.001 seconds with 1 issue.\n"
    let text = try page("\(run)\(ended)$ a.xctest\n◇ Test waits() started.\n") {
      let waits = TestID(module: "M", suite: "S", name: "waits()")
      $0.tests.results = [TestResult(id: waits, library: .swiftTesting, state: .timedOut, duration: 8)]
    }
    let marked = text.matches(of: /<li class="error"(?: data-stop)? id="L(\d+)">/).map { $0.1 }
    #expect(marked == ["2", "9"])
    #expect(text.contains("started. <small>was running when time ran out</small>"))
    #expect(text.contains("0.001 seconds. <small>last line before time ran out</small>"))
    #expect(text.contains("started. <small>time ran out here; nothing printed after this</small>"))
  }

  @Test(
    "The head says what is in the log, each kind with a link to its first line, and a crash is not an error as well")
  func found() throws {
    let log = """
      $ a.xctest
      ◇ Test crashes() started.
      A.swift:1: Fatal error: Index out of range
      $ a.xctest
      ✘ Test ticks() recorded an issue at A.swift:1:1: Expectation failed: 1 == 2
      ✘ Test ticks() recorded an issue at A.swift:1:1: Expectation failed: 1 == 3
      ✘ Test fails() recorded an issue at A.swift:2:1: Expectation failed: false
      A.swift:3:1: warning: doubtful

      """
    func change(_ integration: inout Integration) {
      let tests = ["crashes()", "ticks()", "fails()"].map { TestID(module: "M", suite: "S", name: $0) }
      let flaky = TestResult(id: tests[1], library: .swiftTesting, state: .failed, duration: 1)
      integration.tests.results = [
        TestResult(id: tests[0], library: .swiftTesting, state: .crashed, duration: 1),
        flaky.retried([TestResult(id: tests[1], library: .swiftTesting, state: .passed, duration: 1)]),
        TestResult(id: tests[2], library: .swiftTesting, state: .failed, duration: 1),
      ]
    }
    let text = try page(log, change)
    #expect(
      Self.jumps(in: text).compactMap { $0.firstMatch(of: #/Line (\d+)/#)?.1 } == ["3", "7", "5"],
      "What is flaky comes last.")
    #expect(!text.contains("<fieldset"), "It is whole at a glance.")
    let warning = try page("A.swift:3:1: warning: doubtful\n") { $0.tests.results = [] }
    #expect(warning.contains(/<a class="is-warning" href="#L1"><svg[^\/]*\/><\/svg> line 1<\/a>/))
    let long = try page(log + String(repeating: "x\n", count: 40), change)
    #expect(long.contains(">Only these 5 places</label>"))
    #expect(long.contains(">1 test crashed, 1 red test and 1 flaky test</label>"))
  }

  @Test("The page of a red or flaky test leads to its first failure in the log")
  func failures() throws {
    let log = """
      $ a.xctest
      ◇ Test ticks() started.
      ✘ Test other() recorded an issue at A.swift:1:1: Expectation failed: 1 == 3
      ✘ Test ticks() recorded an issue at A.swift:1:1: Expectation failed: 1 == 2
      ✘ Test ticks() recorded an issue at A.swift:1:1: Expectation failed: 1 == 3
      /A.swift:5: error: S.testBell : XCTAssertTrue failed

      """
    let tests = ["ticks()", "testBell", "quiet()"].map { TestID(module: "M", suite: "S", name: $0) }
    var report = GreeterSample.red
    report.logs = [Report.Log(step: .testing, bytes: Array(log.utf8))]
    let flaky = TestResult(id: tests[0], library: .swiftTesting, state: .failed, duration: 1)
    report.integration.tests.results = [
      flaky.retried([TestResult(id: tests[0], library: .swiftTesting, state: .passed, duration: 1)]),
      TestResult(id: tests[1], library: .xctest, state: .failed, duration: 1),
      TestResult(id: tests[2], library: .swiftTesting, state: .failed, duration: 1),
    ]
    let site = try PageSite(report)
    let pages = tests.map { site.text(ReportPaths(tests: tests).page(of: $0)) }
    #expect(pages[0].contains(#"<a href="../log/testing.html#L4">log</a>"#))
    #expect(pages[1].contains(#"<a href="../log/testing.html#L6">log</a>"#))
    #expect(!pages[2].contains(">log</a>"))
  }

  @Test(
    "A place leads to its line in the page of its source, also where only the name of a file or its target is printed")
  func places() throws {
    let log = """
      Sources/Doorbell/Doorbell.swift:14:9: warning: doubtful
      ✘ Test a() recorded an issue at PartOfDayTests.swift:21:5: Expectation failed: 1 == 2
      PartOfDayTests.swift:3:1: a line that nothing else links
      Doorbell/Doorbell.swift:14: Fatal error: Index out of range
      12:30:01.5 Elsewhere.swift:3: nothing of this package

      """
    let source = "../coverage/Sources-Doorbell-Doorbell.swift.html"
    let test = "../test-sources/Tests-GreeterTests-PartOfDayTests.swift.html#L21"
    let text = try page(log)
    #expect(text.contains(#"<a href="\#(source)">Sources/Doorbell/Doorbell.swift:14:9</a>: warning"#))
    #expect(text.contains(#"issue at <a href="\#(test)">PartOfDayTests.swift:21:5</a>: Expectation"#))
    let page = test.prefix { $0 != "#" }
    #expect(text.contains(##"<a href="\##(page)#L3">PartOfDayTests.swift:3:1</a>: a line"##))
    #expect(text.contains(#"<a href="\#(source)">Doorbell/Doorbell.swift:14</a>: Fatal error"#))
    #expect(text.contains("<span>12:30:01.5 Elsewhere.swift:3: nothing"))
  }

  @Test("Without a page of its source a place leads to the issue that quotes it")
  func quoted() throws {
    var report = IssueSample.report
    report.logs = [Report.Log(step: .building, bytes: [], folder: "")]
    let issue = try #require(
      report.integration.issues.first { issue in
        issue.location.map { report.sources[$0.file] != nil } == true
          && report.integration.issueRecords.contains { $0.id == issue.id }
      })
    let place = try #require(issue.location)
    report.integration.coverage = .unavailable(reason: "the build failed")
    report.integration.tests.results = []
    report.logs[0].bytes = Array("\(place.file):\(place.line):1: error: \(issue.message)\n".utf8)
    let text = try PageSite(report).text("log/building.html")
    #expect(text.contains("<a href=\"../issues/\(issue.id).html#source\">"))
    // So does the row above the log, which says it once more.
    let row = try #require(Self.jumps(in: text).first)
    #expect(row.hasPrefix("<a href=\"#L1\">Line 1</a> <span><code><a href=\"../issues/\(issue.id).html#source\">"))
  }

  @Test("An error leads to the next error, a warning to the next warning, and keys stop at each")
  func steps() throws {
    let text = try page("a:1: error: x\na:1: warning: y\na:2: error: z\na:2: warning: w\n")
    let steps = text.matches(of: /data-stop id="L(\d+)">(?:(?!<\/li>).)*?(?:href="#L(\d+)">next|<\/li>)/)
    #expect(steps.map { "\($0.1) \($0.2 ?? "-")" } == ["1 3", "2 4", "3 -", "4 -"])
  }

  @Test("A failure that was retried says how all attempts ended, unless others have the test's name")
  func retried() throws {
    let failure = "✘ Test ticks() recorded an issue at A.swift:1:1: Expectation failed: 1 == 2\n"
    func text(_ ids: [TestID]) throws -> String {
      try page(failure) {
        $0.tests.results = ids.map { id in
          let first = TestResult(id: id, library: .swiftTesting, state: .failed, duration: 1)
          return first.retried([TestResult(id: id, library: .swiftTesting, state: .passed, duration: 1)])
        }
      }
    }
    let ticks = TestID(module: "M", suite: "S", name: "ticks()")
    #expect(try text([ticks]).contains("1 == 2 <small>failed, then passed alone on retry</small></span></li>"))
    #expect(try text([ticks]).contains(#"<li class="error flaky""#))
    #expect(try !text([ticks, TestID(module: "M", suite: "T", name: "ticks()")]).contains("<small>"))
  }

  @Test("How the attempts ended stands where the test first failed, and not in the run that maps tests to lines")
  func mapping() throws {
    let ticks = TestID(module: "M", suite: "S", name: "ticks()")
    let waits = TestID(module: "M", suite: "S", name: "waits()")
    let failure = "✘ Test ticks() recorded an issue at A.swift:1:1: Expectation failed: 1 == 2\n"
    let process = "$ a.xctest --testing-library swift-testing\n◇ Test waits() started.\n\(failure)"
    let attempt = RunAnnouncement.attempt(2, of: 2, test: "\(ticks)").line
    let text = try page(
      "\(process)\(RunAnnouncement.mapping.line)\n\(process)\(attempt)\n$ a.xctest\n\(failure)"
        + String(repeating: "x\n", count: 40)
    ) {
      var test = TestResult(id: ticks, library: .swiftTesting, state: .failed, duration: 1)
      test.serialRun = TestAttempt(state: .failed, duration: 1)
      let hang = TestResult(id: waits, library: .swiftTesting, state: .timedOut, duration: 8)
      $0.tests.results = [test.retried([test]), hang]
    }
    #expect(text.matches(of: #/<small>failed in 3 of 3 runs<\/small>/#).count == 1)
    #expect(text.contains(##"<a href="#L2">Line 2</a> <span>waits() timed out after 8.0 s"##))
    #expect(text.contains("<span><b>Serial run, to learn which test runs which line</b> </span>"))
    #expect(text.contains("<b>Retry: M.S/ticks()</b>"))
  }

  @Test(
    "What crashed or took too long in several attempts leads to the first, and from there to the others in their order")
  func firstAttempt() throws {
    func id(_ name: String) -> TestID { TestID(module: "M", suite: "S", name: name) }
    func process(_ before: [RunAnnouncement], _ lines: String) -> String {
      before.map { "\($0.line)\n" }.joined() + "$ a.xctest --testing-library swift-testing\n\(lines)"
    }
    let waits = "◇ Test waits() started.\n"
    let crashes = "◇ Test crashes() started.\nA.swift:1: Fatal error: Index out of range\n"
    let text = try page(
      // The process that crashes() ends is not the one in which waits() takes too long.
      process([], waits + crashes) + process([], waits)
        + process([.attempt(2, of: 2, test: "\(id("waits()"))")], waits)
        + process([.attempt(2, of: 2, test: "\(id("crashes()"))")], crashes)
        + process([.mapping], crashes + waits) + String(repeating: "x\n", count: 40)
    ) {
      $0.tests.results = [("waits()", TestState.timedOut), ("crashes()", .crashed)].map {
        TestResult(id: id($0), library: .swiftTesting, state: $1, duration: 8)
      }
    }
    let jumps = Self.jumps(in: text)
    #expect(
      jumps == [
        ##"<a href="#L4">Line 4</a> <span>crashes() crashed · test page</span> <span class="dim">first run, <a href="#L13" data-line="13">retry</a>, <a href="#L17" data-line="17">serial run</a></span>"##,
        ##"<a href="#L6">Line 6</a> <span>waits() timed out after 8.0 s · test page</span> <span class="dim">first run, <a href="#L9" data-line="9">retry</a></span>"##,
      ])
    // From line to line the runs follow each other, too.
    #expect(text.contains("<a class=next href=\"#L6\">next ↓</a>") && text.contains("href=\"#L9\">next ↓</a>"))
  }

  /// Returns the rows on top of a log, with the links to pages of tests as their words.
  private static func jumps(in text: String) -> [String] {
    text.matches(of: #/<p class="jump">(.*?)<\/p>/#).map {
      String($0.1).replacing(#/<span class="nowrap screen">· <a [^>]+>test page<\/a><\/span>/#, with: "· test page")
    }
  }

  @Test("What ended a process beside other tests is found by what it printed alone; what searches for it says so")
  func beside() throws {
    let death = "A.swift:1: Fatal error: Index out of range\n"
    let other = "A.swift:9: Fatal error: Unexpectedly found nil\n"
    let starts = "◇ Test b() started.\n◇ Test crashes() started.\n"
    func text(_ first: String) throws -> String {
      let search = "\(RunAnnouncement.search("M.S/crashes()").line)\n$ a.xctest\n◇ Test crashes() started.\n\(death)"
      let rest = "\(RunAnnouncement.rest(1).line)\n$ a.xctest\n◇ Test b() started.\n"
      return try page("$ a.xctest\n\(starts)\(first)\(search)\(rest)" + String(repeating: "x\n", count: 40)) {
        $0.tests.results = [
          TestResult(
            id: TestID(module: "M", suite: "S", name: "crashes()"), library: .swiftTesting, state: .crashed, duration: 1
          )
        ]
      }
    }
    let same = try text(death)
    #expect(
      Self.jumps(in: same) == [
        ##"<a href="#L4">Line 4</a> <span>crashes() crashed · test page</span> <span class="dim">first run, <a href="#L8" data-line="8">search for the guilty test</a></span>"##
      ])
    #expect(
      same.contains("<b>Search for the guilty test: M.S/crashes()</b>")
        && same.contains("<b>Run of the rest: 1 test that had not begun</b>"))
    #expect(
      try Self.jumps(in: text(other)).contains(
        ##"<a href="#L8">Line 8</a> <span>crashes() crashed · test page</span>"##))
  }

  @Test("A failure leads to the same failure in the other attempts, and in the run that maps tests to lines")
  func failedAgain() throws {
    let ticks = TestID(module: "M", suite: "S", name: "ticks()")
    let failure = "$ a.xctest\n✘ Test ticks() recorded an issue at A.swift:1:1: Expectation failed: 1 == 2\n"
    let attempt = RunAnnouncement.attempt(2, of: 2, test: "\(ticks)").line
    let log = "\(failure)\(RunAnnouncement.mapping.line)\n\(failure)\(attempt)\n\(failure)"
    let text = try page(log + String(repeating: "x\n", count: 40)) {
      let test = TestResult(id: ticks, library: .swiftTesting, state: .failed, duration: 1)
      $0.tests.results = [test.retried([test])]
    }
    let jumps = Self.jumps(in: text)
    #expect(jumps.count == 1)
    #expect(
      jumps.first?.hasSuffix(
        ##"</code> · test page</span> <span class="dim">first run, <a href="#L5" data-line="5">serial run</a>, <a href="#L8" data-line="8">retry</a></span>"##
      )
        == true)
    #expect([1, 2, 3].map { LogWords.run(.attempt($0), of: [.attempt(3)]) } == ["first run", "retry 1", "retry 2"])
  }

  @Test("A crash says what it was, where, and how often; so does its line, and that of the signal says what it ended")
  func crash() throws {
    let id = TestID(module: "M", suite: "S", name: "crashes()")
    let passed = (1...40).map { "✔ Test t\($0)() passed after 0.001 seconds.\n" }.joined()
    let death = "Swift/Array.swift:1: Fatal error: Index out of range\n"
    let run = "$ a.xctest\n◇ Test crashes() started.\n\(death)"
    let attempt = RunAnnouncement.attempt(2, of: 2, test: "\(id)").line
    let text = try page("\(run)\(passed)\n*** Signal 4: Backtracing from 0x7... done ***\n\n\(attempt)\n\(run)") {
      var test = TestResult(id: id, library: .swiftTesting, state: .crashed, duration: 1)
      let frame = StackFrame(
        number: 0, function: "crashes()", location: SourceLocation(file: "Sources/Doorbell/Doorbell.swift", line: 14))
      test.crash = CrashReport(
        reason: "Fatal error: Index out of range", signal: 4,
        thread: ThreadStack(frames: [frame]))
      $0.tests.results = [test.retried([test])]
    }
    let source = "../coverage/Sources-Doorbell-Doorbell.swift.html"
    #expect(
      text.contains("<span>crashes() crashed: Fatal error: Index out of range at <a href=\"\(source)"))
    #expect(text.contains("Index out of range <small>crashes() crashed every time</small>"))
    #expect(text.contains("Index out of range <small>crashes() crashed</small>"))
    #expect(text.contains("done *** <small>ended by signal 4 (SIGILL, illegal instruction)</small>"))
    #expect(text.contains("<summary>40 lines: 40 tests passed</summary>"))
  }

  @Test("A process ends with its status or signal, and its time; what the runtime says of a signal needs no more words")
  func ends() throws {
    let run = "$ a.xctest\n✘ Test run with 1 test failed after 0.1 seconds with 1 issue.\n"
    let death = "$ a.xctest\n*** Signal 4: Backtracing from 0x7... done ***\n"
    let text = try page(
      "\(run)\(RunEnd(.exited(1), after: 0.213).line)\n\(death)\(RunEnd(.signaled(4), after: 4.015).line)\n")
    #expect(text.contains(##"<li class="end" id="L3"><a href="#L3">3</a><span>exit status 1 after 0.2 s</span></li>"##))
    #expect(text.contains("<span>ended by signal 4 (SIGILL, illegal instruction) after 4.0 s</span>"))
    #expect(!text.contains("<small>"))
  }

  @Test(
    "What a limit stopped says so, and what ended it",
    arguments: [
      (
        RunEnd(.signaled(15), after: 4.015, at: .init(.test, of: 4)),
        "stopped after 4.0 s: limit of 4 s per test (SIGTERM)"
      ),
      (
        RunEnd(.exited(1), after: 61, at: .init(.silence, of: 60)),
        "stopped after 1 min 1 s: no output for 1 min (exit status 1)"
      ),
      (
        RunEnd(.signaled(44), after: 4, at: .init(.test, of: 4)),
        "stopped after 4.0 s: limit of 4 s per test (signal 44)"
      ),
    ])
  func stopped(end: RunEnd, words: String) throws {
    #expect(try page("$ a.xctest\n\(end.line)\n").contains("<span>\(words)</span></li>"))
  }

  @Test("Each log links to the others of its integration, and one alone to none")
  func others() throws {
    var report = GreeterSample.red
    report.logs = [.building, .testing].map { Report.Log(step: $0, bytes: Array("x\n".utf8)) }
    let text = try PageSite(report).text("log/testing.html")
    #expect(text.contains(#"<a href="../log/building.html">Building</a> <b aria-current="page">Testing</b>"#))
    #expect(try !page("x\n").contains("Logs of this integration"))
  }

  @Test("The command for a log names the destination that the report is of")
  func destination() throws {
    let text = try page("$ x\n") {
      var release = Destination()
      release.name = "release"
      $0.destination = DestinationResult(release, leads: false, outcome: .testFailures)
    }
    #expect(text.contains("<code>martlet log Greeter/42:release testing</code>"))
  }
}
