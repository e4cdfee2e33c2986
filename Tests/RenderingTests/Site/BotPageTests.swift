@testable import Model
import Testing

@testable import Rendering

@Suite("The page of a bot")
struct BotPageTests {
  private func page(_ bot: BotHistory) throws -> String {
    let pages = try SiteSample.pages().pages(of: bot, asOf: nil)
    return String(decoding: try #require(pages.first { $0.path == "index.html" }).bytes, as: UTF8.self)
  }

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
      try page(bot).contains("<dt>Repository</dt><dd>/srv/git</dd>\(branch)<dt>Schedule</dt><dd>on commit</dd>"))
  }

  @Test("What a bot asks for although no branch has such a name is told beside its branches")
  func noSuchBranch() throws {
    var bot = SiteSample.greeter
    bot.branches = SiteSample.known(["main"])
    bot.state?.branches = ["main", "metric", "release/*"]
    bot.state?.settings = [
      .init("Repository", "/srv/git"), .init("Branches", "main, metric, release/*"), .init("Schedule", "on commit"),
    ]
    let missing = "<dt>No such branch</dt><dd>metric, release/*</dd>"
    #expect(try page(bot).contains("<dd>main, metric, release/*</dd>\(missing)<dt>Schedule</dt>"))
    bot.branches = SiteSample.known(["main", "metric", "release/1"])
    #expect(try !page(bot).contains("No such branch"))
  }

  @Test("What keeps a bot from running is in its heading, and what to do about it below")
  func cannotRun() throws {
    var bot = SiteSample.almanac
    bot.waiting = [SiteSample.waiting]
    bot.state?.problems = ["No machine has the label gpu. Buy one.", "It sends nothing."]
    let page = try page(bot)
    #expect(page.contains("<title>Almanac cannot run: no machine has the label gpu · Martlet</title>"))
    #expect(page.contains("<h1>Almanac cannot run: no machine has the label gpu</h1>"))
    #expect(page.contains("<p class=\"lead\">Buy one.</p>\n<p class=\"lead\">It sends nothing.</p>"))
    #expect(page.contains(#"<td class="dim">waiting: no machine has the label gpu</td>"#))
    #expect(page.contains("<p>none yet</p>") && !page.contains("Integrations, newest first"))
    bot.running = [SiteSample.running]
    #expect(try self.page(bot).contains("<h1>Almanac has not integrated yet</h1>"))
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
    #expect(try page(bot).contains(#"href="42/issues.html">All issues (2 resolved)</a>"#))
    document.issueMemory = nil
    bot.issues = BotIssueList(of: document) { $0 == "issues.html" }
    #expect(try page(bot).contains(">All issues</a>"))
    // A report without issues has no page of them.
    bot.issues = BotIssueList(of: document) { _ in false }
    #expect(try !page(bot).contains("All issues"))
  }

  @Test("After a build that failed, tests are counted since the last one that built")
  func listed() throws {
    let bot = BotHistory(
      name: "Mill",
      entries: [
        SiteSample.entry(3, .succeeded, listed: 35) { ($0.baseline, $0.listedChange) = (2, nil) },
        SiteSample.entry(2, .buildErrors, listed: 0) { ($0.baseline, $0.listedChange) = (1, nil) },
        SiteSample.entry(1, .succeeded, listed: 33) { ($0.baseline, $0.listedChange) = (nil, nil) },
      ], withReport: [])
    #expect(try page(bot).contains(#"data-v="35">35 <span class="d ">+2</span>"#))
  }
}
