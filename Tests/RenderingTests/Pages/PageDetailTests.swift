import Model
import Testing

@testable import Rendering

@Suite("What pages say and do not say")
struct PageDetailTests {
  @Test("The row of the only target has the counts of its tests, as every target has, and its time is what they took")
  func onlyTarget() throws {
    var report = GreeterSample.green
    report.integration.baseline = nil
    report.integration.tests.results = ["a()", "b()"].map {
      TestResult(
        id: TestID(module: "M", suite: "S", name: $0), library: .swiftTesting, state: .passed, duration: 0.0104)
    }
    let text = try PageSite(report).text("tests.html")
    let row = try #require(text.split(separator: "<tr ").first { $0.hasPrefix(#"class="target""#) })
    #expect(row.contains("2 passed") && row.contains(">21 ms<"))
  }

  @Test("Without a baseline no change is shown")
  func noBaseline() throws {
    var report = GreeterSample.red
    report.integration.baseline = nil
    for (path, text) in try PageSite(report).html {
      #expect(!text.contains(#"class="d "#), "\(path)")
      #expect(!text.contains("class=\"pill"), "\(path)")
      #expect(!text.contains(" since 41"), "\(path)")
    }
  }

  @Test("What did not come to its tests has no change of them, on either side")
  func notReached() throws {
    let broken = try PageSite.sample("build-errors").text("tests.html")
    #expect(!broken.contains(#"class="d "#))
    var report = GreeterSample.red
    #expect(try PageSite(report).text("tests.html").contains(#"class="d "#))
    report.integration.baseline?.outcome = .buildErrors
    report.integration.baseline?.findings = BaselineFindings()
    // Silenced issues are known of a build that failed, too.
    report.integration.issues = []
    #expect(!(try PageSite(report).text("tests.html").contains(#"class="d "#)))
    // Nor is a warning new that the compiler did not come to before.
    let text = try PageSite(report).text("index.html")
    let warnings = try #require(text.firstRange(of: "<dt>Warnings")?.lowerBound)
    let end = try #require(text[warnings...].firstRange(of: "</div>")?.lowerBound)
    #expect(!text[warnings..<end].contains(#"class="d "#))
  }

  @Test("A test that canceled itself says why in the list, which is not called incomplete for it")
  func canceled() throws {
    var report = GreeterSample.green
    let test = TestResult(
      id: TestID(module: "M", suite: "", name: "shows()"), library: .swiftTesting, state: .canceled,
      skipReason: "needs a display")
    report.integration.tests = TestReport(results: [report.integration.tests.results[0], test])
    let text = try PageSite(report).text("tests.html")
    #expect(text.contains("needs a display"))
    #expect(!text.contains("g big is-incomplete"))
    report.integration.outcome = .canceled
    #expect(try PageSite(report).text("tests.html").contains("g big is-incomplete"))
  }

  @Test("The cases of a flaky test are shown as passed, with what they failed on at first")
  func flakyCases() throws {
    var report = GreeterSample.green
    let failures = [TestFailure(location: nil, message: "bad luck")]
    let test = TestResult(
      id: TestID(module: "M", suite: "", name: "luck(_:)"), library: .swiftTesting, state: .passed, isFlaky: true,
      failures: failures,
      arguments: (0..<9).map { TestArgument(display: "\($0)", state: .passed, failures: $0 == 8 ? failures : []) })
    report.integration.tests = TestReport(results: [test])
    let site = try PageSite(report)
    let list = site.text("tests.html")
    #expect(list.contains("Passed, flaky"))
    #expect(list.contains("bad luck"))
    #expect(!list.contains("9 red"))
    let page = try #require(site.html.first { $0.path.hasPrefix("tests/") }?.text)
    #expect(page.contains("<p>9 cases</p>"))
    let flaky = try #require(page.firstRange(of: #"<th scope="row" class="path">8</th>"#)?.lowerBound)
    let plain = try #require(page.firstRange(of: #"<th scope="row" class="path">0</th>"#)?.lowerBound)
    let fold = try #require(page.firstRange(of: "<summary>8 other cases</summary>")?.lowerBound)
    #expect(flaky < fold && fold < plain)
  }

