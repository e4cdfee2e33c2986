@testable import Model
import Testing

@testable import Rendering

@Suite("The page of the slowest tests")
struct SlowestTestsPageTests {
  @Test("The slowest tests have what changed since they ran last")
  func slower() throws {
    var report = GreeterSample.green
    let tests = report.integration.tests.results.filter { $0.state == .passed }.prefix(2)
    for (index, test) in tests.enumerated() {
      let position = try #require(report.integration.tests.results.firstIndex { $0.id == test.id })
      report.integration.tests.results[position].duration = 0.7
      let past = TestHistory.Moment(
        number: 40, commit: CommitID(rawValue: "c"), branch: report.integration.branch, toolchain: "Swift",
        verdict: TestVerdicts.Verdict(state: .passed, duration: index == 0 ? 300 : 690, isFlaky: false))
      report.integration.histories[test.id] = TestHistory([past])
    }
    let text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(text.contains(#"<th scope="col" class="num">In 40</th><th scope="col" class="num">Change</th>"#))
    #expect(Set(Self.rows(text)).isSuperset(of: ["700 ms 300 ms +400 ms", "700 ms 690 ms +10 ms"]))
    #expect(text.contains(#"data-v="0.7">700 ms</td>"#) && !text.contains("than usual"))
  }

  /// The duration of each row, that before and the change.
  private static func rows(_ text: String) -> [String] {
    text.matches(
      of:
        #/<td class="num" data-v="[^"]*">([^<]*)<.*?data-l="In 40"[^>]*>([^<]*)<\/td><td class="num"[^>]*>(?:<span class="d ">([^<]*))?/#
    ).map { "\($0.1) \($0.2) \($0.3 ?? "-")" }
  }

  @Test("Durations are whole milliseconds, or tenths from a second on, and a change is the difference of what is shown")
  func units() throws {
    var report = GreeterSample.green
    let (now, before) = ([0.00032, 0.0056, 0.0057, 4.015], [1, 1, 2, 3910])
    let ids = report.integration.tests.results.prefix(4).map(\.id)
    for index in report.integration.tests.results.indices {
      report.integration.tests.results[index].state = index < 4 ? .passed : .skipped
      guard index < 4 else { continue }
      report.integration.tests.results[index].duration = now[index]
      let past = TestHistory.Moment(
        number: 40, commit: CommitID(rawValue: "c"), branch: report.integration.branch, toolchain: "Swift",
        verdict: TestVerdicts.Verdict(state: .passed, duration: before[index], isFlaky: false))
      report.integration.histories[ids[index]] = TestHistory([past])
    }
    let text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(
      Self.rows(text) == ["4.0 s 3.9 s +0.1 s", "6 ms 2 ms +4 ms", "6 ms 1 ms +5 ms", "&lt;1 ms 1 ms −1 ms"])
    // What reads the same has the same share.
    #expect(text.matches(of: #/data-l="share">([^<]*)</#).map { "\($0.1)" } == ["99.7%", "0.1%", "0.1%", ""])
    #expect(text.contains("total <b>4.0 s</b>") && text.contains("<span><b>1</b> over 100 ms</span>"))
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
    #expect(text.contains("<h1>Slowest of 3 tests: t1(), 7 ms</h1>") && text.contains("total <b>9 ms</b>"))
    #expect(!text.contains("t0()<") && text.contains("<span><b>0</b> over 100 ms</span>"))
    #expect(site.text("tests.html").contains(#"<td class="num">9 ms</td>"#))
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
        "total <b>4.0 s</b></span><span><b>8.0 s</b> in all runs</span><span><b>1</b> over 100 ms</span>"))
  }

  @Test("The 50 slowest tests are open, and the others folded")
  func foldedDurations() throws {
    var report = GreeterSample.green
    report.integration.tests.results = (1...60).map { number in
      TestResult(
        id: TestID(module: "M", suite: "S", name: "t\(number)()"), library: .swiftTesting, state: .passed,
        duration: Double(number))
    }
    let text = try PageSite(report).text(SlowestTestsPage.path)
    let fold = try #require(text.firstRange(of: "<summary>10 faster tests</summary>"))
    #expect(text[..<fold.lowerBound].contains("t11()<") && !text[..<fold.lowerBound].contains("t10()<"))
    #expect(text[fold.upperBound...].contains("t10()<"))
    #expect(text.contains("<h1>Slowest of 60 tests: t60(), \(DurationText.short(60))</h1>"))
    let tests = report.integration.tests.results
    #expect(TestHeadline.slowest([tests[0]]) == "t1() took \(DurationText.short(1))")
    #expect(TestHeadline.slowest([]) == "No durations are known")
  }

  @Test("What the comparison calls slower is told from what varies anyway")
  func beyondNoise() throws {
    var report = ComparisonSample.report
    let position = try #require(report.integration.tests.results.firstIndex { $0.state == .passed })
    let test = report.integration.tests.results[position]
    report.integration.tests.results[position].duration = 0.7
    let number = try #require(report.integration.baseline?.number)
    let past = TestHistory.Moment(
      number: number, commit: CommitID(rawValue: "c"), branch: report.integration.branch, toolchain: "Swift",
      verdict: TestVerdicts.Verdict(state: .passed, duration: 300, isFlaky: false))
    report.integration.histories[test.id] = TestHistory([past])
    report.comparison?.tests.slower = [TestChange(before: nil, after: nil, id: test.id)]
    let text = try PageSite(report).text(SlowestTestsPage.path)
    #expect(text.contains(#"<span class="d worse">+400 ms slower</span>"#))
    #expect(text.contains("<span><b>1</b> slower than usual</span>"))
  }
}
