import FoundationEssentials
@testable import Model
import Testing
@testable import Rendering

@Suite("Plots and strips")
struct TrendPlotTests {
  private func svg(_ values: [Int?], _ shape: TrendPlot.Shape, mostOfMedian: Int? = nil) -> String {
    let points = values.enumerated().map {
      TrendPlot.Point(number: $0.offset + 1, value: $0.element, red: 1, title: "t\($0.offset)")
    }
    let plot = TrendPlot(points: points, shape: shape, label: "a < b", mostOfMedian: mostOfMedian)
    return String(decoding: plot.html.bytes, as: UTF8.self)
  }

  @Test("A gap is bridged by a broken line, and a value that is missing is not drawn as zero")
  func gap() {
    let text = svg([4, nil, 8], .line(color: "f-red", stroke: "s-red"))
    #expect(text.contains("stroke-dasharray"))
    #expect(text.components(of: "<circle").count == 2)
    #expect(text.contains("aria-label=\"a &lt; b\""))
  }

  @Test("What is not of all tests is a hollow dot, with broken lines beside it")
  func partial() throws {
    let entries = [3, 2, 1].map { number in
      SiteSample.entry(number, .testFailures) { $0.tests.notRun = number == 2 ? 5 : 0 }
    }
    let pages = try SiteSample.pages().pages(
      of: BotHistory(name: "Mill", entries: entries, withReport: []), asOf: nil)
    let page = String(decoding: try #require(pages.first { $0.path == "index.html" }).bytes, as: UTF8.self)
    #expect(page.contains("<title>2: 20.0% of all lines uncovered, 5 tests did not run</title>"))
    #expect(page.components(of: #"<circle class="hollow s-red""#).count == 2, "One is in the legend.")
    #expect(page.contains("</svg> some tests did not run</span>"))
    #expect(!page.contains("of all lines uncovered, 5 tests did not run</figcaption>"), "It is not the newest.")
    #expect(page.components(of: #"stroke-dasharray="2 3""#).count == 2)
  }

  @Test("A share of lines that is not of all tests says so beside it, on the index and the page of the bot")
  func newestPartial() throws {
    let entries = [3, 2].map { number in
      SiteSample.entry(number, .testFailures) { $0.tests.notRun = number == 3 ? 5 : 0 }
    }
    let bot = BotHistory(name: "Mill", entries: entries, withReport: [])
    let page = try SiteSample.page(bot)
    #expect(page.contains("<b>≤\u{A0}20.0%</b> of all lines uncovered, 5 tests did not run</figcaption>"))
    #expect(page.contains(#"data-l="uncovered" data-v="40">≤\#u{A0}40"#) && page.contains(#"data-v="40">40"#))
    let index = try SiteSample.index(bot)
    #expect(
      index.contains(#"<span class="fig part">≤\#u{A0}40</span> <small>of 200, 20.0%, 5 tests did not run</small>"#))
  }

  @Test("An outlier does not flatten the others: it is an arrow at the top, with its value beside it")
  func outlier() {
    let line = TrendPlot.Shape.line(color: "f-accent", stroke: "s-accent")
    let text = svg([10, 12, 800, 11], line, mostOfMedian: 4)
    #expect(text.components(of: "<circle").count == 3)
    #expect(text.contains(#" 14l5 -8l5 8z"><title>t2</title></path>"#))
    #expect(text.contains(">12</text>") && text.contains(#"<text y="13" x="242">800</text>"#))
    #expect(svg([10, 12, 800, 11], line).contains(">800</text>"))
    // Those that stand together share a place, to the left of them where there is no room on the right.
    let many = [Int](repeating: 10, count: 27) + [800, 900, 10]
    #expect(svg(many, line, mostOfMedian: 4).contains(##"<text y="13" x="302" text-anchor="end">800 to 900</text>"##))
    // The newest is no outlier, nor are many.
    #expect(svg([10, 12, 11, 800], line, mostOfMedian: 4).contains(">800</text>"))
    #expect(svg([10, 12, 11, 800, 900, 10], line, mostOfMedian: 4).contains(">900</text>"))
  }

  @Test("The highest value touches the top and zero the bottom, and the newest is not written a second time")
  func scale() {
    let text = svg([0, 10], .line(color: "f-red", stroke: "s-red"))
    #expect(text.contains(#"cx="44" cy="92""#))
    #expect(text.contains(#"cx="330" cy="14""#))
    #expect(text.components(of: ">10</text>").count == 1)
  }

  @Test("Nothing measured is a cross among bars, and one point or none does not trap")
  func bars() {
    #expect(svg([nil, 3], .bars).contains("86l6 6m0-6l-6 6"))
    #expect(!svg([], .bars).contains("<rect"))
    #expect(svg([5], .line(color: "f-red", stroke: "s-red")).contains("circle"))
  }

  @Test("A bar is as high as another one of as many tests, however few of them are red or flaky")
  func tops() {
    func tops(_ points: [TrendPlot.Point]) -> [Substring] {
      let plot = TrendPlot(points: points, shape: .bars, label: "tests")
      return String(decoding: plot.html.bytes, as: UTF8.self).split(separator: "<g>").dropFirst().map { bar in
        bar.matches(of: /y="(\d+)"/).map(\.1).min { Int($0) ?? 0 < Int($1) ?? 0 } ?? ""
      }
    }
    let all = [(0, 0), (1, 0), (0, 1), (3, 2)].enumerated().map { index, bad in
      TrendPlot.Point(number: index, value: 900, red: bad.0, amber: bad.1, title: "")
    }
    #expect(tops(all) == ["14", "14", "14", "14"])
  }

  @Test("Skipped tests are neither green nor left out of what is said of a bar")
  func skipped() throws {
    let entries = [1, 0].map { red in
      SiteSample.entry(red + 1, .succeeded, listed: 4, red: red) { $0.tests.skipped = 1 }
    }
    let page = try SiteSample.page(BotHistory(name: "Mill", entries: entries, withReport: []))
    let bar = try #require(page.firstMatch(of: /<title>2: 5 listed, 1 red, 1 skipped<\/title>(.*?)<\/g>/)?.1)
    #expect(bar.matches(of: /class="(.*?)"/).map(\.1) == ["f-red", "f-grey", "f-green"])
  }

  @Test("A bar is red as far as the heading says so: without silenced tests, and with those of other destinations")
  func judged() throws {
    let entries = [(3, 1, 1), (2, 0, 1), (1, 2, 0)].map { number, judged, red in
      SiteSample.entry(number, .succeeded, listed: 4, red: red) { $0.judgedRed = judged }
    }
    let page = try SiteSample.page(BotHistory(name: "Mill", entries: entries, withReport: []))
    let titles = page.matches(of: /<title>(\d: 4 listed, .*?)<\/title>/).map { String($0.1) }
    #expect(titles == ["1: 4 listed, 2 red", "2: 4 listed, 0 red, 1 silenced", "3: 4 listed, 1 red"])
    let bar = try #require(page.firstMatch(of: /<title>2: 4 listed.*?<\/title>(.*?)<\/g>/)?.1)
    #expect(bar.matches(of: /class="(.*?)"/).map(\.1) == ["f-grey", "f-green"])
    #expect(page.contains("</svg> silenced"))
  }

  @Test("What the parts of bars and the marks stand for is said once below the plots, as far as there are any")
  func explained() throws {
    func legend(_ change: (inout HistoryLine) -> Void) throws -> [String]? {
      let entries = [3, 2, 1].map { number in
        SiteSample.entry(number, .succeeded) {
          $0.testing = 1
          if number == 2 { change(&$0) }
        }
      }
      let page = try SiteSample.page(BotHistory(name: "Mill", entries: entries, withReport: []))
      let line = page.firstMatch(of: /<p class="legend strips">(.*?)<\/p>/)?.1
      return line?.matches(of: /<\/svg> ([^<]*)/).map { String($0.1) }
    }
    #expect(try legend { _ in } == nil)
    #expect(try legend { $0.tests.failed = 1 } == ["red", "passed"])
    #expect(
      try legend { ($0.tests.notRun, $0.tests.flaky, $0.tests.skipped) = (1, 1, 2) }
        == ["not run or flaky", "skipped", "passed", "some tests did not run"])
    #expect(try legend { ($0.tests, $0.lines) = (TestCounts(), nil) } == ["no tests ran", "not measured"])
    #expect(try legend { $0.testing = nil } == ["not measured"])
  }

  @Test("A figure that was always zero has a flat line, and one that was never measured is left out")
  func zero() throws {
    func page(uncovered: Int?) throws -> String {
      let entries = [2, 1].map { SiteSample.entry($0, .succeeded, uncovered: uncovered) }
      return try SiteSample.page(BotHistory(name: "Mill", entries: entries, withReport: []))
    }
    #expect(try page(uncovered: 0).contains("<b>0%</b> of all lines uncovered</figcaption><svg"))
    let never = try page(uncovered: nil)
    #expect(!never.contains("of all lines uncovered") && never.contains("tests listed"))
  }

  @Test("A failed gate without a red test is nowhere called a test failure")
  func gate() throws {
    let entries = [
      SiteSample.entry(3, .testFailures) { $0.onlyGatesFailed = true },
      SiteSample.entry(2, .testFailures, red: 1), SiteSample.entry(1, .succeeded),
    ]
    var bot = BotHistory(name: "Greeter", entries: entries, withReport: [])
    func text() throws -> String { try SiteSample.page(bot) }
    let page = try text()
    #expect(page.contains("<p>3 in all: 1 succeeded, 1 with only a failed gate, 1 with test failures</p>"))
    #expect(page.components(of: "aria-label=\"Test failures\"").count == 1)
    #expect(page.components(of: "aria-label=\"Gate failed\"").count == 1)
    #expect(
      OutcomeStrip(entries, isRunning: false).label
        == "The last 3 integrations, oldest first: succeeded, test failures, gate failed")
    let pages = try SiteSample.pages()
    #expect(String(decoding: try pages.index([bot], state: nil), as: UTF8.self).contains("Gate failed"))
    bot.running = [SiteSample.running]
    #expect(String(decoding: try pages.index([bot], state: nil), as: UTF8.self).contains("; 3 was red"))
  }

