@testable import Model
import Testing

@testable import Rendering

@Suite("The page of the slowest tests")
struct SlowestTestsPageTests {
  /// A report whose first tests passed in so many seconds, and in the baseline in so many milliseconds; no other one ran.
  private static func report(_ times: [(now: Double, before: Double)]) throws -> (report: Report, tests: [TestID]) {
    var report = GreeterSample.green
    report.integration.histories = [:]
    report.comparison = ComparisonSample.comparison
    report.comparison?.tests = TestChanges()
    report.integration.baseline = ComparisonSample.report.integration.baseline
    let number = try #require(report.integration.baseline?.number)
    for index in report.integration.tests.results.indices {
      report.integration.tests.results[index].state = index < times.count ? .passed : .skipped
      guard index < times.count else { continue }
      report.integration.tests.results[index].duration = times[index].now
      let past = TestHistory.Moment(
        number: number, commit: CommitID(rawValue: "c"), branch: report.integration.branch, toolchain: "Swift",
        verdict: TestVerdicts.Verdict(state: .passed, duration: times[index].before, isFlaky: false))
      report.integration.histories[report.integration.tests.results[index].id] = TestHistory([past])
    }
    return (report, report.integration.tests.results.prefix(times.count).map(\.id))
  }

  /// The duration of each row, that before and the change.
  private static func rows(_ text: String) -> [String] {
    text.matches(
      of:
        #/<td class="num" data-v="[^"]*">([^<]*)<.*?data-l="In [0-9]+"[^>]*>([^<]*)<\/td>(?:<td class="num"[^>]*>(?:<span class="d [a-z]*">)?([^<]*))?/#
    ).map { match in
      let change = match.3 ?? ""
      return "\(match.1) \(match.2) \(change.isEmpty ? "-" : change)"
    }
  }

