import Model
import Testing

@testable import Rendering

@Suite("The head of a log and its lines agree")
struct LogHeadTests {
  private let padding = String(repeating: "x\n", count: 40)

  private func page(
    _ log: String, _ step: Step = .testing, _ tests: [TestResult] = [], issues: [Model.Issue]? = nil
  ) throws -> String {
    var report = GreeterSample.red
    if let issues { report.integration.issues = issues }
    report.logs = [Report.Log(step: step, bytes: Array(log.utf8), folder: "")]
    report.integration.tests.results = tests
    return try PageSite(report).text("log/\(step.rawValue).html")
  }

  @Test("The heading does not deny the warnings of the build system, which are not counted")
  func remarks() throws {
    func heading(_ lines: String) throws -> Bool {
      var report = GreeterSample.red
      report.logs = [Report.Log(step: .building, bytes: Array(lines.utf8))]
      (report.integration.steps, report.integration.tests.results) = ([], [])
      return try PageSite(report).text("log/building.html").contains("<h1>Build log: no errors</h1>")
    }
    #expect(try !heading("Compiling A\n"))
    #expect(try heading("Compiling A\nA: clang: warning: argument unused during compilation: '-rdynamic' [-Wunused]\n"))
  }

  @Test("A log of triggers says that nothing failed, unless a trigger did")
  func triggers() throws {
    var report = GreeterSample.red
    report.logs = [Report.Log(step: .afterTriggers, bytes: Array("The mail is kept\n".utf8), folder: "/srv/w/main")]
    func heading() throws -> String {
      let text = try PageSite(report).text("log/after-triggers.html")
      return text.firstMatch(of: /<h1>(.*?)<\/h1>/).map { String($0.1) } ?? ""
    }
    report.integration.issues.removeAll { $0.kind == .triggerError }
    #expect(try heading() == "After-trigger log: nothing failed")
    report.integration.issues.append(Model.Issue(id: "x-1", kind: .triggerError, status: .new, message: "It failed"))
    report.integration.issueRecords.append(
      IssueRecord(
        id: "x-1", kind: .triggerError, message: "It failed", location: nil, test: nil,
        streaks: [.init(opened: 42, lastSeen: 42, age: 0)]))
    #expect(try heading() == "After-trigger log: no error printed")
  }

  @Test("A log of triggers says how the one ended that failed, whose end is marked, and what each command runs")
  func failedTrigger() throws {
    let log = "$ # trigger 1: echo /etc/lamp …\nno oil\n$ # exit status 7 after 0.25 s\n"
    let text = try page(log, .beforeTriggers)
    #expect(text.contains("<h1>Before-trigger log: exit status 7</h1>"))
    #expect(text.contains("<b>Trigger 1: echo /etc/lamp …</b>"))
    #expect(text.contains(##"<li class="error" data-stop id="L3"><a href="#L3">3</a><span>exit status 7 after "##))
    #expect(text.contains(##"<a class="is-failed" href="#L3">"##) && !text.contains(#"class="jump""#))
    let two = try page(log + log, .afterTriggers)
    #expect(two.contains("<h1>After-trigger log: 2 triggers failed</h1>"))
  }