  @Test("Tests outside suites are called the same in the table and among the names as sentences")
  func outsideSuites() throws {
    func names(_ targets: [String]) throws -> [Substring] {
      var report = GreeterSample.green
      report.integration.tests = TestReport(
        results: targets.map { target in
          TestResult(
            id: TestID(module: target, suite: "", name: "rings()"), library: .swiftTesting, state: .passed, duration: 1)
        })
      return try PageSite(report).text("tests.html").matches(of: /<h3>(.*)<\/h3>/).map(\.1)
    }
    #expect(try names(["ATests"]) == ["outside suites"])
    #expect(try names(["ATests", "BTests"]) == ["outside suites of ATests", "outside suites of BTests"])
  }

  @Test("Durations that read alike have bars alike")
  func bars() throws {
    var report = GreeterSample.green
    report.integration.tests = TestReport(
      results: [0.00142, 0.0011, 0.00047, 0.004].enumerated().map { index, time in
        TestResult(
          id: TestID(module: "M", suite: "S", name: "t\(index)()"), library: .swiftTesting, state: .passed,
          duration: time)
      })
    let text = try PageSite(report).text("tests.html")
    #expect(text.matches(of: /class="f-accent"[^>]* width="100\.0"/).count == 2)
  }

  @Test("Names as sentences are switched off with the hint about names")
  func sentencesOff() throws {
    var report = GreeterSample.green
    #expect(try PageSite(report).text("tests.html").contains(#"id="sentences""#))
    report.integration.practice = PracticeCard(hints: [], off: [.names])
    #expect(!(try PageSite(report).text("tests.html").contains(#"id="sentences""#)))
  }

  @Test(
    "Files that tests wrote next to the sources are listed with the tests, and nothing is said where there are none")
  func written() throws {
    var report = GreeterSample.green
    #expect(!(try PageSite(report).text("tests.html").contains("next to the sources")))
    let files = (10..<65).map { WrittenFiles.File(path: "Snapshots/<\($0)>.txt", deed: $0 == 10 ? .removed : .added) }
    report.integration.tests.written = WrittenFiles(files, isCut: true)
    let text = try PageSite(report).text("tests.html")
    #expect(text.contains("more than 55 files, deleted after the tests"))
    #expect(text.contains("<code>Snapshots/&lt;10&gt;.txt</code></th><td>removed</td>"))
    #expect(text.contains("<code>Snapshots/&lt;59&gt;.txt</code></th><td>added</td>"))
    #expect(!text.contains("&lt;60&gt;"))
    #expect(text.contains("5 more files."))
  }

  @Test("A test that failed for want of a network says so where the sandbox has none")
  func network() throws {
    var report = GreeterSample.red
    let index = try #require(report.integration.tests.results.firstIndex { $0.state == .failed && $0.arguments == nil })
    let message = "Caught error: Could not resolve host: example.org"
    report.integration.tests.results[index].failures[0].message = message
    report.integration.tests.results[index].failures[0].parsed = nil
    let hint = "The sandbox has no network. To give tests one: sandbox: {network: true} in the bot&#39;s file"
    #expect(!(try PageSite(report).text("index.html")).contains(hint))
    report.integration.lacksNetwork = true
    let site = try PageSite(report)
    #expect(site.text("index.html").contains(hint))
    #expect(site.html.filter { $0.path.hasPrefix("tests/") && $0.text.contains(hint) }.count == 1)
  }

