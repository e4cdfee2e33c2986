import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("Lists of what waits")
struct QueueListTests {
  @Test("What troubles the watcher itself is said where its queue is")
  func problems() throws {
    var state = SiteSample.state
    state.problems = ["The disk is <full>."]
    let index = String(decoding: try SiteSample.pages().index([SiteSample.ropewalk], state: state), as: UTF8.self)
    #expect(index.contains(#"<p class="note">The disk is &lt;full&gt;.</p>"#))
  }

  @Test("Of a very long queue the first are listed, and how many more there are is said")
  func longQueue() throws {
    let waiting = (0..<600).map { _ in SiteSample.waiting }
    var state = SiteSample.state
    (state.waiting, state.unlisted) = (waiting, ["Greeter": 39_200])
    let index = String(
      decoding: try SiteSample.pages().index([SiteSample.ropewalk, SiteSample.greeter], state: state), as: UTF8.self)
    #expect(index.contains("<p>1 running, 39\u{202F}800 waiting; 2 jobs at a time</p>"))
    #expect(index.components(separatedBy: "waits for a free job").count == 500)
    #expect(index.contains(#"<p class="small more-rows">and 39\#u{202F}301 more</p>"#))
    var bot = SiteSample.greeter
    (bot.waiting, bot.unlisted) = (Array(waiting.prefix(200)), 39_600)
    let page = try SiteSample.page(bot, asOf: SiteSample.state)
    #expect(page.contains("39\u{202F}800 integrations waiting"))
    #expect(page.contains(#"<p class="small more-rows">and 39\#u{202F}600 more</p>"#))
    bot.unlisted = 0
    #expect(try !SiteSample.page(bot, asOf: SiteSample.state).contains("and 39\u{202F}600 more"))
  }
}
