import FoundationEssentials
import Model
import Rendering
import TestGround
import Testing

@testable import Integrating

@Suite("The site above the reports")
struct SiteTests {
  private let scratch: Scratch
  private let home: Home
  private let site: Site

  init() throws {
    scratch = try Scratch()
    home = Home(scratch.file("home"))
    var root = #filePath.split(separator: "/").dropLast(3)
    root.append("templates")
    let templates = try ReportTemplates(folder: root.map { "/\($0)" }.joined())
    site = Site(home: home, templates: templates, time: .utc)
    for number in 1...3 { try integrate(number) }
  }

  private func integration(
    _ number: Int, on branch: String = "main", _ outcome: Outcome = .testFailures
  ) -> IntegrationRecord {
    let date = Date(timeIntervalSince1970: 1_795_161_600 + Double(number))
    var integration = Integration(
      bot: "greeter", number: number, repository: "/r", branch: branch,
      commit: Commit(id: CommitID(rawValue: "abc\(number)"), summary: "Change <\(number)>", author: "Ada", date: date),
      cause: .commit, toolchain: "Swift", configuration: "debug", sandbox: "off", queuedAt: date,
      repeatCommand: "martlet run")
    integration.outcome = outcome
    integration.reasons = [.stopped("1 test failed.")]
    integration.issues = [Issue(id: "t-1", kind: .testFailure, status: .unresolved, message: "It <rang> twice", age: 2)]
    return IntegrationRecord(integration)
  }

  /// Leaves what a finished integration leaves, but for most pages of its report.
  private func integrate(_ number: Int) throws { try integrate(integration(number)) }

  private func integrate(_ document: IntegrationRecord) throws {
    let number = document.number
    let bytes = try document.encoded()
    for folder in [results(number), report(number)] {
      try folder.create()
      try folder.write(bytes, to: "integration.json")
    }
    try report(number).write("the report", to: "index.html")
    try report(number).folder("issues").create().write("its page", to: "t-1.html")
    try PastIndex(of: home).add(document)
  }