  @Test("What failed only in the run that maps tests is told apart, and each marked line counts")
  func serial() throws {
    let (first, serial) = ("at A.swift:1:1: Expectation failed: 1 == 2", "at A.swift:2:1: Expectation failed: 3 == 4")
    let log = """
      $ a.xctest
      ✘ Test a() recorded an issue \(first)
      \(RunAnnouncement.mapping.line)
      $ a.xctest
      ✘ Test a() recorded an issue \(first)
      ✘ Test b() recorded an issue \(serial)

      """
    let text = try page(log + padding)
    #expect(text.contains("<h1>Test log: 1 failure and 1 failure in the serial run</h1>"))
    #expect(
      text.contains(">Only these 3 places</label>")
        && text.contains(#"<span class="dim">serial run</span></p>"#))
    #expect(text.contains(##"<a href="#L6">Line 6</a> <span><code>✘ Test b() recorded an issue"##))
    #expect(text.contains(##"<li class="error flaky" data-stop id="L6">"##))
    #expect(text.contains(##"<li class="error" data-stop id="L5">"##))
    #expect(text.contains("href=\"#L5\">next") && !text.contains("href=\"#L6\">next"), "It is the line below.")
  }

  @Test("A value of several lines belongs to its failure, which ends with dots above the log")
  func lines() throws {
    let log = """
      $ a.xctest
      ✘ Test a() recorded an issue at A.swift:1:1: Expectation failed: (list → "milk
      flour") == ("eggs" → "eggs
      salt")
      ✘ Test a() failed after 0.001 seconds with 1 issue.
      /b/A.swift:5: error: A.testB : XCTAssertEqual failed: ("one
      two") is not equal to ("three")
      printed

      """
    let text = try page(log + padding)
    #expect(text.contains("(list → &quot;milk…</code>"))
    let marked = text.matches(of: #/<li class="error"[^>]*id="L(\d+)">/#).map { $0.1 }
    #expect(marked == ["2", "3", "4", "6", "7"])
    #expect(text.contains(">Only these 2 places</label>"))
  }

  @Test("An error that is printed again leads to its first line, and that a command failed for it is not marked red")
  func again() throws {
    let error = "A.swift:7:21: error: cannot find type 'Text' in scope\n7 |   public var title: Text {\n"
    let log = """
      error: emit-module command failed with exit code 1 (use -v to see invocation)
      [3/5] Emitting module A
      \(error)[4/5] Compiling A A.swift
      \(error)
      """
    let text = try page(log + padding, .building)
    let marked = text.matches(of: #/<li class="error"[^>]*id="L(\d+)">/#).map { $0.1 }
    #expect(marked == ["3", "4", "6", "7"])
    #expect(text.contains("in scope <small>same error as line 3</small>"))
    #expect(text.ranges(of: "same error as").count == 1)
    #expect(text.contains(">Only these 2 places</label>") && text.contains(">Whole log</label>"))
    let alone = "error: emit-module command failed with exit code 1\n"
    #expect(try page(alone, .building).contains(#"<li class="error""#), "It is the error.")
  }

  @Test("A compiler that crashed says what it was doing, unless several did")
  func crash() throws {
    let crash = "error: compile command failed due to signal 4 (use -v to see invocation)\n"
    let dump = """
      0.\tProgram arguments: swift-frontend -c
      6.\tWhile type-checking statement at [Sources/A/B.swift:17:5 - line:18:22] RangeText="{"
      7.\tWhile type-checking-target starting at Sources/A/B.swift:18:5

      """
    let one = try page(crash + dump + padding, .building)
    #expect(
      one.contains(
        "(use -v to see invocation)</code></span> <span class=\"dim\">compiler crashed while type-checking at B.swift:18</span>"
      ))
    let other = "error: emit-module command failed due to signal 6 (use -v to see invocation)\n"
    #expect(try !page(crash + other + dump + padding, .building).contains("<span class=\"dim\">compiler crashed"))
  }

  @Test("Of a long assertion of XCTest its author's words stand on top, or the values that differ")
  func assertion() {
    let line = "A.swift:8: error: A.test_b : "
    let unwrap = #"XCTUnwrap failed: expected non-nil value of type "Int" - no key"#
    #expect(FailureLine.shortened("\(line)\(unwrap)") == "\(line)no key")
    #expect(FailureLine.shortened(#"\#(line)threw error "x""#) == #"\#(line)threw error "x""#)
  }

  @Test("A place in a source of tests leads to the row that has it")
  func row() {
    var names = PageNames(folder: .tests)
    let plan = SourcePlan(
      path: "Tests/A.swift", fileName: "A.swift",
      coverage: RenderingTests.file("Tests/A.swift", target: "ATests", lines: []), bytes: Array("a\nb\nc\nd\ne\n".utf8),
      remarks: SourceRemarks(targets: [3]), kind: .test, page: "test-sources/A.html", names: &names)
    #expect([2, 3, 5].map(plan.address(near:)).map { $0.suffix(3) } == ["#L1", "#L3", "#L3"])
    #expect(!plan.address(near: 9).contains("#"))
  }

  @Test("A silenced test that ended badly or failed says so, and the heading counts it apart")
  func silenced() throws {
    let log = """
      $ a.xctest
      ◇ Test waits() started.
      $ a.xctest
      ◇ Test hangs() started.
      $ a.xctest
      ✘ Test fails() recorded an issue at A.swift:2:1: Expectation failed: false

      """
    let tests = [("waits()", TestState.timedOut), ("hangs()", .timedOut), ("fails()", .failed)].map {
      TestResult(id: TestID(module: "M", suite: "S", name: $0), library: .swiftTesting, state: $1, duration: 8)
    }
    let silenced = [tests[0], tests[2]].map {
      Model.Issue(
        id: "t-\($0.id.name)", kind: $0.state == .failed ? .testFailure : .timeOut, status: .silenced, message: "x",
        test: $0.id)
    }
    let text = try page(log + padding, .testing, tests, issues: silenced)
    #expect(text.contains("<h1>Test log: 2 tests timed out (1 silenced) and 1 silenced red test</h1>"))
    let told = text.matches(of: #/<p class="jump">.*?<\/p>/#).map { $0.0.hasSuffix(">silenced</span></p>") }
    #expect(told == [true, false, true])
  }

  @Test("The heading of the log of the tests counts those that did not run, and a build has a limit of its own")
  func notRun() throws {
    let failure = "$ a.xctest\n✘ Test b() recorded an issue at A.swift:2:1: Expectation failed: false\n"
    let results = ["a", "b"].map { name in
      TestResult(id: TestID(module: "M", suite: "S", name: name), library: .xctest, state: .notRun)
    }
    let text = try page(failure, .testing, results)
    #expect(text.contains("<h1>Test log: 1 failure and 2 tests did not run</h1>"))
    #expect(try page("one\n", .testing, results).contains("<h1>Test log: 2 tests did not run</h1>"))
    let end = RunEnd(.signaled(9), after: 60, at: .init(.step, of: 1800))
    #expect(LogWords.end(of: end, in: .building) == "stopped after 1 min: limit of 30 min (SIGKILL)")
    let last = try page("$ a.xctest\n\(end.line)\n", .testing, results)
    #expect(last.contains("<span>stopped after 1 min: all tests together reached 30 min (SIGKILL)</span></li>"))
  }

  @Test("A report of a sanitizer is found and open to its summary, but for what other threads print between its lines")
  func sanitizer() throws {
    let headline = "WARNING: ThreadSanitizer: data race (pid=3)"
    let report = """
      \(headline)
        Write of size 8 at 0x7b08 by thread T2:
      ✔ Test other() passed after 0.001 seconds.
          #0 draw Sources/A/A.swift:14:11

      SUMMARY: ThreadSanitizer: data race A.swift:14 in draw

      """
    let run = "Test Case 'A.races' started at 1\n\(report)Test Case 'A.races' passed (0.1 seconds)\n"
    var test = TestResult(
      id: TestID(module: "M", suite: "S", name: "races()"), library: .swiftTesting, state: .failed, duration: 1)
    test.sanitizerReports = [try #require(SanitizerReport(headline: headline))]
    let text = try page("$ a.xctest\n\(run)\(padding)", .testing, [test])
    #expect(text.contains("<h1>Test log: 1 ThreadSanitizer report</h1>"))
    let marked = text.matches(of: #/<li class="error"[^>]*id="L(\d+)">/#).map { $0.1 }
    #expect(marked == ["3", "4", "6", "7", "8"])
    #expect(text.contains(##"<a href="#L3">Line 3</a>"##) && text.contains(">test page</a>"))
    let two = try page("$ a.xctest\n\(report)\(report)\(padding)")
    #expect(two.contains("<h1>Test log: 2 ThreadSanitizer reports</h1>"), "Reports begin alike.")
  }

  @Test("A test whose cases failed is one red test, each of which has a link")
  func cases() throws {
    let failure = "✘ Test a() recorded an issue with 1 argument n → "
    let end = " at A.swift:1:1: Expectation failed"
    let log = "$ a.xctest\n\(failure)1\(end)\n\(failure)2\(end)\n"
    let id = TestID(module: "M", suite: "S", name: "a()")
    let text = try page(
      log + padding, .testing, [TestResult(id: id, library: .swiftTesting, state: .failed, duration: 1)])
    #expect(text.contains("<h1>Test log: 1 red test</h1>"))
    #expect(text.ranges(of: #"<p class="jump">"#).count == 2)
    let words = String(repeating: "word ", count: 60)
    let long = try page("✘ Test a() recorded an issue at A.swift:1:1: \(words)\n\(padding)")
    #expect(long.contains("word word…</code>"), "It is cut between words.")
    let issue = "✘ Test \"A fraction is written if there is one\" recorded an issue with 2 arguments"
    let fraction = "\(issue) amount → 1.75, text → \"1.75 cup\" at QuantityTests.swift:11:5: Expectation failed: "
    let values = "(Quantity(amount, .cup).description → \"2 cup\") == (text → \"1.75 cup\")"
    let short = try page("\(fraction)\(values)\n\(padding)", .testing)
    #expect(short.contains("QuantityTests.swift:11:5: &quot;2 cup&quot; ≠ &quot;1.75 cup&quot;</code>"))
  }

  @Test("Where nothing printed why a test crashed, the line on which it began is marked; blocks without one may go")
  func marked() throws {
    let run = "$ a.xctest\n◇ Test crashes() started.\n$ a.xctest M.S/a,M.S/b\n"
    let id = TestID(module: "M", suite: "S", name: "crashes()")
    let text = try page(
      run + padding, .testing, [TestResult(id: id, library: .swiftTesting, state: .crashed, duration: 1)])
    #expect(text.contains(##"<li class="error" data-stop id="L2">"##))
    #expect(text.contains(##"<li class="command" id="L1">"##))
    #expect(text.contains(##"<li class="command quiet" id="L3">"##))
    #expect(text.contains("M.S/a,<wbr>M.S/b"), "A list of tests breaks behind a comma.")
    #expect(text.contains(">Only this place</label>"))
  }
}
