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
    #expect(text.contains(#"<th scope="col" class="num">In 40, ms</th><th scope="col" class="num">Change, ms</th>"#))
    #expect(text.contains(#"data-l="In 40">300</td><td class="num" data-l="change"><span class="d ">+400</span></td>"#))
    #expect(text.contains(#"data-l="In 40">690</td><td class="num" data-l="change"><span class="d ">+10</span></td>"#))
    #expect(text.contains(#"data-v="0.7">700</td>"#) && !text.contains("than usual"))
  }

  @Test("Beside whole milliseconds of earlier runs there are no decimals, and each difference of these is a change")
  func wholeMilliseconds() throws {
    var report = GreeterSample.green
    let (now, before) = ([0.00032, 0.0056, 0.0057], [1, 1, 2])
    let ids = report.integration.tests.results.prefix(3).map(\.id)
    for index in report.integration.tests.results.indices {
      report.integration.tests.results[index].duration = index < 3 ? now[index] : 0
      guard index < 3 else { continue }
      report.integration.tests.results[index].state = .passed
      let past = TestHistory.Moment(
        number: 40, commit: CommitID(rawValue: "c"), branch: report.integration.branch, toolchain: "Swift",
        verdict: TestVerdicts.Verdict(state: .passed, duration: before[index], isFlaky: false))
      report.integration.histories[ids[index]] = TestHistory([past])
    }
    let text = try PageSite(report).text(SlowestTestsPage.path)
    let rows = text.matches(
      of:
        #/<td class="num ms" data-v="[^"]*">([^<]*)<.*?data-l="In 40">([^<]*)<\/td><td class="num" data-l="change">(?:<span class="d ">([^<]*))?/#
    )
    #expect(rows.map { "\($0.1) \($0.2) \($0.3 ?? "-")" } == ["6 2 +4", "6 1 +5", "&lt;1 1 −1"])
    // What reads the same has the same share, in the bar, too.
    let shares = text.matches(of: #/class="f-accent" [^>]*width="([^"]*)".*?data-l="share">([^<]*)</#)
    #expect(shares.map { "\($0.1) \($0.2)" } == ["200.0 50.0%", "200.0 50.0%"])
    #expect(text.contains("total <b>12 ms</b>"))
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
    #expect(TestHeadline.slowest([]) == "No test took a measurable time")
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
    #expect(text.contains(#"<span class="d worse">+400 slower</span>"#))
    #expect(text.contains("<span><b>1</b> slower than usual</span>"))
  }

  @Test(
    "Durations in a column have the decimals that the longest needs for three digits, and none is rounded to nothing",
    arguments: [
      (8.1937, 8.1937, "8194"), (12.3456, 12.3456, "12\u{202F}346"), (0.09996, 0.09996, "100"),
      (0.0994, 0.0994, "99.4"),
      (0.0994, 0.0029, "2.9"), (0.0029, 0.0029, "2.90"), (0.00027, 0.00027, "0.270"), (0.000_001, 0.000_001, "0.001"),
      (0.0994, 0.000_01, "<0.1"), (8.1937, 0.0003, "<1"),
    ])
  func milliseconds(longest: Double, seconds: Double, text: String) {
    #expect(Milliseconds(upTo: longest).text(seconds) == text)
  }
}
