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
}
