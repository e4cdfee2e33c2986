import Model
import Testing

@testable import Rendering

@Suite("The rhythm of a bot")
struct RhythmStripTests {
  @Test("Each beat is a letter that leads to its report, with words for those who cannot see colours")
  func strip() throws {
    let bot = BotHistory(
      name: "Greeter",
      entries: [
        SiteSample.entry(4, .succeeded) { $0.rhythm = .refactored },
        SiteSample.entry(3, .succeeded) { $0.rhythm = .madePass },
        SiteSample.entry(2, .testFailures) { $0.rhythm = .redFirst }, SiteSample.entry(1, .succeeded),
      ], withReport: [2, 4])
    let pages = try SiteSample.pages().pages(of: bot, asOf: nil)
    let text = String(decoding: try #require(pages.first { $0.path == "index.html" }).bytes, as: UTF8.self)
    #expect(
      text.contains(
        """
        <ol class="beats">
        <li class="st is-failed"><a href="2/index.html" title="2: red test first" aria-label="2: red test first">T</a></li>
        <li class="st is-passed"><abbr title="3: made it pass">P</abbr></li>
        <li class="st is-passed"><a href="4/index.html" title="4: changed, same tests green" aria-label="4: changed, same tests green">R</a></li>
        </ol>
        """))
    #expect(PageMarkup(text).nestingFault == nil)
  }
}
