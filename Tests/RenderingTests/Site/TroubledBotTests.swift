import Model
import Testing

@testable import Rendering

@Suite("A bot whose integrations do not come to a result any more")
struct TroubledBotTests {
  private func bot(_ entries: HistoryLine...) -> BotHistory {
    BotHistory(name: "Mill", entries: entries, withReport: [4])
  }

  private func trouble(_ number: Int, _ outcome: Outcome) -> HistoryLine {
    SiteSample.entry(number, outcome, listed: 0, uncovered: nil) { $0.reasons = ["It went wrong."] }
  }

  @Test(
    "Is called neither green nor red by what was there before",
    arguments: [
      (Outcome.triggerError, "a trigger error"), (.checkoutError, "a checkout error"),
      (.internalError, "an internal error"),
    ])
  func told(outcome: Outcome, words: String) throws {
    let bot = bot(trouble(4, outcome), trouble(3, outcome), SiteSample.entry(2, .succeeded))
    let index = try SiteSample.index(bot)
    #expect(index.contains(#"<h1 class="wall-say">Mill could not be integrated</h1>"#))
    #expect(!index.contains("is green"))
    #expect(try SiteSample.page(bot).contains("<h1>Mill ended with \(words) in 4; 2 was green</h1>"))
  }

  @Test(
    "Says how the last result was",
    arguments: [
      (Outcome.warnings, "had warnings"), (.analyzerWarnings, "had analyzer warnings"), (.incomplete, "was incomplete"),
      (.buildErrors, "did not build"), (.testFailures, "was red"),
    ])
  func before(outcome: Outcome, words: String) throws {
    let bot = bot(trouble(4, .internalError), SiteSample.entry(3, outcome))
    #expect(try SiteSample.page(bot).contains("<h1>Mill ended with an internal error in 4; 3 \(words)</h1>"))
  }

  @Test("Says how many warnings the last result had, if no more is told of it")
  func warnings() throws {
    let warned = SiteSample.entry(3, .analyzerWarnings) {
      ($0.reasons, $0.reasonCodes) = (["1 analyzer warning."], [OutcomeReason.analyzerWarnings(1).code])
    }
    #expect(warned.was == "had 1 analyzer warning")
    let red = bot(SiteSample.entry(4, .testFailures, red: 1), warned)
    #expect(try SiteSample.page(red).contains("<span>last passed: 3 (1 analyzer warning) · "))
    var more = warned
    more.reasons.append("1 test recorded a warning.")
    more.reasonCodes?.append(OutcomeReason.testWarnings(1).code)
    #expect(more.was == "had analyzer warnings")
  }

  @Test(
    "Is so since an integration only where it was so in all of them",
    arguments: [
      (Outcome.incomplete, Outcome.testFailures, "has not been green since 1"),
      (.incomplete, .incomplete, "has been incomplete since 1"),
      (.testFailures, .incomplete, "has not been green since 1"),
      (.buildErrors, .testFailures, "has not been green since 1"),
      (.testFailures, .buildErrors, "has been red since 1"), (.buildErrors, .buildErrors, "has not built since 1"),
    ])
  func since(newest: Outcome, before: Outcome, words: String) throws {
    let bot = bot(SiteSample.entry(3, newest), SiteSample.entry(2, before), SiteSample.entry(1, before))
    #expect(try SiteSample.page(bot).contains("<h1>Mill \(words)</h1>"))
    let since =
      words.hasPrefix("has not been green") ? "not green since 1" : newest == .incomplete ? "since 1" : "red since 1"
    #expect(try SiteSample.index(bot).contains(", \(since)"))
  }

  @Test("Turns red only where it was green before")
  func first() throws {
    let red = SiteSample.entry(2, .testFailures, red: 1)
    #expect(try SiteSample.page(bot(red)).contains("<h1>Mill is red in 2</h1>"))
    #expect(try SiteSample.page(bot(red, SiteSample.entry(1, .succeeded))).contains("<h1>Mill went red in 2</h1>"))
  }

  @Test("Stays among the red ones when the last result was red")
  func red() throws {
    let index = try SiteSample.index(
      bot(trouble(4, .checkoutError), SiteSample.entry(3, .testFailures, red: 1)), SiteSample.ropewalk)
    #expect(index.contains(">Mill is red<"))
    #expect(index.contains("1 green<"))
  }

