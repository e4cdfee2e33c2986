import Model
import Testing

@testable import Rendering

@Suite("A bot whose commits nobody sees")
struct UnseenBotTests {
  private static let problem = "There is no /r any more. Bring it back, or let the bot's file name another repository."

  private func bot(_ entries: HistoryLine..., source: CommitSource? = .unreadable) -> BotHistory {
    BotHistory(
      name: "Mill", entries: entries, withReport: [4],
      state: WatchState.BotState(name: "Mill", repository: "/r", problems: [Self.problem], source: source))
  }

  @Test("Is not called green, and says why, and how it was")
  func unreadable() throws {
    let bot = bot(SiteSample.entry(2, .succeeded))
    let index = try SiteSample.index(bot, SiteSample.ropewalk)
    #expect(
      index.contains(#"<h1 class="wall-say">Mill cannot be watched<br><span class="faint">1 green</span></h1>"#)
    )
    #expect(index.contains(#"<tr class="is-incomplete">"#))
    let problem = Self.problem.replacing("'", with: "&#39;")
    #expect(index.contains("<b>Cannot be watched</b>: \(problem) integration 2 was green"))
    let page = try SiteSample.page(bot)
    #expect(page.contains("<h1>Mill cannot be watched; 2 was green</h1>"))
    #expect(page.contains(#"<p class="lead">\#(problem)</p>"#))
  }

  @Test("Stays red when it was red, and green when its commits are seen in another way")
  func others() throws {
    let red = try SiteSample.index(bot(SiteSample.entry(2, .testFailures, red: 1)))
    #expect(red.contains(">Mill is red</h1>"))
    #expect(red.contains(#"<tr class="is-test-failures">"#))
    let polled = try SiteSample.index(bot(SiteSample.entry(2, .succeeded), source: .polled))
    #expect(polled.contains(#"<h1 class="wall-say">Mill is green</h1>"#))
    var refused = bot(SiteSample.entry(2, .succeeded), source: .polled)
    refused.state?.problems.append("The forge takes no status.")
    #expect(try SiteSample.index(refused).contains(#"<h1 class="wall-say">Mill has a problem</h1>"#))
  }

  @Test("Is last, and said to be no longer watched, once its file is gone")
  func forgotten() throws {
    var bot = BotHistory(name: "Mill", entries: [SiteSample.entry(2, .testFailures, red: 1)], withReport: [])
    bot.isForgotten = true
    let index = try SiteSample.index(bot, SiteSample.ropewalk)
    #expect(index.contains("Ropewalk is green; Mill is no longer watched<"))
    #expect(index.contains("<b>No longer watched</b>; integration 2 was red"))
    let rows = index.split(separator: #"<a class="bot""#)
    #expect(rows.last?.contains(">Mill</a>") == true)
    let page = try SiteSample.page(bot)
    #expect(page.contains("<h1>Mill is no longer watched; 2 was red</h1>"))
    #expect(page.contains("<code>martlet bots remove Mill</code>"))
  }
}
