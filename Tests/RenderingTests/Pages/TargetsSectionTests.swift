@testable import Model
import Testing

@testable import Rendering

@Suite("The tests by target")
struct TargetsSectionTests {
  @Test("Where tests turned red, the column of those that passed has its change, too")
  func changedTargets() throws {
    let index = try PageSite.sample("red").text("index.html")
    #expect(index.contains(#"data-l="passed">26 <span class=d>−2</span>"#))
  }

  @Test("Flaky tests are counted apart from those that passed")
  func flaky() throws {
    var report = GreeterSample.green
    let index = try #require(report.integration.tests.results.firstIndex { $0.state == .passed && !$0.isFlaky })
    let before = report.integration.tests.counts
    report.integration.tests.results[index].isFlaky = true
    let page = try PageSite(report).text("index.html")
    let row = try #require(page.split(separator: "\n").first { $0.contains(#"data-l="flaky">1 <"#) })
    #expect(row.contains(#">+1</span></td>"#), "None was flaky before, so none in this target: \(row)")
    #expect(page.contains(">\(before.steady - 1) passed</a>"))
    // Which test was flaky before is known only of those that are still there.
    report.integration.baseline?.tests.flaky = 1
    let unknown = try PageSite(report).text("index.html")
    let same = try #require(unknown.split(separator: "\n").first { $0.contains(#"data-l="flaky">1<"#) })
    #expect(same.contains(/data-l="passed">\d+<\/td>/), "What passed before may have been flaky, too: \(same)")
  }