  private func results(_ number: Int) -> Folder { home.integrations(of: "greeter").folder("\(number)") }
  private func report(_ number: Int) -> Folder { home.site(of: "greeter").folder("\(number)") }
  private func page(_ number: Int) -> String? {
    report(number).read("index.html").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("The address of a report that was removed tells its figures, and leads to what is there")
  func removed() throws {
    try results(1).remove()
    try report(1).remove()
    for _ in 0..<2 {
      try site.publish(["greeter"])
      let text = try #require(page(1))
      #expect(text.contains("<h1>The report of greeter 1 was removed</h1>"))
      #expect(text.contains("<dt>Outcome</dt><dd>Test failures</dd>"))
      #expect(text.contains("Change &lt;1&gt;"))
      #expect(text.contains(#"<a href="../index.html">"#))
      #expect(text.contains("href=../../style.css"))
      #expect(report(1).names() == ["index.html"])
    }
    #expect(page(2) == "the report")
    let bot = try #require(scratch.text("home/site/greeter/index.html"))
    #expect(bot.contains(#"href="2/index.html""#))
    #expect(!bot.contains(#"href="1/index.html""#))
  }

  @Test("A bot that integrates another package now lists what it integrated before, and stands as the new one does")
  func otherPackage() throws {
    var document = integration(4, .succeeded)
    document.package = "packages/Core"
    try PastIndex(of: home).add(document)
    try site.publish(["greeter"])
    let bot = try #require(scratch.text("home/site/greeter/index.html"))
    #expect(bot.contains("<h1>greeter is green</h1>"), "\(bot)")
    #expect(bot.contains("4 in all: 1 succeeded, 3 with test failures"))
    #expect(bot.contains(#"href="3/index.html""#))
  }

  @Test("A bot that a watcher integrated and no longer knows is marked, and what people ran by hand is not")
  func forgotten() throws {
    func write(_ names: [String]) throws {
      let state = WatchState(
        asOf: Date(timeIntervalSince1970: 1_795_161_600),
        bots: names.map { WatchState.BotState(name: $0, repository: "/r") })
      try home.folder.write(Array(JSONEncoder().encode(state)), to: WatchState.fileName)
      try site.publish(["greeter"])
    }
    func title() throws -> Bool {
      try #require(scratch.text("home/site/greeter/index.html")).contains("greeter is no longer watched")
    }
    try site.publish(["greeter"])
    #expect(try !title())
    try write(["greeter"])
    #expect(try !title())
    try write(["other"])
    #expect(try title())
  }

  @Test("A bot's page tells nothing of other bots, which its readers may not be allowed to see")
  func apart() throws {
    let date = Date(timeIntervalSince1970: 1_795_161_600)
    let entry = WatchState.Entry(
      bot: "greeter", branch: "main", commit: CommitID(rawValue: "abc4"), cause: .commit, since: date,
      waitsFor: "The only job is taken (secret 12); it is next.")
    let state = WatchState(
      asOf: date, bots: ["greeter", "secret"].map { WatchState.BotState(name: $0, repository: "/r") }, waiting: [entry])
    try home.folder.write(Array(JSONEncoder().encode(state)), to: WatchState.fileName)
    try site.publish(["greeter"])
    let bot = try #require(scratch.text("home/site/greeter/index.html"))
    #expect(bot.contains("abc4"))
    #expect(!bot.contains("secret"))
    #expect(try #require(scratch.text("home/site/index.html")).contains("secret 12"))
  }

  @Test("The index finds what is red on the main branch behind hundreds of green integrations of another")
  func buried() throws {
    for number in 4...300 {
      try PastIndex(of: home).add(integration(number, on: "feature", .succeeded))
    }
    try site.publish(["greeter"])
    let index = try #require(scratch.text("home/site/index.html"))
    #expect(index.contains("greeter is red"))
    #expect(index.contains("<b>Test failure</b>, red since 1"), "\(index)")
    #expect(index.contains(#"href="greeter/3/issues/t-1.html">It &lt;rang&gt; twice</a>"#), "\(index)")
    #expect(
      try #require(scratch.text("home/site/greeter/index.html")).contains(
        "<h1>greeter has been red on main since 1</h1>"))
  }

  @Test("The page of a branch goes with the branch, and nothing else does")
  func deletedBranch() throws {
    let scratch = try RepositoryScratch()
    let path = try scratch.repository()
    try scratch.git(path, "branch", "feature")
    try home.integrations(of: "greeter").write("\(path)/.git\n", to: "repository")
    try PastIndex(of: home).add(integration(4, on: "feature"))
    let place = home.site(of: "greeter")
    try site.publish(["greeter"])
    #expect(
      place.names().sorted() == [
        "1", "2", "3", "4", "branch-feature.html", "branch-main.html", "history.csv", "index.html", "newest-main.css",
        "newest-main.html", "newest.css", "newest.html",
      ])
    #expect(
      place.read("index.html").map { String(decoding: $0, as: UTF8.self) }?.contains("branch-feature.html") == true)
    try scratch.git(path, "branch", "--quiet", "-D", "feature")
    try site.publish(["greeter"])
    #expect(
      place.names().sorted() == [
        "1", "2", "3", "4", "history.csv", "index.html", "newest-main.css", "newest-main.html", "newest.css",
        "newest.html",
      ])
    #expect(
      place.read("index.html").map { String(decoding: $0, as: UTF8.self) }?.contains("branch-feature.html") == false)
  }

  @Test("The page of flaky tests goes when none is flaky any more")
  func steady() throws {
    let place = try home.site(of: "greeter").create()
    try place.write("the page", to: "flaky.html")
    try site.publish(["greeter"])
    #expect(!place.holds("flaky.html"))
  }

  @Test("Only so many removed reports keep a page, the newest ones")
  func oldNotices() throws {
    for number in 1...2 {
      try results(number).remove()
      try report(number).remove()
    }
    try site.publish(["greeter"])
    #expect(page(1) != nil && page(2) != nil)
    var site = site
    site.mostNotices = 1
    try site.publish(["greeter"])
    #expect(!report(1).exists)
    #expect(page(2)?.contains("<h1>The report of greeter 2 was removed</h1>") == true)
    #expect(page(3) == "the report")
  }

  @Test("A report that is about to be published has its place kept free")
  func unpublished() throws {
    try report(3).remove()
    try site.publish(["greeter"])
    #expect(!report(3).exists)
  }

  @Test("The pages of a bot that never integrated go when nobody knows it any more, and reports stay")
  func unknownBots() throws {
    func publish(_ names: [String]) throws {
      let state = WatchState(
        asOf: Date(timeIntervalSince1970: 1_795_161_600),
        bots: names.map { WatchState.BotState(name: $0, repository: "", problems: ["Line 1 is wrong."]) })
      try home.folder.write(Array(JSONEncoder().encode(state)), to: WatchState.fileName)
      try site.publish(nil)
    }
    try publish(["broken"])
    #expect(home.site(of: "broken").holds("index.html"))
    try home.site(of: "old").folder("7").create().write("its report", to: "index.html")
    try publish([])
    #expect(!home.site(of: "broken").exists)
    #expect(home.site(of: "old").folder("7").exists && report(3).exists)
  }

  @Test("A number is not given anew while the site has a page for it")
  func number() throws {
    try results(3).remove()
    try report(3).remove()
    try site.publish(nil)
    #expect(try home.createIntegration(of: "greeter").number == 4)
  }

  @Test("The bot's page lists the open issues of the newest integration that is kept, each with its page")
  func issues() throws {
    try site.publish(["greeter"])
    let text = try #require(scratch.text("home/site/greeter/index.html"))
    #expect(text.contains(#"1 open in <a class="up" href="3/index.html">3</a>"#))
    #expect(text.contains(#"<a href="3/issues/t-1.html">It &lt;rang&gt; twice</a>"#))
    #expect(!text.contains("All issues"), "The report has no page of them.")
  }

  @Test("An integration without a result tells the issues, unless it knows none", arguments: [true, false])
  func troubled(knowsIssues: Bool) throws {
    var document = integration(4, .triggerError)
    if !knowsIssues { document.issues = [] }
    try integrate(document)
    try site.publish(["greeter"])
    let text = try #require(scratch.text("home/site/greeter/index.html"))
    let number = knowsIssues ? 4 : 3
    #expect(text.contains("1 open in <a class=\"up\" href=\"\(number)/index.html\">\(number)</a>"))
    #expect(text.contains("<a href=\"\(number)/index.html#issues\">1 open issue</a>"))
  }
}