  @Test("What is only flaky is nowhere called a warning")
  func onlyFlaky() throws {
    let flaky = SiteSample.entry(3, .warnings) {
      ($0.reasons, $0.reasonCodes) = (["Flaky: evening()", "1 is in quarantine"], [.testsFlaky, .init("quarantined")])
    }
    let bot = BotHistory(
      name: "Flaky", entries: [flaky, SiteSample.entry(2, .warnings), SiteSample.entry(1, .succeeded)], withReport: [])
    let pages = try SiteSample.pages()
    let first = try pages.pages(of: bot, asOf: nil).first { $0.path == "index.html" }
    let own = String(decoding: try #require(first).bytes, as: UTF8.self)
    #expect(own.contains("<h1>Flaky is flaky</h1>"))
    #expect(own.contains("<p>3 in all: 1 succeeded, 1 flaky, 1 with warnings</p>"))
    let index = String(
      decoding: try pages.index([bot, SiteSample.greeter, SiteSample.ropewalk], state: nil), as: UTF8.self)
    #expect(index.contains("1 green, 1 flaky"), "\(index)")
    #expect(index.contains("oldest first: succeeded, warnings, flaky") && index.contains(">Last 13<"))
  }

  @Test("A strip says its outcomes in words, oldest first")
  func strip() {
    let strip = OutcomeStrip(SiteSample.greeter.entries, isRunning: true)
    #expect(
      strip.label
        == "The last 9 integrations, oldest first: succeeded, succeeded, build errors, warnings, succeeded, test failures, canceled, test failures, running"
    )
    #expect(OutcomeStrip([], isRunning: false).label == "No integration yet")
  }

