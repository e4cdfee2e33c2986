import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("The page of a bot")
struct BotPageTests {
  @Test(
    "Of a bot without branches in its file the page names the one that HEAD points to, as far as it is known",
    arguments: [
      ([], true, true), ([], false, false), (["main"], true, false), (nil, true, false),
    ] as [([String]?, Bool, Bool)])
  func head(globs: [String]?, isKnown: Bool, isNamed: Bool) throws {
    var bot = SiteSample.greeter
    bot.branches = isKnown ? SiteSample.known(["main"]) : nil
    bot.state?.branches = globs
    bot.state?.settings = [.init("Repository", "/srv/git"), .init("Schedule", "on commit")]
    let branch = isNamed ? "<dt>Branch</dt><dd>main (HEAD)</dd>" : ""
    #expect(
      try SiteSample.page(bot).contains(
        "<dt>Repository</dt><dd>/srv/git</dd>\(branch)<dt>Schedule</dt><dd>on commit</dd>"))
  }

  @Test("A result that is too long for two lines has all of it in its title")
  func longResult() throws {
    var bot = SiteSample.greeter
    bot.entries[0].reasons = [
      "The first reason is as long as some of them are.", "So is the other, which has no number.",
    ]
    let whole = "The first reason is as long as some of them are; So is the other, which has no number"
    let words = "The first reason is as long as some of them are, 1 more reason"
    #expect(try SiteSample.page(bot).contains(#"<td class="result"><span title="\#(whole)">\#(words)</span></td>"#))
  }

  @Test("What a bot asks for although no branch has such a name is said below its heading")
  func noSuchBranch() throws {
    var bot = SiteSample.greeter
    bot.branches = SiteSample.known(["main"])
    bot.state?.branches = ["main", "metric", "release/*"]
    bot.state?.settings = [
      .init("Repository", "/srv/git"), .init("Branches", "main, metric, release/*"), .init("Schedule", "on commit"),
    ]
    #expect(try SiteSample.page(bot).contains("<span>No such branch: metric, release/*</span>"))
    #expect(try SiteSample.page(bot).contains("<dd>main, metric, release/*</dd><dt>Schedule</dt>"))
    bot.branches = SiteSample.known(["main", "metric", "release/1"])
    #expect(try !SiteSample.page(bot).contains("No such branch"))
    // What is gone was there.
    bot.branches = SiteSample.known(["main", "metric"])
    bot.entries.append(SiteSample.entry(1, .succeeded) { $0.branch = "release/0.9" })
    #expect(try !SiteSample.page(bot).contains("No such branch"))
  }

  @Test("Dates of the history have no day on the day of the page, and no year in its year")
  func dates() throws {
    var bot = SiteSample.greeter
    bot.entries[7].startedAt = SiteSample.start.addingTimeInterval(-86_400)
    let page = try SiteSample.page(bot, asOf: SiteSample.state)
    let dates = page.matches(of: /<td class="nowrap dim" data-v="\d+"><time datetime="[^"]*">([^<]*)</).map {
      String($0.1)
    }
    #expect(dates.count == 8 && dates.first == "18:00" && dates.last == "19 Nov, 09:00", "\(dates)")
  }

  @Test("Counts that the table of branches has are not said above it again")
  func countedOnce() throws {
    var bot = SiteSample.branched
    bot.entries[1].openIssues = 3
    func facts() throws -> String {
      String(try #require(try SiteSample.page(bot).firstMatch(of: /<p class="facts">.*/)).0)
    }
    let beside = try facts()
    #expect(!beside.contains("tests red") && !beside.contains("open issues"))
    bot.branches = SiteSample.known(["main"])
    let alone = try facts()
    #expect(alone.contains("2 of 30 tests red") && alone.contains(">3 open issues<"))
    bot.entries[1].newIssues = 2
    #expect(try facts().contains(">3 open issues<"), "How many are new stands above their list.")
    bot.entries[1].tests.notRun = 3
    let counted = try facts()
    #expect(counted.contains(">2 of 33 tests red</a>"))
    #expect(counted.contains(#"<span><a href="7/tests.html">3 not run</a></span>"#))
    var integration = IssueSample.report.integration
    (integration.number, integration.issues) = (7, [Issue(id: "t-1", kind: .testFailure, message: "late")])
    bot.issues = BotIssueList(of: IntegrationRecord(integration)) { _ in false }
    #expect(try !facts().contains("open issues"), "What made it red says how many others there are.")
  }

  @Test("The place of an issue that was not checked leads to the integration that last saw it, while that is kept")
  func lastPlace() throws {
    let location = SourceLocation(file: "Sources/Mill/Mill.swift", line: 3)
    var issue = Issue(id: "e-1", kind: .error, message: "late", location: location)
    (issue.status, issue.isCarriedOver) = (.unresolved, true)
    var integration = IssueSample.report.integration
    (integration.number, integration.issues) = (7, [issue])
    let record = IssueRecord(
      id: issue.id, kind: issue.kind, message: issue.message, location: location, test: nil,
      streaks: [.init(opened: 5, lastSeen: 6)])
    integration.issueMemory = IssueMemory(
      number: 7, commit: integration.commit.id, reached: [], records: [record])
    let entries = [7, 6].map { SiteSample.entry($0, .buildErrors) }
    var bot = BotHistory(name: "Mill", entries: entries, withReport: [6, 7])
    bot.issues = BotIssueList(of: IntegrationRecord(integration)) { _ in true }
    #expect(try SiteSample.page(bot).contains(#"<a href="6/index.html?page=issues/e-1.html#source">"#))
    bot.withReport = [7]
    #expect(try !SiteSample.page(bot).contains("#source"))
  }

  @Test("What keeps a bot from running is in its heading only, and what to do about it below")
  func cannotRun() throws {
    var bot = SiteSample.almanac
    bot.waiting = [SiteSample.waiting]
    bot.state?.hindrance = WatchState.Hindrance(
      reason: "no machine has the label gpu", remedy: "The only label is local. Buy one.")
    bot.state?.problems = ["It sends nothing."]
    let page = try SiteSample.page(bot)
    #expect(page.contains("<title>Almanac cannot run: no machine has the label gpu · Martlet</title>"))
    #expect(page.contains("<h1>Almanac cannot run: no machine has the label gpu</h1>"))
    let remedy = "<p class=\"lead\">The only label is local. Buy one.</p>\n<p class=\"lead\">It sends nothing.</p>"
    #expect(page.contains(remedy))
    #expect(page.contains(#"<td class="dim">waiting</td>"#))
    #expect(page.contains("<p>none yet</p>") && !page.contains("Integrations, newest first"))
    #expect(!page.contains("history.csv"), "There is nothing in it yet.")
    bot.running = [SiteSample.running]
    let running = try SiteSample.page(bot)
    #expect(running.contains("<h1>Almanac has not integrated yet</h1>"))
    let words = "No machine has the label gpu. The only label is local. Buy one."
    #expect(running.contains("<p class=\"lead\">\(words)</p>"))
  }

  @Test("A problem that keeps no bot from running is not called what does")
  func problem() throws {
    var bot = SiteSample.almanac
    bot.state?.problems = ["It sends nothing. Mend the token."]
    let page = try SiteSample.page(bot)
    #expect(page.contains("<h1>Almanac has not integrated yet</h1>"))
    #expect(page.contains(#"<p class="lead">It sends nothing. Mend the token.</p>"#))
  }

  @Test("The link to all issues counts those that are gone")
  func resolved() throws {
    var document = IntegrationRecord(IssueSample.report.integration)
    func record(_ id: String, closed: Int?) -> IssueRecord {
      IssueRecord(
        id: id, kind: .warning, message: "careless", location: nil, test: nil,
        streaks: [.init(opened: 1, lastSeen: 2, closed: closed)])
    }
    document.issueMemory = IssueMemory(
      number: 42, commit: document.commit.id, reached: [],
      records: [record("w-1", closed: 3), record("w-2", closed: nil), record("w-3", closed: 7)])
    var bot = SiteSample.greeter
    bot.issues = BotIssueList(of: document) { $0 == "issues.html" }
    #expect(try SiteSample.page(bot).contains(#"href="42/issues.html">All issues (2 resolved)</a>"#))
    document.issueMemory = nil
    bot.issues = BotIssueList(of: document) { $0 == "issues.html" }
    #expect(try SiteSample.page(bot).contains(">All issues</a>"))
    // A report without issues has no page of them.
    bot.issues = BotIssueList(of: document) { _ in false }
    #expect(try !SiteSample.page(bot).contains("All issues"))
  }

  @Test("After a build that failed, changes are against the last one that built, and so is the link beside them")
  func built() throws {
    var bot = BotHistory(
      name: "Mill",
      entries: [
        SiteSample.entry(3, .testFailures, listed: 35, red: 2) {
          ($0.baseline, $0.coverageBaseline, $0.listedChange, $0.uncoveredChange) = (2, 1, nil, 6)
        },
        SiteSample.entry(2, .buildErrors, listed: 0) { ($0.baseline, $0.listedChange) = (1, nil) },
        SiteSample.entry(1, .testFailures, listed: 33, red: 1) { ($0.baseline, $0.listedChange) = (nil, nil) },
      ], withReport: [3])
    bot.withComparison = [3]
    let without = try SiteSample.page(bot)
    #expect(without.contains(#" <a class="vs" href="3/compare.html" title="Compare with 2">vs 2</a>"#))
    let plain = #"<b class="st is-failed">2 red</b> of <a href="3/tests.html">35</a></td>"#
    #expect(without.contains(plain) && !without.contains("+6</span>"), "No change is against 2.")
    bot.withBuiltComparison = [3]
    let page = try SiteSample.page(bot)
    #expect(page.contains(#" <a class="vs" href="3/compare-built.html" title="Compare with 1">vs 1</a>"#))
    let tests =
      #"<b class="st is-failed">2 red</b> <span class="d worse">+1</span> of "#
      + #"<a href="3/tests.html">35</a> <span class="d ">+2</span></td>"#
    #expect(page.contains(tests))
    #expect(page.contains(#"<span class="d worse">+6</span>"#))
  }

  @Test("Red tests have their change against the baseline as other figures have")
  func redChange() throws {
    let bot = BotHistory(
      name: "Mill",
      entries: [SiteSample.entry(3, .testFailures, red: 3) { ($0.redChange, $0.listedChange) = (2, nil) }],
      withReport: [])
    #expect(
      try SiteSample.page(bot).contains(
        #"<b class="st is-failed">3 red</b> <span class="d worse">+2</span> of 30</td>"#))
  }

  @Test(
    "The change of red tests adds up, and is no better if they are only silenced",
    arguments: [
      // Those that are red in all, and those that count: before, and now.
      ([4, 4], [3, 2], "−2", "better"), ([4, 4], [4, 3], "−1", ""), ([5, 3], [4, 2], "−1", "better"),
      ([4, 2], [4, 4], "+2", "worse"), ([1, 1], [3, 2], "+1", "worse"),
    ])
  func silencedSince(before: [Int], now: [Int], text: String, tone: String) {
    func line(_ counts: [Int]) -> HistoryLine {
      SiteSample.entry(9, .testFailures, red: counts[0]) { $0.judgedRed = counts[1] }
    }
    let delta = line(now).redDelta(since: line(before))
    #expect(delta?.text == text && delta?.tone == tone)
  }

  @Test(
    "The page counts as red what makes the bot red, as the index does: no silenced tests, and those of other destinations"
  )
  func counting() throws {
    var bot = SiteSample.greeter
    func row() throws -> String {
      try String(#require(SiteSample.page(bot).firstMatch(of: #/data-l="tests" data-v="33">(.*?)<\/td>/#)).1)
    }
    bot.entries[1].tests = bot.entries[0].tests
    (bot.entries[0].judgedRed, bot.entries[1].judgedRed) = (4, 4)
    let same = try row()
    #expect(same.contains("4 red</b> of"), "\(same)")
    bot.entries[0].judgedRed = 2
    #expect(try row().contains(#"2 red</b> <span class="d ">−2</span> of"#), "What is only silenced is not repaired.")
    (bot.entries[1].tests.failed, bot.entries[1].judgedRed) = (5, 5)
    #expect(try row().contains(#"2 red</b> <span class="d better">−3</span> of"#))
    bot.entries[0].judgedRed = 0
    #expect(try !SiteSample.page(bot).contains("9/tests.html\">4 of") && !row().contains(" red</b>"))
    // Of all red ones only the document tells the change, where the earlier integration is not listed.
    bot.entries = [bot.entries[0]]
    (bot.entries[0].judgedRed, bot.entries[0].redChange) = (2, 4)
    #expect(try row().contains("2 red</b> of"))
  }
}
