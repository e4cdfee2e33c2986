@testable import Model
import Testing

@testable import Rendering

@Suite("The page of a branch")
struct BranchPageTests {
  private func page(_ path: String, of bot: BotHistory) throws -> String {
    let pages = try SiteSample.pages().pages(of: bot, asOf: nil)
    return String(decoding: try #require(pages.first { $0.path == path }).bytes, as: UTF8.self)
  }

  /// Green on its main branch in 1, 3 and 4, and red on another, which came from 1, since 2.
  private func bot(_ change: (inout HistoryLine) -> Void = { _ in }) -> BotHistory {
    BotHistory(
      name: "Mill",
      entries: [
        SiteSample.entry(5, .testFailures, red: 1) {
          ($0.branch, $0.branchPoint, $0.baseline, $0.openIssues, $0.redChange) = ("topic", 1, 2, 2, -1)
          change(&$0)
        },
        SiteSample.entry(4, .succeeded), SiteSample.entry(3, .succeeded),
        SiteSample.entry(2, .testFailures, red: 2) {
          ($0.branch, $0.branchPoint, $0.baseline, $0.openIssues) = ("topic", 1, 1, 3)
        }, SiteSample.entry(1, .succeeded),
      ], withReport: [1, 2, 3, 4, 5], branches: SiteSample.known(["main", "topic"]))
  }

  private static let topic = BotPage.path(of: "topic")

  /// The number of an integration, with the link to its report.
  private static func link(_ number: Int) -> String { #"<a class="up" href="\#(number)/index.html">\#(number)</a>"# }

  @Test("Figures of a bot with several branches say of which branch they are, on its page and in the index")
  func place() throws {
    #expect(try page("index.html", of: bot()).contains("<span>3 green in a row on main</span>"))
    let index = String(decoding: try SiteSample.pages().index([bot()], state: nil), as: UTF8.self)
    #expect(index.contains("</time>), 3 green in a row on main</span>"))
    #expect(index.contains("<title>The last 3 integrations on main, oldest first: "))
    #expect(index.contains(#"data-l="last 3 on main""#))
    let single = BotHistory(
      name: "Mill", entries: [SiteSample.entry(2, .succeeded), SiteSample.entry(1, .succeeded)], withReport: [])
    #expect(try page("index.html", of: single).contains("<span>2 green in a row</span>"))
  }

  @Test("The page of a branch has its counts with their changes since the branch point, and nothing of the whole bot")
  func changes() throws {
    var bot = bot()
    let test = TestID(module: "MillTests", suite: "Wheel", name: "turns()")
    let flaky = TestVerdicts.Verdict(state: .passed, duration: 1, isFlaky: true)
    bot.flakyTests = FlakyTest.all(of: [
      TestVerdicts(number: 5, commit: CommitID(rawValue: "a"), branch: "topic", toolchain: "t", verdicts: [test: flaky])
    ])
    let index = try page("index.html", of: bot)
    #expect(index.contains("turns() flaky in "))
    let red = #"<b class="st is-failed">1 red</b> <span class="d worse">+1</span>"#
    #expect(index.contains(##"data-l="tests">\##(red) of <a href="5/tests.html">30</a></td>"##), "\(index)")
    let page = try page(Self.topic, of: bot)
    #expect(page.contains(#"<a href="5/tests.html">1 of 30 tests red</a> <span class="d worse">+1</span>"#), "\(page)")
    #expect(page.contains(##"<a href="5/index.html#issues">2 open issues</a> <span class="d worse">+2</span>"##))
    #expect(page.contains(#"<span>changes since <a href="1/index.html">1, the branch point</a></span>"#))
    for part in ["flaky in ", "history.csv", "h-branches"] { #expect(!page.contains(part), "\(part)") }
  }

  @Test("The pages of branches lead to each other by one line with the state of each")
  func line() throws {
    func tab(_ branch: String, _ glyph: String, _ word: String, isCurrent: Bool) -> String {
      ##"<li><a href="\##(BotPage.path(of: branch))"\##(isCurrent ? " aria-current=page" : "")><svg class="g is-\##(glyph)" role="img" aria-label="\##(word)"><use href="#\##(glyph)"/></svg> \##(branch)</a>"##
    }
    for current in ["main", "topic"] {
      let page = try page(BotPage.path(of: current), of: bot())
      let tabs =
        tab("main", "passed", "Succeeded", isCurrent: current == "main") + "\n"
        + tab("topic", "failed", "Red", isCurrent: current == "topic")
      #expect(page.contains("<nav class=tabs aria-label=Branches><ul>\n\(tabs)\n</ul></nav>"), "\(page)")
    }
    #expect(try !page("index.html", of: bot()).contains("class=tabs"))
    // Of many branches the first, and the one of the page.
    let names = ["main"] + (1...20).map { "topic-\($0)" }
    let wide = BotHistory(
      name: "Wide",
      entries: names.enumerated().map { index, name in SiteSample.entry(30 - index, .succeeded) { $0.branch = name } },
      withReport: [], branches: SiteSample.known(names))
    let last = try page(BotPage.path(of: "topic-20"), of: wide)
    #expect(last.contains("</svg> topic-11</a>") && !last.contains("</svg> topic-12</a>"))
    #expect(last.contains("</svg> topic-20</a>"))
    #expect(last.contains(##"<li><a href="index.html#branches">8 more branches</a>"##))
    #expect(PageMarkup(last).nestingFault == nil)
  }

  @Test("A branch whose newest result mended it says so, with what there is more or less of than at its branch point")
  func mended() throws {
    let bot = bot {
      $0 = SiteSample.entry(5, .succeeded, listed: 31)
      ($0.branch, $0.branchPoint, $0.baseline) = ("topic", 1, 2)
    }
    let page = try page(Self.topic, of: bot)
    #expect(page.contains("<h1>Mill went green on branch topic in 5</h1>"))
    #expect(page.contains(#"<a href="5/tests.html">31 tests</a> <span class="d ">+1</span>"#), "\(page)")
  }

  @Test("It is compared with its branch point by a link where a page does just that, otherwise by a command")
  func comparison() throws {
    let command = "<code>martlet compare Mill/1 5</code>"
    let link = #"changes since <a href="5/compare.html">1, the branch point</a>"#
    for (baseline, hasPage, hasLink) in [(2, true, false), (1, false, false), (1, true, true)] {
      var bot = bot { $0.baseline = baseline }
      bot.withComparison = hasPage ? [5] : []
      let page = try page(Self.topic, of: bot)
      #expect(page.contains(link) == hasLink && page.contains(command) == !hasLink, "\(baseline) \(hasPage)")
    }
    var bot = bot { $0.baseline = 2 }
    bot.withBranchComparison = [5]
    #expect(
      try page(Self.topic, of: bot).contains(#"<a href="5/compare-branch.html">1, the branch point</a>"#))
    #expect(
      String(decoding: try SiteSample.pages().index([bot], state: nil), as: UTF8.self)
        .contains("topic</a> since 2 · jon</span>"))
    let row = #"<a class="vs" href="5/compare-branch.html" title="Compare with the branch point">vs 1</a>"#
    #expect(try page("index.html", of: bot).contains(row))
  }

  @Test("The page of the default branch is told from that of the bot")
  func defaultBranch() throws {
    let page = try page(BotPage.path(of: "main"), of: bot())
    #expect(page.contains("<title>Mill is green on branch main · Martlet</title>"))
    #expect(page.contains("<h1>Mill is green on branch main</h1>"))
    #expect(page.contains("<p>3 in all: 3 succeeded</p>"), "\(page)")
    #expect(PageMarkup(page).nestingFault == nil)
  }

  @Test("The index says what made the only other red branch so")
  func finding() throws {
    var integration = IssueSample.report.integration
    integration.issues = [Issue(id: "t-1", kind: .testFailure, message: "late")]
    var bot = bot()
    func index() throws -> String { String(decoding: try SiteSample.pages().index([bot], state: nil), as: UTF8.self) }
    #expect(try index().contains("</a> since 2 · jon</span>"))
    bot.branchIssues = ["topic": BotIssueList(of: IntegrationRecord(integration)) { _ in true }]
    #expect(try index().contains("</a> since 2<span class=\"say finding\"><span class=\"cause\"><a class=\"name\""))
    // The list has to be that of its newest result.
    integration.number = 5
    bot.branchIssues = ["topic": BotIssueList(of: IntegrationRecord(integration)) { _ in true }]
    // Its page leads with that where the main branch is not red, and the row does not say it again.
    #expect(try page("index.html", of: bot).contains(#"<td class="wide">Red since \#(Self.link(2))</td>"#))
    let lead = #"<p class="lead"><a class="tag" href="branch-topic.html">topic</a> <span class="cause">"#
    #expect(try page("index.html", of: bot).contains(lead))
    #expect(try !page(Self.topic, of: bot).contains(lead))
    bot.entries[1].outcome = .testFailures
    #expect(try !page("index.html", of: bot).contains(lead))
  }

  @Test("What made the main branch red now is in its row as in those of other branches")
  func findingOfMain() throws {
    var bot = bot()
    bot.entries[1].outcome = .testFailures
    bot.entries[1].reasons = ["It went wrong."]
    bot.entries[1].tests.failed = 1
    #expect(try page("index.html", of: bot).contains(#"<td class="wide">It went wrong</td>"#))
    var integration = IssueSample.report.integration
    (integration.number, integration.issues) = (4, [Issue(id: "t-1", kind: .testFailure, message: "late")])
    bot.issues = BotIssueList(of: IntegrationRecord(integration)) { _ in true }
    #expect(try page("index.html", of: bot).contains(#"<td class="wide">It went wrong</td>"#))
  }

  @Test("What makes a branch red is told as of the newest integration where it was red for something else before")
  func redForSomethingElse() throws {
    var integration = IssueSample.report.integration
    func issues(since start: Int) -> BotIssueList {
      var issue = Issue(id: "t-1", kind: .testFailure, message: "late")
      (issue.status, issue.life) = (.unresolved, IssueLife(firstSeen: start, streakStart: start, streakAge: 1))
      (integration.number, integration.issues) = (5, [issue])
      return BotIssueList(of: IntegrationRecord(integration)) { _ in false }
    }
    var bot = bot()
    func index() throws -> String { String(decoding: try SiteSample.pages().index([bot], state: nil), as: UTF8.self) }
    func row() throws -> Bool {
      try page("index.html", of: bot).contains(
        #"Red since \#(Self.link(2)); in \#(Self.link(5)): <span class="cause"><b class="name">late</b></span>"#)
    }
    for (start, isLater) in [(2, false), (5, true)] {
      bot.branchIssues = ["topic": issues(since: start)]
      #expect(try index().contains("</a> since 2<span class=\"say finding\">In 5: <span class=\"cause\">") == isLater)
      #expect(try page(Self.topic, of: bot).contains(#"<p class="lead">In 5: <span class="cause">"#) == isLater)
      // Beside a main branch that is red, its row says so.
      bot.entries[1].outcome = .testFailures
      #expect(try row() == isLater)
      bot.entries[1].outcome = .succeeded
    }
  }

  @Test("A branch that is only incomplete is not called red")
  func incomplete() throws {
    var bot = bot { $0.outcome = .incomplete }
    func row(_ words: String) -> String {
      #"<td class="wide">\#(words) \#(Self.link(2)); in \#(Self.link(5)): Incomplete</td>"#
    }
    #expect(try page("index.html", of: bot).contains("<h1>Mill is green on main but incomplete on branch topic</h1>"))
    #expect(try page("index.html", of: bot).contains(row("Not green since")))
    bot.entries[3].outcome = .incomplete
    #expect(try page("index.html", of: bot).contains(row("Incomplete since")))
    func index() throws -> String { String(decoding: try SiteSample.pages().index([bot], state: nil), as: UTF8.self) }
    #expect(try index().contains(">Mill is incomplete on branch topic</h1>"))
    // With one of another kind.
    bot.branches = nil
    bot.entries.insert(SiteSample.entry(6, .testFailures, red: 1) { $0.branch = "other" }, at: 0)
    #expect(try index().contains(">Mill is not green on 2 other branches</h1>"))
    let tag = SiteSample.entry(6, .incomplete) { ($0.branch, $0.tag) = (nil, "1.2.0") }
    bot.entries = [tag, SiteSample.entry(4, .succeeded)]
    #expect(try index().contains(">Mill is incomplete on tag 1.2.0</h1>"))
  }

  @Test("A red tag is called one beside red branches, in the index as on the page of its bot, which leads to it")
  func redTag() throws {
    var bot = bot()
    bot.entries.insert(SiteSample.entry(6, .testFailures, red: 1) { ($0.branch, $0.tag) = (nil, "1.2.0") }, at: 0)
    bot.withReport.insert(6)
    func index() throws -> String { String(decoding: try SiteSample.pages().index([bot], state: nil), as: UTF8.self) }
    #expect(try index().contains(">Mill is red on 1 other branch and 1 tag</h1>"))
    let both = try page("index.html", of: bot)
    #expect(both.contains("<h1>Mill is green on main but red on 1 other branch and 1 tag</h1>"))
    #expect(both.contains(#"<span>red tag: <a href="6/index.html">1.2.0 · 20 Nov 2026, "#))
    bot.branches = SiteSample.known(["main"])
    #expect(try index().contains(">Mill is red on tag 1.2.0</h1>"))
    #expect(try page("index.html", of: bot).contains("<h1>Mill is green but red on tag 1.2.0</h1>"))
  }

  @Test("What made a branch red is not told of one that comes to no result any more")
  func trouble() throws {
    var integration = IssueSample.report.integration
    (integration.number, integration.issues) = (5, [Issue(id: "t-1", kind: .testFailure, message: "cold")])
    var bot = bot()
    bot.branchIssues = ["topic": BotIssueList(of: IntegrationRecord(integration)) { _ in true }]
    for number in [6, 7] {
      let entry = SiteSample.entry(number, .triggerError, listed: 0, uncovered: nil) { $0.branch = "topic" }
      bot.entries.insert(entry, at: 0)
    }
    let page = try page("index.html", of: bot)
    #expect(page.contains(#"<td class="wide">No result since 6; in 7: Trigger error</td>"#))
    #expect(!page.contains("cold"))
  }

  @Test("Its heading says which changed lines never ran, and without issues there is no list of them")
  func neverRan() throws {
    var integration = ChangeSample(
      before: ["1|a()"], now: ["1|a()", "0|b()"], hunks: [.init(old: 2..<2, new: 2..<3)]
    ).report.integration
    (integration.number, integration.issues) = (5, [])
    var bot = bot()
    bot.branchIssues = ["topic": BotIssueList(of: IntegrationRecord(integration)) { _ in true }]
    let page = try page(Self.topic, of: bot)
    #expect(page.contains(#"<a href="5/coverage.html">1 of 1 changed line never ran in 5: Greeter.swift:2</a>"#))
    #expect(!page.contains(#"id="issues""#))
  }

  @Test("What its heading says of all issues, since when and where else they are not, no row repeats")
  func repeated() throws {
    var integration = IssueSample.report.integration
    var issue = Issue(id: "t-1", kind: .testFailure, message: "late")
    issue.status = .unresolved
    issue.life = IssueLife(firstSeen: 2, streakStart: 2, streakAge: 1)
    integration.issues = [issue]
    func issues(_ number: Int, beside main: BotIssueList? = nil) -> BotIssueList {
      (integration.number, integration.branch) = (number, main == nil ? "main" : "topic")
      return BotIssueList(of: IntegrationRecord(integration), beside: main) { _ in true }
    }
    var bot = bot()
    let shared = issues(4)
    bot.branchIssues = ["topic": issues(5, beside: shared)]
    let both = try page(Self.topic, of: bot)
    #expect(both.contains("<h1>Mill has been red on branch topic since 2</h1>"))
    #expect(!both.contains("<span>since 2</span>") && !both.contains("not on main"))
    #expect(both.contains("<td>since \(Self.link(2))</td>"))
    integration.issues = []
    let none = issues(4)
    integration.issues = [issue]
    bot.branchIssues = ["topic": issues(5, beside: none)]
    let alone = try page(Self.topic, of: bot)
    #expect(alone.contains("<p>1 open in \(Self.link(5)), not on main</p>"))
    #expect(!alone.contains(#"<span class="tag">not on main"#))
    bot.issues = none
    let own = try page("index.html", of: bot)
    #expect(own.contains(##" in \##(Self.link(4)); <a href="\##(Self.topic)#issues">1 on topic</a></p>"##))
    #expect(own.contains(#"<a class="more" href="4/issues.html">All issues on main"#))
  }

  @Test("A list of new and older issues says which come first")
  func order() throws {
    func list(_ statuses: Model.Issue.Status...) throws -> String {
      var integration = IssueSample.report.integration
      integration.number = 4
      integration.issues = statuses.enumerated().map { index, status in
        Issue(id: "w-\(index)", kind: .warning, status: status, message: "careless \(index)")
      }
      var bot = bot()
      bot.issues = BotIssueList(of: IntegrationRecord(integration)) { _ in false }
      return try page("index.html", of: bot)
    }
    #expect(try list(.unresolved, .new).contains("<p>2 open on main, 1 since \(Self.link(4)), new ones first</p>"))
    #expect(try list(.new, .new).contains("<p>2 open on main, both since \(Self.link(4))</p>"))
    #expect(try list(.new, .new, .new).contains("<p>3 open on main, all since \(Self.link(4))</p>"))
    #expect(try list(.new, .silenced).contains("<p>1 open on main since \(Self.link(4)); 1 silenced</p>"))
    #expect(try list(.new, .silenced).ranges(of: #"<svg class="g is-silenced""#).count == 1)
    #expect(try list(.unresolved).contains("<p>1 open on main in \(Self.link(4))</p>"))
    #expect(IssueWords.since(2, back: 1, of: 2) == ", 1 new, 1 back in ")
    #expect(IssueWords.since(1, back: 1, of: 3) == ", 1 back in ")
    #expect(IssueWords.since(1, back: 1, of: 1) == ", back in ")
  }

  @Test("The page of a branch says which of its issues the main one does not have, and how many it lacks")
  func issuesBesideMain() throws {
    func issues(_ ids: [String], on branch: String, beside main: BotIssueList? = nil) -> BotIssueList {
      var integration = IssueSample.report.integration
      integration.branch = branch
      integration.issues = ids.map { Issue(id: $0, kind: .warning, message: "careless \($0)") }
      return BotIssueList(of: IntegrationRecord(integration), beside: main) { _ in false }
    }
    var bot = SiteSample.branched
    let main = issues(["w-1", "w-2", "w-3"], on: "main")
    bot.issues = main
    bot.branchIssues = ["feature/loom": issues(["w-1", "w-4"], on: "feature/loom", beside: main)]
    let page = try page("branch-feature-loom-0117fa.html", of: bot)
    #expect(page.contains("<p>2 open, both since 42; 1 not on main; main has 2 others</p>"))
    #expect(page.contains(#"careless w-4 <span class="tag">not on main</span>"#))
    #expect(!page.contains("careless w-1 <span"))
    let own = try self.page("index.html", of: bot)
    #expect(!own.contains("not on main"))
    var apart = bot
    apart.branchIssues = ["feature/loom": issues(["w-4", "w-5"], on: "feature/loom", beside: main)]
    #expect(
      try self.page("branch-feature-loom-0117fa.html", of: apart).contains(
        " since 42; none of them on main; main has 3 others</p>"))
    let link = ##"<a href="branch-feature-loom-0117fa.html#issues">"##
    #expect(own.contains("<p>3 open on main, all since 42; \(link)1 more on feature/loom</a></p>"))
  }
}