  @Test("The bars of a test on another branch are underlined, and named in words and in the legend")
  func otherBranch() {
    func moment(_ number: Int, _ branch: String?) -> TestHistory.Moment {
      TestHistory.Moment(
        number: number, commit: CommitID(rawValue: "\(number)"), branch: branch, toolchain: "Swift",
        verdict: .init(state: .passed, duration: 1, isFlaky: false))
    }
    let strip = OutcomeStrip(
      of: TestHistory([moment(3, nil), moment(2, "loom"), moment(1, "main")]), on: "main")
    #expect(strip.label == "3 integrations, oldest first: passed, passed on loom, passed")
    let html = String(decoding: strip.html.bytes, as: UTF8.self)
    #expect(html.matches(of: /<path class="s-ink" d="M(\d+) 30h8"\/>/).map(\.1) == ["12"])
    #expect(OutcomeStrip.legend(of: [strip]) != .missing)
    let own = OutcomeStrip(of: TestHistory([moment(1, "main")]), on: "main")
    #expect(
      !String(decoding: own.html.bytes, as: UTF8.self).contains("s-ink") && OutcomeStrip.legend(of: [own]) == .missing)
  }

  @Test("The bars of strips are explained once below, those that there are")
  func legend() throws {
    let index = String(decoding: try SiteSample.pages().index([SiteSample.greeter], state: nil), as: UTF8.self)
    let legend = try #require(index.firstMatch(of: /<p class="legend strips">(.*?)<\/p>/)?.1)
    let words = legend.matches(of: /<\/svg> ([^<]*)/).map { String($0.1) }
    #expect(words == ["green", "warnings or flaky", "build errors", "red", "canceled"])
    let empty = BotHistory(name: "New", entries: [], withReport: [])
    for bot in [empty, SiteSample.ropewalk].map({ BotHistory(name: $0.name, entries: $0.entries, withReport: []) }) {
      #expect(!String(decoding: try SiteSample.pages().index([bot], state: nil), as: UTF8.self).contains("legend"))
    }
  }

  @Test("A bot has plots from two integrations on, and the axis of its uncovered lines ends above all of them")
  func trends() throws {
    func page(_ count: Int) throws -> String {
      let entries = (1...count).reversed().map { SiteSample.entry($0, .succeeded) }
      return try SiteSample.page(BotHistory(name: "Mill", entries: entries, withReport: []))
    }
    #expect(try !page(1).contains(#"class="plots""#))
    #expect(try page(2).contains(#"class="plots""#))
    let four = try page(4)
    #expect(four.contains(#"<text x="38" text-anchor="end" y="18">25.0%</text>"#), "\(four)")
  }

  @Test("A few uncovered lines of many are not called none")
  func fewUncovered() throws {
    let entries = (1...4).reversed().map { number in
      SiteSample.entry(number, .succeeded) { $0.lines = LineTally(total: 10_000, covered: 9_997) }
    }
    let page = try SiteSample.page(BotHistory(name: "Mill", entries: entries, withReport: []))
    #expect(page.contains("<title>1: 0.1% of all lines uncovered</title>"))
  }

  @Test("The bar of a test that is red and flaky is called both")
  func redAndFlaky() {
    let ends = [(TestState.failed, true), (.passed, true), (.failed, false)]
    let moments = ends.enumerated().map { index, end in
      TestHistory.Moment(
        number: 3 - index, commit: CommitID(rawValue: "\(index)"), branch: "main", toolchain: "Swift",
        verdict: .init(state: end.0, duration: 1, isFlaky: end.1))
    }
    let strip = OutcomeStrip(of: TestHistory(moments), on: "main")
    #expect(strip.label == "3 integrations, oldest first: failed, flaky, failed and flaky")
  }
}

extension String {
  fileprivate func components(of part: String) -> [String] {
    var rest = self[...]
    var found: [String] = []
    while let range = rest.firstRange(of: part) {
      found.append(part)
      rest = rest[range.upperBound...]
    }
    return found
  }
}
