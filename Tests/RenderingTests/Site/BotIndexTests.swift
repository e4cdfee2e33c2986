import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("The index of bots")
struct BotIndexTests {
  @Test("Bots alike stand in the order of their names in either case, and long names break at their dots")
  func names() throws {
    let bots = ["mill", "Wheel", "Abacus", "org.example.<b>"].map {
      BotHistory(name: $0, entries: [SiteSample.entry(1, .succeeded)], withReport: [])
    }
    let index = String(decoding: try SiteSample.pages().index(bots, state: nil), as: UTF8.self)
    let names = index.matches(of: #/<a class="bot" href="[^"]*">(.*?)<\/a>/#).map { String($0.1) }
    #expect(names == ["Abacus", "mill", "org.<wbr>example.<wbr>&lt;b&gt;", "Wheel"])
  }

  /// A bot that is green on its main branch and red on others.
  private func bot(_ name: String, red branches: [String]) -> BotHistory {
    let entries = branches.enumerated().map { index, branch in
      SiteSample.entry(9 - index, .testFailures, red: 1) { $0.branch = branch }
    }
    return BotHistory(
      name: name, entries: entries + [SiteSample.entry(1, .succeeded)], withReport: [],
      branches: SiteSample.known(["main"] + branches))
  }

  @Test("Red branches of bots that are green are in the heading, and these bots come before the others")
  func redBesideGreen() throws {
    let green = BotHistory(name: "Abacus", entries: [SiteSample.entry(1, .succeeded)], withReport: [])
    func index(_ bot: BotHistory) throws -> String {
      String(decoding: try SiteSample.pages().index([green, bot], state: nil), as: UTF8.self)
    }
    let one = try index(bot("Mill", red: ["feature/loom"]))
    #expect(one.contains(">Abacus is green; Mill is red on branch feature/loom</h1>"), "\(one)")
    let link = "<a href=\"Mill/branch-feature-loom-0117fa.html\">feature/loom</a>"
    let sign = "<svg class=\"g is-failed\" aria-hidden=\"true\"><use href=\"#failed\"/></svg>"
    #expect(one.contains("<span class=\"say others\">\(sign) red on \(link) since 9 · jon</span>"))
    let row = try #require(
      one.firstMatch(of: #/<tr class="[^"]*">(?:(?!<\/tr>)(?s:.))*>feature\/loom<(?:(?!<\/tr>)(?s:.))*<\/tr>/#)
    ).0
    #expect(
      row.contains("Change number ") && !row.contains("Change number 9"), "The commit is that of the main branch.")
    let glyphs = one.matches(of: #/<svg class="g big is-([a-z]+)"/#).map { String($0.1) }
    #expect(glyphs == ["passed", "passed"], "The sign is that of the main branch, as on the page of the bot.")
    let ended = "<time datetime=\"2026-11-20T10:00:25+01:00\" data-age>20 Nov 2026, 10:00</time>"
    #expect(one.contains("<span class=\"say\"><b>Succeeded</b> (\(ended))</span>"), "\(one)")
    #expect(one.contains("<span class=\"say\"><b>Succeeded</b> (\(ended)) on main</span>"))
    let two = try index(bot("Mill", red: ["feature/loom", "release/1"]))
    #expect(two.contains(">Abacus is green; Mill is red on 2 other branches</h1>"), "\(two)")
    #expect(
      two.contains("\(link) since 9 and <a href=\"Mill/branch-release-1-ef1c73.html\">release/1</a> since 8</span>"))
    #expect(PageMarkup(two).nestingFault == nil)
  }

  @Test("Pages with an integration that ended after the watcher told its state are as of that end")
  func asOf() throws {
    let (pages, state) = (try SiteSample.pages(), SiteSample.state)
    var bot = SiteSample.greeter
    bot.entries[0].endedAt = state.asOf + 60
    let bots = [SiteSample.almanac, bot]
    let files =
      [try pages.index(bots, state: state), try pages.wall(bots, state: state)]
      + (try pages.pages(of: bot, asOf: state)).filter { $0.path == "index.html" }.map(\.bytes)
    #expect(files.count == 3)
    for file in files {
      #expect(String(decoding: file, as: UTF8.self).contains("as of 20 Nov 2026, 20:07:40 +01:00"))
    }
  }

