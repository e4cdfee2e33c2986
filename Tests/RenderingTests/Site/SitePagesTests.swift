import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("The site's own pages")
struct SitePagesTests {
  private static let bots = [SiteSample.ropewalk, SiteSample.greeter, SiteSample.almanac]

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func page(_ path: String, of bot: BotHistory) throws -> String {
    let pages = try SiteSample.pages().pages(of: bot, asOf: SiteSample.state)
    return text(try #require(pages.first { $0.path == path }).bytes)
  }

  @Test("The index of bots is what was accepted")
  func index() throws {
    try GoldenFile("site/index.html").compare(
      with: text(try SiteSample.pages().index(Self.bots, state: SiteSample.state)))
  }

  @Test("A bot's page is what was accepted")
  func bot() throws {
    try GoldenFile("site/bot.html").compare(with: page("index.html", of: SiteSample.greeter))
  }

  @Test("A bot's flaky tests have a page, which is what was accepted; without any there is none")
  func flaky() throws {
    func integration(_ number: Int, _ commit: String, _ verdicts: [TestID: TestVerdicts.Verdict]) -> TestVerdicts {
      TestVerdicts(
        number: number, commit: CommitID(rawValue: commit), branch: "main", toolchain: "t", verdicts: verdicts)
    }
    let (often, once) = (
      TestID(module: "GreeterTests", suite: "Clock", name: "ticks<Int>()"),
      TestID(module: "GreeterTests", suite: "", name: "greets()")
    )
    let passed = TestVerdicts.Verdict(state: .passed, duration: 3, isFlaky: false)
    let failed = TestVerdicts.Verdict(state: .failed, duration: 3, isFlaky: false)
    let flaky = TestVerdicts.Verdict(state: .passed, duration: 3, isFlaky: true)
    var bot = SiteSample.greeter
    bot.flakyTests = FlakyTest.all(of: [
      integration(9, "d", [often: flaky, once: passed]), integration(7, "c", [often: failed, once: flaky]),
      integration(6, "b", [often: failed, once: passed]), integration(5, "b", [often: passed, once: passed]),
      integration(3, "a", [often: passed, once: passed]),
    ])
    var seen = GreeterSample.integration()
    seen.number = 9
    seen.tests = TestReport(results: [
      TestResult(
        id: often, library: .swiftTesting, state: .passed, displayName: "The clock ticks",
        location: SourceLocation(file: "Tests/GreeterTests/Clock.swift", line: 12), isFlaky: true,
        attempts: [
          TestAttempt(state: .failed, duration: 1, message: "Expectation failed: 1 == 2"),
          TestAttempt(state: .passed, duration: 1),
        ])
    ])
    var later = seen
    (later.number, later.tests.results[0].attempts[0].message) = (10, "It fails for another reason.")
    bot.flakyCases = FlakyCase.all(of: bot.flakyTests, in: [later, seen].map { IntegrationRecord($0) })
    let states = bot.states
    #expect(bot.alone(states.main, among: states).flakyCases.count == bot.flakyCases.count)
    try GoldenFile("site/flaky.html").compare(with: page("flaky.html", of: bot))
    #expect(
      try page("index.html", of: bot).contains(#"<span><a href="flaky.html">2 flaky tests, newest in 9</a></span>"#))
    let list = try page("flaky.html", of: bot)
    #expect(list.contains(#"<b>2 of 5</b><small class="faint">flaky in <a"#))
    #expect(list.contains("<span>passed and failed on the same commit in 3 of the 5 integrations that ran them</span>"))
    #expect(list.contains("--detach</span> \(seen.commit.id.short) &amp;&amp; for run in $(seq 50); do swift test"))
    #expect(list.components(separatedBy: "<small>first flaky in ").count == 2, "Of the other it is the last one, too.")
    #expect(list.contains(#"<a href="6/index.html"><title>6, failed</title><path "#) && !list.contains(#"href="3/"#))
    let pages = try SiteSample.pages().pages(of: SiteSample.greeter, asOf: nil)
    #expect(!pages.contains { $0.path == "flaky.html" })
  }

  @Test("A red main branch stays red behind a green one, and a red one beside it is named")
  func branches() throws {
    let bot = SiteSample.branched
    let index = text(try SiteSample.pages().index([bot, SiteSample.greeter], state: SiteSample.state))
    try GoldenFile("site/branches-index.html").compare(with: index)
    #expect(index.contains("Greeter and Weaver are red<"))
    let page = try page("index.html", of: bot)
    try GoldenFile("site/branches-bot.html").compare(with: page)
    #expect(page.contains("<h1>Weaver has been red on main since 5</h1>") && !page.contains("green in a row"))
    #expect(page.contains(#"<b><a href="7/coverage.html">20.0%</a></b> of all lines uncovered on main<"#))
    #expect(page.contains(#"<a class="tag" href="branch-feature-loom-0117fa.html">feature/loom</a> "#))
    #expect(page.contains(#"<a href="history.csv">CSV</a>"#))
    for text in [index, page] { #expect(PageMarkup(text).nestingFault == nil) }
  }

  @Test("Each other branch has a page of its own with its trends and integrations")
  func branchPages() throws {
    let pages = try SiteSample.pages().pages(of: SiteSample.branched, asOf: nil)
    #expect(
      pages.map(\.path) == [
        "index.html", "branch-main.html", "branch-release-1-ef1c73.html", "branch-feature-loom-0117fa.html",
        "newest.html", "newest.css", "newest-feature-loom-0117fa.html", "newest-feature-loom-0117fa.css",
        "newest-main.html", "newest-main.css", "newest-release-1-ef1c73.html", "newest-release-1-ef1c73.css",
        "history.csv",
      ])
    let loom = text(pages[3].bytes)
    #expect(!loom.contains(#"id="issues""#))
    #expect(loom.contains("<title>Weaver is green on branch feature/loom · Martlet</title>"))
    #expect(loom.contains("class=\"plots\"") && loom.contains("</b> of all lines uncovered<"))
    #expect(loom.contains("<p>2 in all: 1 succeeded, 1 with warnings</p>") && !loom.contains("red on "))
    #expect(loom.contains("<span>changes since 5, the branch point</span>"), "\(loom)")
    #expect(
      text(pages[0].bytes).contains(
        #"<td class="nowrap"><a href="8/index.html">8</a> <span class="vs">from 5</span></td>"#))
    #expect(loom.contains("<code>martlet compare Weaver/5 8</code>"))
    #expect(!loom.contains("history.csv"))
    #expect(text(pages[0].bytes).contains(#"<a href="branch-feature-loom-0117fa.html">feature/loom</a>"#))
    #expect(PageMarkup(loom).nestingFault == nil)
  }

  @Test("The tests of a bot are red ones of all, or all of them, and the flaky ones are named as such")
  func testsOfBots() throws {
    var bot = SiteSample.ropewalk
    bot.entries[0].tests.flaky = 2
    let index = text(try SiteSample.pages().index([SiteSample.greeter, bot], state: nil))
    let red = #"<a href="Greeter/9/tests.html">4 red</a>"#
    #expect(index.contains(#"<span class="fig">\#(red)</span> <small>of 33 tests</small>"#), "\(index)")
    // A silenced one does not count, and one of another destination does, here and in the baseline.
    var changed = SiteSample.greeter
    changed.entries[0].judgedRed = 2
    (changed.entries[1].tests.failed, changed.entries[1].judgedRed) = (5, 3)
    let counting = text(try SiteSample.pages().index([changed], state: nil))
    #expect(
      counting.contains(#"9/tests.html">2 red</a> <span class="d better">−1</span></span> <small>of 33 tests"#),
      "\(counting)")
    changed.entries[0].judgedRed = 0
    #expect(text(try SiteSample.pages().index([changed], state: nil)).contains(#"9/tests.html">33</a></span>"#))
    let all = #"<span class="fig"><a href="Ropewalk/12/tests.html">30</a></span> <small><span class="unit">"#
    #expect(index.contains(#"\#(all)tests, </span>2 flaky</small>"#), "\(index)")
    (bot.entries[0].tests.passed, bot.entries[0].tests.skipped, bot.entries[0].tests.flaky) = (29, 1, 0)
    let skipping = text(try SiteSample.pages().index([bot], state: nil))
    #expect(skipping.contains(#"\#(all)tests</span></small>"#))
  }

  @Test("A branch is compared with the integration that it came from, wherever its main branch is by now")
  func branchPoint() throws {
    var bot = SiteSample.branched
    bot.entries[0].lines = LineTally(total: 200, covered: 150, partial: 3)
    let uncovered = #"<a href="8/coverage.html">50</a> <span class="d worse">+10</span></td>"#
    #expect(try page("index.html", of: bot).contains(uncovered))
    #expect(!(try page("branch-release-1-ef1c73.html", of: bot).contains("branch point")))
  }

  @Test("A report is led to the newest of its own branch, and to no neighbour that it lacks")
  func newestOfBranch() throws {
    let bot = SiteSample.branched
    let pages = try SiteSample.pages().pages(of: bot, asOf: nil)
    let sheets = pages.filter { $0.path.hasSuffix(".css") }.map { text($0.bytes) }
    #expect(
      sheets.map { $0.split(separator: "\"").dropFirst(3).first.map(String.init) } == [
        " on main: 7, test failures", " on feature/loom: 8, succeeded", " on main: 7, test failures",
        " on release/1: 4, build errors",
      ])
    #expect(
      pages.first { $0.path == "newest-feature-loom-0117fa.html" }.map { text($0.bytes).contains("url=8/index.html") }
        == true)
    let own = try SiteSample.pages().steps(of: bot).filter { $0.path == "7/newest.css" || $0.path == "7/newest.html" }
    #expect(
      own.map { text($0.bytes) }.first == """
        @charset "utf-8";
        @import "../newest-main.css";
        .turn .previous { display: none; }
        .turn :is(.next, .newest) { display: none; }

        """)
    #expect(own.last.map { text($0.bytes).contains("url=../newest-main.html") } == true)
    #expect(
      own.last.map { text($0.bytes).contains(#"href="../newest-main.html">the newest integration on main</a></h1>"#) }
        == true)
  }

  @Test("A report's sheet numbers the links to its neighbours, as pages are written before they are known")
  func neighbours() throws {
    let steps = try SiteSample.pages().steps(of: SiteSample.greeter)
    let sheets = Dictionary(
      uniqueKeysWithValues: steps.filter { $0.path.hasSuffix(".css") }.map { ($0.path, text($0.bytes)) })
    let middle = try #require(sheets["6/newest.css"])
    #expect(
      middle.contains(".turn .previous a::after { content: \" 5\"; }\n.turn .next a::after { content: \" 7\"; }\n"))
    #expect(try #require(sheets["9/newest.css"]).hasSuffix(".turn :is(.next, .newest) { display: none; }\n"))
    #expect(
      try #require(sheets["7/newest.css"]).hasSuffix("content: \" 6\"; }\n.turn .next { display: none; }\n"),
      "That of the newest leads there.")
  }

  @Test("Amber bots are not counted as fine beside a red one, and an amber result is not called green")
  func amber() throws {
    let amber = BotHistory(name: "Amber", entries: [SiteSample.entry(1, .warnings)], withReport: [])
    let index = text(try SiteSample.pages().index([SiteSample.greeter, SiteSample.ropewalk, amber], state: nil))
    #expect(index.contains("1 green, 1 with warnings"), "\(index)")
    let red = BotHistory(
      name: "Red", entries: [SiteSample.entry(2, .testFailures, red: 1), SiteSample.entry(1, .warnings)],
      withReport: [1])
    #expect(
      try page("index.html", of: red).contains(
        #"<span>last passed: <a href="1/index.html">1 (with warnings) · "#))
  }

  @Test("A branch that was deleted leaves no word of its state, only its integrations")
  func deletedBranch() throws {
    var bot = SiteSample.branched
    bot.branches = SiteSample.known(["main"])
    let page = try page("index.html", of: bot)
    #expect(page.contains("<h1>Weaver has been red since 5</h1>"))
    #expect(!page.contains("red on ") && !page.contains("h-branches"))
    #expect(page.contains(#"<span class="tag">release/1</span>"#))
    #expect(!text(try SiteSample.pages().index([bot], state: nil)).contains("red on "))
  }

  @Test("A bot whose default branch has no result yet is called neither green nor red by another")
  func defaultWithoutResult() throws {
    var bot = SiteSample.branched
    bot.branches = SiteSample.known(["trunk", "feature/loom"], head: "trunk")
    #expect(text(try SiteSample.pages().index([bot], state: nil)).contains("Weaver has no result yet"))
    #expect(try page("index.html", of: bot).contains("<h1>Weaver has no result on trunk yet</h1>"))
  }

  @Test("The index without a watcher has no queue, and the one without bots says what to do")
  func withoutWatcher() throws {
    let alone = text(try SiteSample.pages().index([SiteSample.greeter], state: nil))
    #expect(!alone.contains("h-queue"))
    #expect(alone.contains("Greeter is red"))
    let empty = text(try SiteSample.pages().index([], state: nil))
    #expect(empty.contains("No bot yet"))
    #expect(empty.contains("martlet bots new NAME --repository PATH"))
  }

  @Test("The sentence names what is red first, and no more than it can hold")
  func sentence() throws {
    let many = (1...9).map {
      BotHistory(name: "Bot-of-\($0)", entries: [SiteSample.entry(1, .buildErrors)], withReport: [])
    }
    let page = text(try SiteSample.pages().index(many + [SiteSample.ropewalk], state: nil))
    #expect(page.contains("9 bots do not build<"))
    #expect(page.contains("1 green<"))
  }

  @Test("Policy, links and text hold as on every page")
  func markup() throws {
    let texts = [
      text(try SiteSample.pages().index(Self.bots, state: SiteSample.state)),
      try page("index.html", of: SiteSample.greeter), try page("index.html", of: SiteSample.almanac),
    ]
    for text in texts {
      let markup = PageMarkup(text)
      #expect(text.contains(PageMarkup.followingPolicy))
      #expect(!text.contains("<Almanac>"))
      #expect(markup.tags.allSatisfy { tag in tag.attributes.allSatisfy { $0.name != "style" } })
      #expect(markup.tags.count { $0.name == "h1" } == 1)
    }
  }

  @Test("The page for a report that was removed is what was accepted, and holds no link that leads astray")
  func removed() throws {
    let entry = try #require(SiteSample.greeter.entries.last)
    let page = text(try SiteSample.pages().removed(entry, of: SiteSample.greeter))
    try GoldenFile("site/removed.html").compare(with: page)
    let markup = PageMarkup(page)
    #expect(markup.nestingFault == nil)
    #expect(page.contains(PageMarkup.policy))
    #expect(
      Set(markup.values(of: "href").filter { !$0.hasPrefix("#") })
        == ["../../style.css", "../../index.html", "../index.html"])
  }

  @Test("A build that failed has no count of tests, and has not lost any")
  func noTests() throws {
    var bot = SiteSample.greeter
    bot.entries.insert(SiteSample.entry(10, .buildErrors, listed: 0, uncovered: nil) { $0.listedChange = -33 }, at: 0)
    let page = try page("index.html", of: bot)
    #expect(page.contains("<b>–</b> tests listed</figcaption>"))
    #expect(!page.contains("−33"))
    let index = text(try SiteSample.pages().index([bot], state: nil))
    #expect(index.contains("<small>no tests ran</small>") && !index.contains("−33"))
  }

  @Test("What is silenced is told wherever an outcome is better for it")
  func silenced() throws {
    var bot = SiteSample.greeter
    let newest = try #require(bot.entries.indices.first { bot.entries[$0].outcome.isConclusive })
    func pages() throws -> [String] {
      let pages = try SiteSample.pages()
      return [
        text(try pages.index([bot], state: nil)), try page("index.html", of: bot),
        text(try pages.removed(bot.entries[newest], of: bot)),
      ]
    }
    #expect(try pages().allSatisfy { !$0.contains("silenced issue") })
    bot.entries[newest].silencedIssues = 2
    let isGreen = bot.entries[newest].outcome.isGreen
    #expect(try pages().map { $0.contains("2 silenced issues") } == [true, isGreen, true])
  }

  @Test("Of many issues the first are listed, and how many are left is said")
  func issues() throws {
    var bot = SiteSample.greeter
    var integration = IssueSample.report.integration
    integration.issues = (1...23).map { Issue(id: "w-\($0)", kind: .warning, message: "careless") }
    integration.issues[22].status = .silenced
    bot.issues = BotIssueList(of: IntegrationRecord(integration)) { $0 == "issues.html" }
    let page = try page("index.html", of: bot)
    #expect(page.contains("<p>22 open, all since 42; 1 silenced</p>"))
    #expect(page.contains(#"<a href="42/issues.html">3 more issues</a>"#))
    integration.issues = []
    bot.issues = BotIssueList(of: IntegrationRecord(integration)) { _ in false }
    #expect(try self.page("index.html", of: bot).contains("<p>none open "))
  }

  @Test("The page of a branch lists the issues of that branch, and the bot's those of the main one")
  func branchIssues() throws {
    func issues(_ branch: String, _ id: String, _ message: String) -> BotIssueList {
      var integration = IssueSample.report.integration
      integration.branch = branch
      var gate = Issue(id: id, kind: .gate, message: "80% patch gate: \(message)")
      gate.subject = .gate("patch=80")
      integration.issues = [gate]
      return BotIssueList(of: IntegrationRecord(integration)) { _ in false }
    }
    var bot = SiteSample.branched
    bot.issues = issues("main", "g-1", "main lost lines")
    bot.branchIssues = ["feature/loom": issues("feature/loom", "g-2", "loom lost lines")]
    let pages = try SiteSample.pages().pages(of: bot, asOf: nil)
    for (path, own, other) in [
      ("index.html", "main", "loom"), ("branch-main.html", "main", "loom"),
      ("branch-feature-loom-0117fa.html", "loom", "main"),
    ] {
      let page = text(try #require(pages.first { $0.path == path }).bytes)
      #expect(page.contains("80% patch gate: \(own) lost lines"), "\(path)")
      #expect(!page.contains("\(other) lost lines"), "\(path)")
    }
    let other = text(try #require(pages.first { $0.path.hasPrefix("branch-release") }).bytes)
    #expect(!other.contains("lost lines"))
  }

  @Test("Of many branches a few are shown and the others folded away")
  func manyBranches() throws {
    let names = ["main"] + (1...9).map { "topic-\($0)" }
    let bot = BotHistory(
      name: "Wide",
      entries: names.enumerated().map { index, name in SiteSample.entry(10 - index, .succeeded) { $0.branch = name } },
      withReport: [], branches: SiteSample.known(names))
    let page = try page("index.html", of: bot)
    let parts = page.components(separatedBy: "<summary>6 more branches</summary>")
    #expect(parts.count == 2)
    #expect(parts.first?.contains(">topic-3</a>") == true && parts.last?.contains(">topic-4</a>") == true)
    #expect(PageMarkup(page).nestingFault == nil)
  }

  @Test("A long history has pages of two hundred, linked both ways, and reports that are gone have no link")
  func paging() throws {
    let long = BotHistory(
      name: "Long", entries: (1...450).reversed().map { SiteSample.entry($0, .succeeded) }, withReport: [450])
    let pages = try SiteSample.pages().pages(of: long, asOf: nil)
    #expect(
      pages.map(\.path) == [
        "index.html", "history-2.html", "history-3.html", "newest.html", "newest.css", "newest-main.html",
        "newest-main.css", "history.csv",
      ])
    let first = text(pages[0].bytes)
    #expect(first.contains(#"href="450/index.html""#))
    #expect(!first.contains(#"href="449/index.html""#))
    #expect(first.contains(#"href="history-2.html""#))
    #expect(text(pages[2].bytes).contains(#"href="history-2.html""#))
    #expect(pages.allSatisfy { $0.bytes.count < 1_000_000 })
  }

  @Test("The same histories give the same bytes")
  func deterministic() throws {
    let one = try SiteSample.pages().pages(of: SiteSample.greeter, asOf: SiteSample.state).map(\.bytes)
    let other = try SiteSample.pages().pages(of: SiteSample.greeter, asOf: SiteSample.state).map(\.bytes)
    #expect(one == other)
  }

  @Test("The figures as CSV quote what needs it and never become formulas")
  func csv() throws {
    var entry = SiteSample.entry(1, .succeeded)
    entry.subject = "=HYPERLINK(\"x\"), \"quoted\""
    let bot = BotHistory(name: "B", entries: [entry], withReport: [])
    let text = try page("history.csv", of: bot)
    #expect(text.contains(#""'=HYPERLINK(""x""), ""quoted""""#))
    // An accent makes another character of the sign to Swift, but not to a spreadsheet.
    entry.subject = "=\u{301}1+1"
    #expect(String(decoding: HistoryTable([entry], time: .utc).bytes, as: UTF8.self).contains("'=\u{301}1+1"))
    #expect(text.hasPrefix("number,outcome,branch,commit,"))
    #expect(text.split(separator: "\r\n").count == 2)
    entry.reasonCodes = [.gateFailed("patch=80"), .gateFailed("no-lost-coverage")]
    let gates = String(decoding: HistoryTable([entry], time: .utc).bytes, as: UTF8.self)
    #expect(gates.contains(",tag,failedGates\r\n") && gates.hasSuffix(",patch=80; no-lost-coverage\r\n"))
    entry.subject = "a\"\u{301},b"
    #expect(
      try page("history.csv", of: BotHistory(name: "B", entries: [entry], withReport: []))
        .contains("\"a\"\"\u{301},b\""))
  }
}