  @Test(
    "What a test waited for others is told apart, and neither makes it slow nor counts in a comparison")
  func waited() throws {
    var (report, tests) = try Self.report([(0.2, 1), (0.05, 40)])
    let index = try #require(report.integration.tests.results.firstIndex { $0.id == tests[0] })
    report.integration.tests.results[index].waited = 0.18
    let text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(text.contains(#"<td class="num faint" data-l="waited" data-v="0.18">180 ms</td>"#))
    #expect(Self.rows(text) == ["50 ms 40 ms -", "20 ms 1 ms -"])
    #expect(text.contains(#"data-l="waited" data-v="0.0">–</td>"#), "The other one waited for nothing.")
    #expect(text.contains("<h1>None of 2 tests took over 100 ms</h1>"))
    #expect(text.contains("<span>total <b>70 ms</b> without waiting</span>"))
    (report.integration.tests.results[index].duration, report.integration.tests.results[index].waited) = (20, 12.34)
    #expect(try PageSite(report).text(SlowestTestsPage.path).contains(#"data-v="12.34">12.3 s</td>"#))
  }

  @Test("That tests waited a little for each other, as all do that run side by side, is not told")
  func waitedLittle() throws {
    var report = try Self.report([(0.02, 1), (0.05, 40)]).report
    report.integration.tests.results[0].waited = 0.01
    let text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(!text.contains("aited") && text.contains("<span>total <b>60 ms</b></span>"))
  }

  @Test("A test is new where the baseline has none of that name, not where it took no time there")
  func new() throws {
    var (report, tests) = try Self.report([(0.09, 1), (0.05, 40), (0.03, 5)])
    for test in tests.dropFirst() { report.integration.histories[test] = nil }
    report.integration.baseline?.states = [tests[0]: .passed, tests[1]: .skipped]
    let text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(Self.rows(text) == ["90 ms 1 ms -", "50 ms – -", "30 ms new -"])
  }

  @Test("Of how many slow tests XCTest may be the reason is told")
  func kept() throws {
    var (report, tests) = try Self.report([(0.2, 1), (0.101, 1), (0.01, 1)])
    let index = try #require(report.integration.tests.results.firstIndex { $0.id == tests[1] })
    report.integration.tests.results[index].library = .xctest
    var text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(
      text.contains("<span><b>2</b> over 100 ms, 1 of which XCTest itself may have delayed by 0.1 s</span>"))
    report.integration.tests.results[0].duration = 0.02
    text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(text.contains("<span><b>1</b> over 100 ms, which XCTest itself may have delayed by 0.1 s</span>"))
  }

  @Test(
    "Durations read as on the page of all tests, and a change is the difference of what is shown")
  func units() throws {
    var (report, tests) = try Self.report([(0.00032, 1), (0.0056, 1), (0.3506, 200), (4.015, 3610)])
    report.comparison?.tests.slower = tests[2...].map { TestChange(before: nil, after: nil, id: $0) }
    let text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(
      Self.rows(text) == [
        "4.0 s 3.6 s +0.4 s slower", "351 ms 200 ms +151 ms slower", "6 ms 1 ms -", "&lt;1 ms 1 ms -",
      ])
    #expect(text.matches(of: #/data-l="share">([^<]*)</#).map { "\($0.1)" } == ["91.8%", "8.0%", "0.1%", "&lt;0.1%"])
    #expect(text.contains("total <b>4.4 s</b>") && text.contains("<span><b>2</b> over 100 ms</span>"))
    #expect(text.contains(#"<span class="d worse">+151 ms slower</span>"#))
  }

  @Test("Shares are of what the tests really took, and there are none where all together took under 100 ms")
  func shares() throws {
    let long = try PageSite(Self.report([(0.12, 1), (0.0014, 1), (0.0006, 1)]).report).text(SlowestTestsPage.path)
    #expect(long.matches(of: #/data-l="share">([^<]*)</#).map { "\($0.1)" } == ["98.4%", "1.1%", "0.5%"])
    let short = try PageSite(Self.report([(0.09, 1), (0.002, 1)]).report).text(SlowestTestsPage.path)
    #expect(!short.contains("Share") && !short.contains(#"data-l="share""#))
  }

  @Test("A red test says beside its name whether it is new, as on the page of all tests beside its state")
  func age() throws {
    let report = GreeterSample.red
    let site = try PageSite(report)
    let badge = #/<span class="st is-failed">.*?Failed</span> <span class="pill new">New</span>/#
    #expect(site.text("tests.html").firstMatch(of: badge) != nil)
    let row = #/aria-label="Failed"><title>[^\n]*?<\/a> <span class="pill new">New</span></th>/#
    #expect(site.text(SlowestTestsPage.path).firstMatch(of: row) != nil)
  }

  @Test("A difference within what a test usually varies by is no change")
  func usual() throws {
    var (report, tests) = try Self.report([(0.006, 2), (0.09, 2)])
    func page() throws -> String { try PageSite(report).text(SlowestTestsPage.path) }
    #expect(try Self.rows(page()) == ["90 ms 2 ms -", "6 ms 2 ms -"])
    #expect(try !page().contains(">Change<") && !page().contains("than usual"))
    var faster = TestChange(before: nil, after: nil, id: tests[0])
    faster.usual = 0.21
    report.comparison?.tests.faster = [faster]
    #expect(try page().contains("faster</span> <span class=\"small\">usually 210 ms</span></td>"))
    #expect(try Self.rows(page()) == ["90 ms 2 ms -", "6 ms 2 ms +4 ms faster"])
    #expect(try page().contains(">Change<") && page().contains("<span><b>1</b> faster than usual</span>"))
    #expect(try !page().contains("slower than usual"))
  }

  @Test(
    "A skipped test took no time of its own, and the total is that of the practice card and of the page of all tests")
  func skipped() throws {
    var report = GreeterSample.green
    report.integration.histories = [:]
    let times: [(TestState, Double)] = [(.skipped, 0.101), (.crashed, 0.0074), (.passed, 0.0004), (.passed, 0.0024)]
    report.integration.tests.results = times.enumerated().map { index, test in
      TestResult(
        id: TestID(module: "M", suite: "S", name: "t\(index)()"), library: .swiftTesting, state: test.0,
        duration: test.1)
    }
    let site = try PageSite(report)
    let text = site.text(SlowestTestsPage.path)
    #expect(text.contains("<h1>None of 3 tests took over 100 ms</h1>") && text.contains("total <b>10 ms</b>"))
    #expect(!text.contains("t0()<") && text.contains("</span><span>1 skipped</span>") && !text.contains("</b> over"))
    #expect(site.text("tests.html").contains(#"<td class="num">10 ms</td>"#))
  }

  @Test("The total reads as on the page of all tests, also where no test takes long")
  func sameTotal() throws {
    var report = GreeterSample.green
    report.integration.tests.results = [0.051, 0.09].enumerated().map { index, time in
      TestResult(
        id: TestID(module: "M", suite: "S", name: "t\(index)()"), library: .swiftTesting, state: .passed, duration: time
      )
    }
    let site = try PageSite(report)
    #expect(site.text(SlowestTestsPage.path).contains("total <b>141 ms</b>"))
    let target = #/<tr class="target".*?<td class="num">([^<]*)</#
    #expect(site.text("tests.html").firstMatch(of: target)?.1 == "141 ms")
  }

  @Test("The time that retries added stands beside the total, and what timed out is over the mark")
  func retried() throws {
    var report = GreeterSample.green
    report.integration.tests.results = [4.015, 0.002].enumerated().map { index, time in
      TestResult(
        id: TestID(module: "M", suite: "S", name: "t\(index)()"), library: .swiftTesting,
        state: index == 0 ? .timedOut : .passed, duration: time,
        attempts: index == 0
          ? [TestAttempt(state: .timedOut, duration: time), TestAttempt(state: .timedOut, duration: 4.019)] : [])
    }
    let text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(
      text.contains(
        "total <b>4.0 s</b></span><span><b>8.0 s</b> in up to 2 runs</span><span><b>1</b> over 100 ms</span>"))
  }

  @Test("All tests are in one table, which can be filtered, with the longest bar for the slowest")
  func oneTable() throws {
    var report = GreeterSample.green
    report.integration.tests.results = (1...60).map { number in
      TestResult(
        id: TestID(module: "M", suite: "S", name: "t\(number)()"), library: .swiftTesting, state: .passed,
        duration: Double(number))
    }
    let text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(!text.contains(">State<") && !text.contains(">Passed<"), "All passed.")
    #expect(text.split(separator: "<table").count == 2 && text.contains(#"<fieldset class="filter""#))
    let bars = text.matches(of: #/<rect class="f-accent" x="0.0" width="([^"]*)"/#).map { "\($0.1)" }
    #expect(bars.count == 60 && bars.first == "400.0" && bars.last == "6.7")
    #expect(text.contains("<h1>Slowest of 60 tests: t60(), \(DurationText.short(60))</h1>"))
    let tests = report.integration.tests.results
    #expect(TestHeadline.slowest([tests[0]], mark: 0.1) == "t1() took \(DurationText.short(1))")
    #expect(TestHeadline.slowest([], mark: 0.1) == "No durations are known")
    // At a tie none is the slowest.
    let same = [tests[1], tests[1], tests[0]]
    #expect(TestHeadline.slowest(same, mark: 1) == "2 of 3 tests took over \(DurationText.short(1))")
  }
}