  @Test("Is named once in the heading of the index, by its trouble rather than by what was incomplete before")
  func once() throws {
    let index = try SiteSample.index(bot(trouble(4, .checkoutError), SiteSample.entry(3, .incomplete)))
    #expect(index.contains(#"<h1 class="wall-say">Mill could not be integrated</h1>"#))
  }

  @Test("Has had no result when there never was one")
  func never() throws {
    let bot = bot(trouble(4, .triggerError))
    #expect(try SiteSample.index(bot).contains(#"<h1 class="wall-say">Mill could not be integrated</h1>"#))
    #expect(try SiteSample.page(bot).contains("<h1>Mill ended with a trigger error in 4</h1>"))
  }

  @Test("A canceled integration hides no trouble, and what came to a result ends it")
  func canceled() throws {
    let canceled = SiteSample.entry(5, .canceled, listed: 0, uncovered: nil)
    let green = SiteSample.entry(2, .succeeded)
    #expect(
      try SiteSample.index(bot(canceled, trouble(4, .triggerError), green)).contains("Mill could not be integrated<"))
    #expect(try SiteSample.index(bot(canceled, green)).contains("Mill is green"))
    #expect(
      try SiteSample.index(bot(SiteSample.entry(6, .succeeded), trouble(4, .triggerError), green)).contains(
        "Mill is green"))
  }

  @Test("Its row names the integration in trouble, and keeps the figures of the last result with their number")
  func row() throws {
    let bot = bot(trouble(4, .triggerError), SiteSample.entry(3, .succeeded))
    let page = try SiteSample.index(SiteSample.ropewalk, bot)
    let rows = page.split(separator: "<tr ").filter { $0.contains(#"<a class="bot""#) }
    let row = try #require(rows.first)
    #expect(row.hasPrefix(#"class="is-test-failures">"#))
    #expect(row.contains("<b>Trigger error</b> (<time "))
    #expect(row.contains("</time>): It went wrong; figures from 3, which was green</span>"))
    #expect(row.contains(#"<a href="Mill/4/index.html">4</a>"#))
    #expect(row.contains("<small><span class=\"unit\">tests</span></small>"))
    #expect(row.contains("Change number 4"))
    var busy = bot
    busy.running = [SiteSample.running]
    busy.entries[1].silencedIssues = 2
    #expect(
      try SiteSample.index(busy).contains(
        "<b>Testing</b>; 4 trigger error; figures from 3, which was green with 2 silenced issues</span>"))
    #expect(rows.count == 2 && rows.last?.contains("Ropewalk") == true)
    // Where nothing was to be tested, there are none.
    let untested = self.bot(trouble(4, .triggerError), SiteSample.entry(3, .succeeded, listed: 0, uncovered: nil))
    #expect(try SiteSample.index(untested).contains("): It went wrong; integration 3 was green</span>"))
  }

  @Test("Its page names the newest integration beside the last result, and counts no streak")
  func facts() throws {
    let page = try SiteSample.page(
      bot(trouble(4, .triggerError), SiteSample.entry(3, .succeeded), SiteSample.entry(2, .succeeded)))
    #expect(page.contains("<span>newest: "))
    #expect(page.contains(#"<a href="4/index.html">4 · 20 Nov 2026, "#))
    #expect(page.contains("<span>last result: 3 · 20 Nov 2026, "))
    #expect(!page.contains("green in a row"))
  }

  @Test("What runs and what waits is told")
  func running() throws {
    var bot = bot(SiteSample.entry(4, .succeeded))
    bot.state = WatchState.BotState(name: "Mill", repository: "/srv/git/Mill.git")
    bot.running = [SiteSample.running]
    #expect(try SiteSample.page(bot).contains("<span>13 is running, at testing</span>"))
    bot.waiting = [SiteSample.waiting]
    #expect(try SiteSample.page(bot).contains("<span>1 integration waiting</span>"))
  }

  @Test("A tag stands where the branch would")
  func tag() throws {
    let entry = SiteSample.entry(4, .succeeded) { ($0.branch, $0.tag) = (nil, "1.2.0") }
    #expect(try SiteSample.page(bot(entry)).contains(#"<span class="tag">tag 1.2.0</span>"#))
    let pages = try SiteSample.pages()
    let table = try #require(try pages.pages(of: bot(entry), asOf: nil).first { $0.path == "history.csv" })
    #expect(String(decoding: table.bytes, as: UTF8.self).hasSuffix(",1.2.0,\r\n"))
    #expect(String(decoding: try pages.removed(entry, of: bot(entry)), as: UTF8.self).contains("1.2.0"))
  }
}
