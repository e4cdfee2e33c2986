import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("The wall")
struct WallTests {
  private func wall(of bots: [BotHistory]) throws -> String {
    String(decoding: try SiteSample.pages().wall(bots, state: SiteSample.state), as: UTF8.self)
  }

  /// The rows of the wall.
  private func rows(of bots: [BotHistory]) throws -> [String] {
    let wall = try wall(of: bots)
    #expect(PageMarkup(wall).nestingFault == nil)
    return wall.matches(of: /<li class="is-.*<\/li>/).map { String($0.0) }
  }

  @Test("The wall shows bots and no heading, legend, hint or commit, and links no more than bots and causes")
  func whole() throws {
    let bots = [SiteSample.ropewalk, SiteSample.greeter, SiteSample.almanac]
    let wall = try wall(of: bots)
    #expect(wall.contains(#"<div class="display" data-live>"#))
    #expect(wall.contains("<meta http-equiv=refresh content=60>"))
    // The script says so when that is long ago.
    #expect(wall.contains(#" data-age="updated">as of 20 Nov 2026, "#))
    #expect(!wall.contains("legend") && !wall.contains("h-queue") && !wall.contains(#"class="sha""#))
    let main = try #require(wall.components(separatedBy: "<main").last)
    #expect(main.components(separatedBy: "<a ").count - 1 == bots.count)
    #expect(PageMarkup(wall).tags.count { $0.name == "h1" } == 1)
  }

  @Test("That a page was not updated for long has the colour of a warning, and can be read from afar on the wall")
  func stale() throws {
    let sheet = try #require(PageSite.assets().first { $0.name == "style.css" })
    let rules = String(decoding: sheet.bytes, as: UTF8.self)
    #expect(rules.contains("time.is-incomplete { color: var(--state); }"))
    #expect(rules.contains(".top:has(+ main > .display) .turn:has(> .is-incomplete) { font-size: max(2rem, "))
  }

  @Test("On the wall what is red says since when and by whom, also while it runs, and what is green takes a line")
  func rows() throws {
    var red = SiteSample.greeter
    func sign(_ glyph: String) -> String {
      ##"<svg class="g big is-\##(glyph)" aria-hidden="true"><use href="#\##(glyph)"/></svg>"##
    }
    let date = #"<time datetime="2026-11-20T16:00:25+01:00" data-age="for">since 20 Nov 2026, 16:00</time>"#
    let row =
      #"<li class="is-test-failures">\#(sign("failed"))<div><a class="bot" href="Greeter/index.html">Greeter</a> <span class="say"><b>Test failures</b> \#(date)</span><span class="say why">newest commit by jon</span>"#
    let green =
      #"<li class="is-succeeded">\#(sign("passed"))<div><a class="bot" href="Ropewalk/index.html">Ropewalk</a> <span class="say vh"><b>Succeeded</b></span><span class="say now">Testing</span></div></li>"#
    #expect(try rows(of: [SiteSample.ropewalk, red]) == [row + "</div></li>", green])
    red.running = [SiteSample.running]
    let running = row + #"<span class="say now">Testing</span></div></li>"#
    #expect(try rows(of: [SiteSample.ropewalk, red]) == [running, green])
    let both = try wall(of: [SiteSample.ropewalk, red])
    #expect(both.contains(#"<ul class="loud">"#) && both.contains(#"<ul class="calm">"#))
    #expect(try !wall(of: [red]).contains(#"<ul class="calm">"#))
  }

  @Test("On the wall a branch is red since an integration that was red for something else")
  func kind() throws {
    func row(_ first: HistoryLine.Culprits.Kind) throws -> String? {
      let entries = [(5, HistoryLine.Culprits.Kind.timedOut), (4, first)].map { number, kind in
        SiteSample.entry(number, .testFailures, red: 1) {
          $0.culprits = [HistoryLine.Culprits(kind: kind, first: "waits()", count: 1)]
        }
      }
      return try rows(of: [BotHistory(name: "Mill", entries: entries, withReport: [])]).first
    }
    #expect(try row(.crashed)?.contains("<b>Time-out</b>, red <time ") == true)
    #expect(try row(.timedOut)?.contains("<b>Time-out</b> <time ") == true)
  }

  @Test("On the wall an integration without a result says why, and whose commit is the newest")
  func trouble() throws {
    let entry = SiteSample.entry(4, .checkoutError, listed: 0, uncovered: nil) { $0.reasons = ["It went wrong."] }
    let row = try rows(of: [BotHistory(name: "Mill", entries: [entry], withReport: [])]).first
    #expect(row?.contains(#"<b class="name">It went wrong</b> ·&nbsp;newest commit by mira</span>"#) == true)
  }

  @Test("On the wall a bot that cannot run says why, and not what to do about it")
  func hindrance() throws {
    var bot = SiteSample.almanac
    bot.state?.problems = []
    bot.state?.hindrance = WatchState.Hindrance(reason: "no machine has the label gpu", remedy: "Buy one.")
    let row = try #require(try rows(of: [bot]).first)
    #expect(row.hasSuffix("<b>Cannot run</b>: no machine has the label gpu</span></div></li>"), "\(row)")
  }

  @Test("On the wall a green bot with a problem is large, too, and says what it is")
  func problem() throws {
    var bot = SiteSample.ropewalk
    bot.state = SiteSample.almanac.state
    let wall = try wall(of: [bot])
    #expect(wall.contains(#"<ul class="loud">"#) && !wall.contains(#"<ul class="calm">"#))
    let words = #"<span class="say why">the repository /srv/git/&lt;Almanac&gt; is not there</span>"#
    #expect(try rows(of: [bot])[0].contains(#"<span class="say"><b>Succeeded</b></span>\#(words)"#))
  }

  @Test("The wall says which other branch is red, since when and for what, and links that")
  func branch() throws {
    var integration = IssueSample.report.integration
    (integration.number, integration.issues) = (5, [Issue(id: "t-1", kind: .testFailure, message: "late")])
    var bot = BotHistory(
      name: "Mill",
      entries: [
        SiteSample.entry(5, .testFailures, red: 1) { $0.branch = "topic" }, SiteSample.entry(4, .succeeded),
        SiteSample.entry(2, .testFailures, red: 2) { $0.branch = "topic" }, SiteSample.entry(1, .succeeded),
      ], withReport: [5], branches: SiteSample.known(["main", "topic"]))
    bot.branchIssues = ["topic": BotIssueList(of: IntegrationRecord(integration)) { _ in true }]
    let date = #"<time datetime="2026-11-20T11:00:25+01:00" data-age="for">since 20 Nov 2026, 11:00</time>"#
    let sign = ##"<svg class="g is-failed" aria-hidden="true"><use href="#failed"/></svg>"##
    let late = #"<b class="name"><a href="Mill/5/issues/t-1.html">late</a></b>"#
    let words = #"\#(sign) <b class="is-failed">Red on branch topic</b> \#(date) <span class="cause">\#(late)</span>"#
    let row = try #require(try rows(of: [bot]).first)
    let end = #"<b>Succeeded</b> on main</span><span class="say why">\#(words)</span></div></li>"#
    #expect(row.hasSuffix(end), "\(row)")
    // It was red for something else first.
    integration.issues[0].life = IssueLife(firstSeen: 5, streakStart: 5, streakAge: 1)
    bot.branchIssues = ["topic": BotIssueList(of: IntegrationRecord(integration)) { _ in true }]
    #expect(try rows(of: [bot])[0].contains(words.replacing(late, with: "In 5: \(late)")))
  }
}