  @Test("Tests that failed with one message share a row, which leads to each of them")
  func alike() throws {
    var report = GreeterSample.red
    for index in report.integration.tests.results.indices {
      guard report.integration.tests.results[index].state.isRed else { continue }
      report.integration.tests.results[index].state = .failed
      report.integration.tests.results[index].failures = [TestFailure(location: nil, message: "Caught error: down")]
    }
    let red = report.integration.tests.results.filter(\.state.isRed)
    let text = try PageSite(report).text("index.html")
    #expect(text.split(separator: "Caught error: down").count == 2)
    #expect(text.contains("<summary>and \(red.count - 1) more tests with this message</summary>"))
    for test in red { #expect(text.contains("\(ReportPaths(tests: red.map(\.id)).page(of: test.id))")) }
  }

  @Test("What has no row on the first screen is counted as what it is")
  func left() throws {
    var report = GreeterSample.red
    func test(_ number: Int, _ state: TestState, _ message: String? = nil) -> TestResult {
      TestResult(
        id: TestID(module: "M", suite: "S", name: "t\(number)()"), library: .swiftTesting, state: state,
        isFlaky: state == .passed, failures: message.map { [TestFailure(location: nil, message: $0)] } ?? [])
    }
    func more(_ tests: [TestResult]) throws -> [String] {
      report.integration.tests.results = tests
      return try PageSite(report).text("index.html").matches(of: #/<a href="tests.html">([^<]* more [^<]*)</#).map {
        String($0.1)
      }
    }
    let red = (100...150).map { test($0, .failed, "no \($0)") }
    #expect(try more(red) == ["1 more test"])
    let alike = (200...202).map { test($0, .failed, "the same") }
    let flaky = (300...350).map { test($0, .passed) }
    #expect(try more(Array(red.dropLast()) + alike + flaky) == ["4 more tests"])
    (report.integration.outcome, report.integration.tests.results) = (.warnings, [])
    report.integration.issues = ((10...20) + [20]).enumerated().map { index, number in
      Issue(id: "w-\(index)", kind: .warning, message: "careless \(number)")
    }
    #expect(try PageSite(report).text("index.html").contains(#"<a href="issues.html">2 more warnings</a>"#))
  }

  @Test("How a step ended stands behind its log, and is not read as one with the number of its lines")
  func stepEnd() throws {
    let text = try PageSite.sample("red").text("index.html")
    #expect(text.contains(#/ lines<\/a>, <span class="faint"><a href="[^"]*">4 red tests</#))
    var report = GreeterSample.red
    report.logs = []
    #expect(try PageSite(report).text("index.html").contains(#/<td><span class="faint">(<a [^>]*>)?4 red tests</#))
  }

  @Test("Coverage that is not there has a reason and no figure")
  func noCoverage() throws {
    let site = try PageSite.sample("incomplete")
    let text = site.text("index.html")
    #expect(text.contains("No process left its counters: the only one was killed."))
    #expect(text.contains("not measured"))
    #expect(!text.contains(" %"))
  }

  @Test("Incomplete coverage is not compared")
  func incompleteCoverage() throws {
    var report = GreeterSample.red
    guard case .available(var coverage) = report.integration.coverage else { return }
    coverage.isComplete = false
    coverage.reason = "The crashed process took its counters with it."
    report.integration.coverage = .available(coverage)
    let text = try PageSite(report).text("index.html")
    #expect(text.contains("The crashed process took its counters with it."))
    #expect(!text.contains(/<span class="d [^"]*">[^<]*<\/span> <small>of 205</))
  }

  @Test("Settings of the package are told with whose value counts; without any there is no such section")
  func settings() throws {
    var report = GreeterSample.green
    #expect(!(try PageSite(report).text("index.html").contains("h-settings")))
    report.integration.settings = [
      SettingOrigin("tests.skip", .both, remark: "They are <added>."), SettingOrigin("tests.timeout", .bot),
    ]
    let text = try PageSite(report).text("index.html")
    #expect(
      text.contains("<code>tests.skip</code></th><td>both together</td><td class=\"wide\">They are &lt;added&gt;."))
    #expect(text.contains("<code>tests.timeout</code></th><td>the bot’s</td><td class=\"wide\"></td>"))
  }

  @Test("The states of all listed tests have their counts in one row")
  func sum() throws {
    let text = try PageSite.sample("red").text("index.html")
    #expect(!text.contains("<p>32 passed"), "The figure has them.")
    #expect(text.contains(#"<span class="part">1 known issue</span> <span class="part">1 skipped</span>"#))
    #expect(try !PageSite.sample("green").text("index.html").contains("<p>35 passed</p>"), "The heading has them.")
    let warned = try PageSite(UnsteadySample.report).text("index.html")
    #expect(warned.contains("; 3&nbsp;tests passed</h1>") && !warned.contains("<p>3 passed"))
  }