  @Test("Uncommitted changes, if nothing else was integrated, make no bot red in the heading, and have no author")
  func uncommitted() throws {
    let entry = SiteSample.entry(1, .testFailures, red: 1) { $0.uncommitted = true }
    let bot = BotHistory(name: "Slugger", entries: [entry], withReport: [])
    let index = String(decoding: try SiteSample.pages().index([bot], state: nil), as: UTF8.self)
    #expect(index.contains(">Slugger has no result yet</h1>"), "\(index)")
    let what = #"<span class="what" title="Uncommitted changes">Uncommitted changes</span>"#
    #expect(index.contains(#"\#(what) <small><span class="sha">1111111</span> </small>"#), "\(index)")
    // What a row has no room for is said by the pointer.
    let own = String(decoding: try SiteSample.pages().index([SiteSample.greeter], state: nil), as: UTF8.self)
    #expect(own.contains(#"title="Change number 9">Change number 9</span> <small title="jon, and 2 more">"#))
  }

  @Test("A bot with a red branch is not counted as green, in whatever form the heading counts")
  func redBesideCounted() throws {
    let names = (1...8).map { "Abacus\($0)" }
    let green = names.map { BotHistory(name: $0, entries: [SiteSample.entry(1, .succeeded)], withReport: []) }
    let broken = BotHistory(name: "Wheel", entries: [SiteSample.entry(1, .buildErrors)], withReport: [])
    let (mill, loom) = (bot("Mill", red: ["feature/loom"]), bot("Loom", red: ["release/1"]))
    func heading(_ bots: [BotHistory]) throws -> String {
      let index = String(decoding: try SiteSample.pages().index(bots, state: nil), as: UTF8.self)
      return String(try #require(index.firstMatch(of: /<h1 class="wall-say">(.*?)<\/h1>/)?.1))
    }
    #expect(try heading(green + [mill]) == "8 bots are green; Mill is red on branch feature/loom")
    #expect(try heading([mill, loom]) == "Loom and Mill are red on 2 other branches")
    let beside = #"Wheel does not build<br><span class="faint">"#
    let one = "1 green; Mill is red on branch feature/loom</span>"
    #expect(try heading([broken, mill, green[0]]) == beside + one)
    #expect(try heading([broken, mill]) == beside + "Mill is red on branch feature/loom</span>")
    var warned = mill
    for index in warned.entries.indices where warned.entries[index].outcome == .succeeded {
      warned.entries[index].outcome = .warnings
    }
    #expect(try heading([broken, warned, green[0]]) == beside + one)
  }

  @Test("The heading names a bot that has a problem and nothing worse, which is then not counted as green")
  func problem() throws {
    let green = BotHistory(name: "Loom", entries: [SiteSample.entry(1, .succeeded)], withReport: [])
    var mill = BotHistory(name: "Mill", entries: [SiteSample.entry(1, .succeeded)], withReport: [])
    mill.state = SiteSample.almanac.state
    func heading() throws -> Substring? {
      let index = String(decoding: try SiteSample.pages().index([green, mill], state: nil), as: UTF8.self)
      return index.firstMatch(of: /<h1 class="wall-say">(.*?)<\/h1>/)?.1
    }
    #expect(try heading() == #"Mill has a problem<br><span class="faint">1 green</span>"#)
    mill.entries[0].outcome = .testFailures
    #expect(try heading() == #"Mill is red<br><span class="faint">1 green</span>"#)
  }

  @Test("A row without integrations says nothing of its strip")
  func noStrip() throws {
    let none = BotHistory(name: "Mill", entries: [], withReport: [])
    let index = String(decoding: try SiteSample.pages().index([none], state: nil), as: UTF8.self)
    #expect(index.contains("<td class=\"trend\">") && !index.contains("last 0"), "\(index)")
  }

  @Test("A bot without a result says when it integrates, unless on each commit")
  func schedule() throws {
    var bot = SiteSample.almanac
    bot.state?.problems = []
    func index() throws -> String {
      String(decoding: try SiteSample.pages().index([bot], state: nil), as: UTF8.self)
    }
    #expect(try index().contains("<b>No result yet</b></span>"))
    bot.state?.hindrance = WatchState.Hindrance(reason: "no machine has the label gpu", remedy: "Buy one.")
    #expect(try index().contains("<b>Cannot run</b>: no machine has the label gpu</span>"))
    #expect(try !index().contains("Buy one."), "What to do is on the page of the bot.")
    var state = SiteSample.state
    // What others wait for is not told to everybody.
    (state.running, state.waiting) = ([], [SiteSample.waiting])
    (state.waiting[0].bot, state.waiting[0].waitsFor) = ("Almanac", nil)
    let waiting = String(decoding: try SiteSample.pages().index([bot], state: state), as: UTF8.self)
    #expect(waiting.contains(#"<b><a href="Almanac/index.html">Almanac</a></b>"#))
    #expect(waiting.contains(#"<td class="dim">waiting: no machine has the label gpu</td>"#))
    bot.state?.hindrance = nil
    bot.state?.schedule = "Sundays at 03:00"
    #expect(
      try index().contains("<b>No result yet</b>: Sundays at 03:00</span>"))
  }
}
