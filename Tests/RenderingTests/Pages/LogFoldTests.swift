import Model
import Testing

@testable import Rendering

@Suite("Folds of a log")
struct LogFoldTests {
  private let command = "$ a.xctest --testing-library swift-testing\n"
  private let passed = (1...40).map { "✔ Test t\($0)() passed after 0.001 seconds.\n" }.joined()
  private let failure = "✘ Test x() recorded an issue at A.swift:1:1: Expectation failed: 1 == 2\n"
  private let known = """
    ━ Test b() recorded a known issue at A.swift:2:1: Expectation failed: false
    ↳ Why b is known
    ━ Test b() passed after 0.001 seconds with 1 known issue.

    """

  private func page(_ log: String) throws -> String {
    var report = OtherSamples.incomplete
    report.logs = [Report.Log(step: .testing, bytes: Array(log.utf8))]
    return try PageSite(report).text("log/testing.html")
  }

  private func summaries(_ log: String) throws -> [String] {
    try page(log).matches(of: #/<summary>(\d+ line.*?)<\/summary>/#).map { String($0.1) }
  }

  @Test("A run in which nothing failed is one fold, with its sum and whatever its tests printed")
  func green() throws {
    let sum = "━ Test run with 41 tests in 1 suite passed after 0.01 seconds with 1 known issue.\n"
    let cases = (1...3).map {
      "Test Case 'A.t\($0)' started at 1\nprinted\nTest Case 'A.t\($0)' passed (0.0 seconds)\n"
    }
    let all = "Test Suite 'All tests' passed at 1\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.0 seconds\n"
    let log = "$ a.xctest\n\(cases.joined())\(all)\(command)◇ Test run started.\nprinted\n\(passed)\(known)\(sum)"
    let folds = ["11 lines: 3 tests passed", "46 lines: 40 tests passed, 1 known issue"]
    #expect(try summaries(log) == folds)
    // That something failed in another run changes nothing.
    #expect(try summaries("\(log)\(command)\(failure)") == folds)
  }

  @Test("Beside a failure all that passed is folded, however near; what failed stays open, with what is said of it")
  func red() throws {
    let sums = "✘ Test x() failed after 0.1 seconds.\n✘ Test run with 41 tests failed after 0.1 seconds with 1 issue.\n"
    let log =
      "\(command)\(passed)\(failure)↳ Why x matters\nprinted\n\(known)✔ Test c() passed after 0.1 seconds.\n\(sums)"
    let text = try page(log)
    #expect(try summaries(log) == ["40 lines: 40 tests passed", "4 lines: 1 test passed, 1 known issue"])
    let open = try #require(text.firstRange(of: "Expectation failed: 1 == 2"))
    let fold = try #require(text.ranges(of: "<li class=\"plain fold\">").last)
    #expect(text[open.upperBound..<fold.lowerBound].contains("Why x matters"))
    #expect(text[open.upperBound..<fold.lowerBound].contains("printed"))
    let end = try #require(text.ranges(of: "</details>").last)
    #expect(text[end.upperBound...].contains("Test x() failed after"))
    #expect(text[end.upperBound...].contains("Test run with 41 tests failed"))
  }

  @Test("A test that printed that it passed, but is red by the report of a sanitizer, only ended")
  func redThoughPassed() throws {
    var test = TestResult(
      id: TestID(module: "M", suite: "", name: "t1()"), library: .swiftTesting, state: .failed)
    let report = SanitizerReport(headline: "WARNING: ThreadSanitizer: data race (pid=3)")
    test.sanitizerReports = [try #require(report)]
    let book = LogBook(Report.Log(step: .testing, bytes: Array(passed.utf8)))
    let red = LogRemarks.passedThoughRed([test], in: book.pages[0])
    let fold = LogFold(isFolded: true, lines: book.pages[0][...])
    #expect(fold.contents(red: red) == "40 lines: 39 tests passed, 1 test ended")
  }

  @Test("Where tests only started before a failure, it is said how many")
  func started() throws {
    let started =
      "◇ Test run started.\n◇ Suite A started.\n" + (1...40).map { "◇ Test t\($0)() started.\n" }.joined()
      + "◇ Test case passing 1 argument a → 1 to t(a:) started.\n"
    #expect(try summaries("\(command)\(started)x\nx\nx\n\(failure)") == ["43 lines: 40 tests started"])
    let cases = (1...45).map { "Test Case 'A.t\($0)' started at 1\n" }.joined()
    let told = try summaries("$ a.xctest\nTest Suite 'A' started at 1\n\(cases)x\nx\nx\n\(failure)")
    #expect(told == ["46 lines: 45 tests started"])
  }

  @Test("In a run that says nothing of its end, only what passed is folded")
  func unended() throws {
    #expect(try summaries("\(command)\(passed)printed\n") == ["40 lines: 40 tests passed"])
    #expect(try page("\(command)\(passed)printed\n").contains("<li class=\"plain\" id=\"L42\">"))
  }

  @Test("How a process ended is folded where it ended well, and stands open where it did not")
  func ended() throws {
    func end(_ status: RunEnd.Status) -> String { "\(RunEnd(status, after: 0.2).line)\n" }
    #expect(try summaries("\(command)\(passed)\(end(.exited(0)))") == ["41 lines: 40 tests passed"])
    for status in [RunEnd.Status.exited(1), .signaled(15)] {
      let log = "\(command)\(passed)\(end(status))"
      #expect(try summaries(log) == ["40 lines: 40 tests passed"])
      #expect(try page(log).contains(#"<li class="end" id="L42">"#))
    }
  }

  @Test("A short page and what no tests printed are whole")
  func whole() throws {
    #expect(try summaries("\(command)✔ Test t() passed after 0.1 seconds.\n\(known)").isEmpty)
    #expect(try summaries(String(repeating: "x\n", count: 50)).isEmpty)
  }

  @Test(
    "A fold says how many tests passed, were skipped or had a known issue, or what a compiler was doing that crashed, otherwise its first and last lines, or how many tests started",
    arguments: [
      (["✔ Test a() passed", "✔ Test run with 1 test passed", "x"], "3 lines: 1 test passed"),
      (["Test Case 'A.b' started at 1", "Test Case 'A.b' passed (0.0 seconds)"], "2 lines: 1 test passed"),
      (
        ["Test Case 'A.b' passed (0.0 seconds)", "Test Case 'A.c' skipped (0.1 seconds)", "➜ Test d() skipped."],
        "3 lines: 1 test passed, 2 skipped"
      ),
      (["➜ Test d() skipped.", "➜ Test e() skipped."], "2 lines: 2 tests skipped"),
      (
        ["✔ Test a() passed", "━ Test b() passed after 0.1 seconds with 1 known issue."],
        "2 lines: 1 test passed, 1 known issue"
      ),
      (["◇ Test run started.", "◇ Test a() started.", "◇ Test b() started."], "3 lines: 2 tests started"),
      (
        ["◇ Test a() started.", "━ Test a() recorded a known issue at A.swift:2:1: Expectation failed: false"],
        "2 lines: 1 test started"
      ),
      (
        [
          "0.\tProgram arguments: swift-frontend -c",
          "3.\tWhile evaluating request A(source_file \"Sources/A/B.swift\")",
          "7.\tWhile type-checking-target starting at Sources/A/B.swift:18:5", " #0 0x0 main",
        ],
        "4 lines: stack dump, B.swift:18"
      ),
      (
        ["◇ Test case passing 1 argument a → 1 to b(a:) started.", "↳ Why"], "2 lines"
      ),
      (
        ["[1/3] Compiling A", "", "\u{1B}[1m[3/3]  Linking B\u{1B}[0m", ""],
        "4 lines: [1/3] Compiling A … [3/3] Linking B"
      ),
      (["", "one"], "2 lines: one"), (["", " "], "2 lines"),
    ])
  func contents(lines: [String], words: String) {
    let book = LogBook(Report.Log(step: .testing, bytes: Array(lines.map { "\($0)\n" }.joined().utf8)))
    #expect(LogFold(isFolded: true, lines: book.pages[0][...]).contents() == words)
  }
}