  @Test("A suite has the glyph of its worst test or of its red ones, green beside what is skipped or a known issue")
  func glyphs() {
    func glyph(_ states: [TestState], flaky: Bool = false) -> String {
      TestTree.glyph(
        of: states.enumerated().map { index, state in
          TestResult(
            id: TestID(module: "M", suite: "S", name: "t\(index)()"), library: .swiftTesting, state: state,
            isFlaky: flaky && state == .passed)
        })
    }
    #expect(glyph([.passed, .skipped, .expectedFailure, .canceled]) == "passed")
    #expect(glyph([.passed, .skipped, .expectedFailure], flaky: true) == "flaky")
    #expect(glyph([.passed, .failed, .notRun], flaky: true) == "failed")
    #expect(glyph([.timedOut, .timedOut, .passed]) == "timed-out" && glyph([.timedOut, .failed]) == "failed")
    #expect(glyph([.passed, .notRun], flaky: true) == "not-run")
    #expect(glyph([.skipped, .skipped]) == "skipped")
  }

  @Test("Where tests ran again, how the processes of the first run ended is told as that of the first run")
  func firstRun() {
    let run = LibraryRun(library: .swiftTesting, source: "observer", sawTerminalRecord: true, exitStatus: 1)
    #expect(RunWords.sentence(run, isRetried: false) == "results from the observer, exit status 1")
    #expect(RunWords.sentence(run, isRetried: true) == "results from the observer, exit status 1 in the first run")
  }