  @Test("What was flaky before is not among the tests that passed then")
  func wasFlaky() throws {
    var report = GreeterSample.green
    let baseline = try #require(report.integration.baseline)
    let test = try #require(
      report.integration.tests.results.first { $0.state == .passed && baseline.states[$0.id] == .passed }?.id)
    let verdict = TestVerdicts.Verdict(state: .passed, duration: 1, isFlaky: true)
    report.integration.baseline?.tests.flaky = 1
    report.integration.histories = [
      test: TestHistory([
        TestHistory.Moment(
          number: baseline.number, commit: baseline.commit, branch: "main", toolchain: "t", verdict: verdict)
      ])
    ]
    let now = report.integration.tests.results.count { $0.id.module == test.module && $0.state == .passed }
    let before = baseline.states.count { $0.key.module == test.module && $0.value == .passed } - 1
    let expected = #"data-l="passed">\#(now) <span class="d better">\#(CountText.signed(now - before))</span>"#
    #expect(try PageSite(report).text("index.html").contains(expected))
  }

  @Test("A suite says how many passed, and how many became red, flaky or skipped")
  func summaries() {
    func summary(_ states: TestState..., isFlaky: Bool = false, red: Int = 0) -> TemplateValue {
      var before = TestCounts()
      (before.passed, before.failed) = (states.count - red, red)
      let tests = states.enumerated().map { index, state in
        TestResult(
          id: TestID(module: "M", suite: "S", name: "t\(index)()"), library: .swiftTesting, state: state,
          isFlaky: isFlaky && index == 0)
      }
      return TestTree.summary(tests, before: TestTree.Counts(all: before))
    }
    let red = SummaryPart(words: "1 red", delta: Delta(1, from: 0, .moreIsWorse))
    #expect(summary(.failed) == SummaryPart.line([red]))
    let one = SummaryPart(words: "1 passed")
    #expect(summary(.failed, .passed) == SummaryPart.line([red, one]))
    let skipped = SummaryPart(words: "1 skipped", delta: Delta(1, from: 0, .neutral))
    #expect(summary(.skipped, .passed) == SummaryPart.line([one, skipped]))
    #expect(summary(.passed, .passed) == SummaryPart.line([SummaryPart(words: "2 passed")]))
    #expect(
      summary(.passed, .passed, isFlaky: true) == SummaryPart.line([SummaryPart(words: "1 flaky"), one]),
      "It is not known of the baseline.")
    let mended = SummaryPart(words: "0 red", delta: Delta(0, from: 1, .moreIsWorse))
    #expect(
      summary(.passed, .passed, red: 1) == SummaryPart.line([mended, SummaryPart(words: "2 passed")]))
  }

  @Test("What is red and does not count is counted apart, and makes no suite red")
  func silenced() {
    func test(_ name: String, _ state: TestState) -> TestResult {
      TestResult(id: TestID(module: "M", suite: "S", name: name), library: .swiftTesting, state: state)
    }
    let (red, passed, silenced) = (test("a()", .failed), test("b()", .passed), test("c()", .timedOut))
    func glyph(_ tests: TestResult...) -> String { TestTree.glyph(of: tests, silenced: [silenced.id]) }
    #expect(glyph(red, silenced) == TestState.failed.glyph && glyph(passed, silenced) == TestState.passed.glyph)
    #expect(glyph(silenced) == TestState.expectedFailure.glyph)
    func style(_ tests: TestResult...) -> String { TestTree.sign(of: tests, silenced: [silenced.id]).style }
    #expect(style(passed, silenced) == "silenced" && style(silenced) == "silenced", "It is not green, either.")
    #expect(style(red, silenced) == TestState.failed.glyph && style(passed) == TestState.passed.glyph)
    #expect(TestTree.sign(of: [passed, silenced], silenced: [silenced.id]).glyph == TestState.timedOut.glyph)
    func summary(_ tests: TestResult..., before: TestTree.Counts) -> TemplateValue {
      TestTree.summary(tests, silenced: [silenced.id], before: before)
    }
    var before = TestCounts()
    (before.passed, before.failed) = (1, 1)
    let red1 = SummaryPart(words: "1 red", delta: Delta(1, from: 0, .moreIsWorse))
    #expect(
      summary(red, silenced, before: TestTree.Counts(all: before, silenced: 1))
        == SummaryPart.line([red1, SummaryPart(words: "1 silenced")]))
    let now = SummaryPart(words: "1 silenced", delta: Delta(1, from: 0, .neutral))
    #expect(
      summary(passed, silenced, before: TestTree.Counts(all: before))
        == SummaryPart.line([
          SummaryPart(words: "0 red", delta: Delta(0, from: 1, .moreIsWorse)), now, SummaryPart(words: "1 passed"),
        ]))
  }

  @Test("Red tests and their suites stand first: new ones, then the others, then silenced ones")
  func order() throws {
    let baseline = try #require(GreeterSample.red.integration.baseline)
    func age(_ status: Model.Issue.Status) -> FindingAge? {
      FindingAge(of: Model.Issue(id: "t", kind: .testFailure, status: status, message: "m", age: 3), baseline: baseline)
    }
    func test(_ suite: String, _ name: String, _ state: TestState = .failed) -> TestResult {
      TestResult(id: TestID(module: "M", suite: suite, name: name), library: .swiftTesting, state: state)
    }
    let (silenced, old, new) = (test("A", "a()"), test("B", "a()"), test("B", "b()"))
    let ages = [silenced.id: age(.silenced), old.id: age(.unresolved), new.id: age(.new)].compactMapValues { $0 }
    let suites = TestTree([test("0", "c()", .passed), silenced, old, new], ages: ages).targets[0].suites
    #expect(suites.map(\.name) == ["B", "A", "0"])
    #expect(suites[0].tests.map(\.id.name) == ["b()", "a()"])
  }

  @Test("Where no tests were requested, the heading alone says so, and no tab leads to a page without any")
  func untested() throws {
    var report = GreeterSample.green
    (report.integration.tests, report.integration.coverage) = (TestReport(), .unavailable(reason: "No tests ran."))
    report.integration.outcome = .succeeded
    let text = try PageSite(report).text("index.html")
    #expect(text.contains("no tests were requested</h1>") && !text.contains("<dt>Tests</dt>"))
    #expect(!text.contains("not measured"))
    #expect(!text.contains(#"<li><a href="coverage.html""#) && !text.contains(#"<li><a href="tests.html""#))
    report.integration.omissions = [PackageOmission(.testsNotRun)]
    #expect(try PageSite(report).text("index.html").contains(#"<li><a href="tests.html""#))
  }
}