  @Test("A test's page names every function that it ran, those first that no other test runs")
  func functions() throws {
    let ids = ["a()", "b()"].map { TestID(module: "ATests", suite: "", name: $0) }
    var report = ChangeSample(before: ["1|a()"], now: ["1|a()"]).report
    report.integration.tests = TestReport(
      results: ids.map { TestResult(id: $0, library: .swiftTesting, state: .failed) })
    var coverage = try #require(report.integration.coverage.coverage)
    func ran(by tests: [Int]) throws -> String {
      let path = coverage.files[0].path
      let function = TestMap.Function(start: SourcePosition(line: 1, column: 1), set: 0)
      coverage.testMap = .known(
        TestMap(tests: ids, sets: [tests], files: [path: .init(lines: [], functions: [function])]))
      report.integration.coverage = .available(coverage)
      let text = try PageSite(report).text(ReportPaths(tests: ids).page(of: ids[0]))
      let section = try #require(text.split(separator: #"<section id="ran""#).last)
      return String(try #require(section.split(separator: "</section>").first))
    }
    let (shared, own) = (try ran(by: [0, 1]), try ran(by: [0]))
    #expect(shared.contains("1 function in 1 file") && shared.contains(">run()</") && !shared.contains("No other"))
    #expect(own.contains(">No other test runs: ") && own.contains(">run()</") && !own.contains("Other tests run"))
    report.integration.tests.results[0].serialRun = TestAttempt(state: .passed, duration: 0)
    let page = try PageSite(report).text(ReportPaths(tests: ids).page(of: ids[0]))
    #expect(!page.contains(#"id="ran""#), "It is known only of a run that ended otherwise.")
  }

  @Test("A summary and a list of tests say alike how many tests ran before a build that failed")
  func ranBefore() throws {
    let site = try PageSite(OtherSamples.buildErrors)
    let words = try #require(site.words("index.html").firstMatch(of: /\d+( of \d+)? ran in \d+/))
    #expect(site.words("tests.html").contains(words.0))
  }

  @Test("Errors of the build lead to their lines in the log")
  func diagnostics() throws {
    let text = try PageSite.sample("build-errors").text("index.html")
    #expect(text.contains(#"<a href="log/building.html#L2">Language.swift:14:16</a>"#))
    #expect(text.contains(#"<a href="log/building.html#L9">in the log</a>"#))
    #expect(text.contains("with uncommitted changes: <a href=\"#working-tree\">2 modified, 1 added</a>"))
  }

  @Test("A failure in a helper file shows both places")
  func helper() throws {
    let site = try PageSite.sample("red")
    let path = try #require(site.order.first { $0.contains("atNoon") })
    let text = site.text(path)
    #expect(text.contains("Tests/GreeterTests/Support/Assertions.swift"))
    #expect(text.contains("Where the test is declared"))
    #expect(text.contains("They print alike"))
  }

  @Test("Each test has commands that run it alone")
  func commands() throws {
    let xctest = TestResult(
      id: TestID(module: "M", suite: "Tests", name: "test_it's"), library: .xctest)
    let own = RepeatCommands(xctest, repeatCommand: "martlet run . --commit abc", testCommand: nil)
    #expect(own.martlet == #"martlet run . --commit abc --filter '^M\.Tests/test_it'\''s$'"#)
    #expect(own.swift == #"swift test --filter '^M\.Tests/test_it'\''s$'"#)
    var integration = GreeterSample.integration()
    integration.testCommand = "swift test --configuration release"
    let alone = RepeatCommands(xctest, of: integration).swift
    #expect(alone == #"swift test --configuration release --filter '^M\.Tests/test_it'\''s$'"#)
    func again(_ count: Int) throws -> String {
      try #require(RepeatCommands.again(Array(repeating: xctest, count: count), of: integration)).command
    }
    #expect(try again(2) == #"\#(alone.dropLast())|^M\.Tests/test_it'\''s$'"#)
    let ten = try again(10)
    #expect(ten.matches(of: #/--filter/#).count == 1 && ten.matches(of: #/test_it/#).count == 10)
    let many = try again(11)
    #expect(alone.hasPrefix(many) && !many.contains("--filter"), "None is left out.")
    var flaky = xctest
    flaky.attempts = [TestAttempt(state: .failed, duration: 0), TestAttempt(state: .passed, duration: 0)]
    let checkout = "git switch --detach \(integration.commit.id.short) && "
    let target = #"for run in $(seq 50); do swift test --configuration release --filter '^M\.' || break; done"#
    #expect(RepeatCommands(flaky, of: integration).untilItFails == checkout + target, "It never failed by itself.")
    var red = TestResult(id: TestID(module: "M", suite: "Tests", name: "test_red"), library: .xctest)
    red.state = .failed
    integration.tests = TestReport(results: [flaky, red])
    #expect(
      RepeatCommands(flaky, of: integration).untilItFails.hasSuffix(
        #"--filter '^M\.' --skip '^M\.Tests/test_red$' || break; done"#), "What fails each time would end it at once.")
    let words = RepeatCommands(flaky, of: integration).untilItFailsWords
    #expect(
      words == "Run with the others of its target (without test_red, which is red) until it fails, at most 50 times:")
    integration.tests = TestReport()
    flaky.attempts.insert(TestAttempt(state: .failed, duration: 0), at: 1)
    let loop = "for run in $(seq 50); do \(alone) || break; done"
    #expect(RepeatCommands(flaky, of: integration).untilItFails == checkout + loop)
    integration.workingTree = WorkingTreeChanges(modified: ["a"], added: [], deleted: [])
    #expect(RepeatCommands(flaky, of: integration).untilItFails == loop, "No commit has what was tested.")
    let modern = TestResult(
      id: TestID(module: "M", suite: "", name: "adds(a:b:)"), library: .swiftTesting)
    #expect(
      RepeatCommands(modern, repeatCommand: "m", testCommand: nil).swift == #"swift test --filter '^M\.adds\(a:b:\)/'"#)
    #expect(RepeatCommands(modern, repeatCommand: "m", testCommand: nil).martlet == #"m --filter '^M\.adds\(a:b:\)/'"#)
    let overload = TestResult(
      id: TestID(module: "M", suite: "", name: "adds(_:)/A.swift:3:4"), library: .swiftTesting)
    #expect(
      RepeatCommands(overload, repeatCommand: "m", testCommand: nil).swift
        == #"swift test --filter '^M\.adds\(_:\)/A\.swift:3:4$'"#)
  }

  @Test("Pages of tests have names that are stable, unique and plain")
  func paths() throws {
    let names = ["M.S/a()", "M.S/a(_:)", "M.s/a()", "M.S/`a b`()", "M.🐦()", String(repeating: "M.x", count: 500)]
    let tests = names.compactMap { TestID($0) }
    #expect(tests.count == names.count)
    let paths = ReportPaths(tests: tests + tests)
    let pages = tests.map { paths.page(of: $0) }
    #expect(Set(pages.map { $0.lowercased() }).count == pages.count)
    for page in pages {
      #expect(page.utf8.count < 120)
      #expect(page.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }, "\(page)")
    }
    #expect(pages[0] == "tests/M-S-a-5d48a494.html")
  }
}
