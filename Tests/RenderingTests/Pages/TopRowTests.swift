import Testing

@testable import Rendering

@Suite("The row on top of a page")
struct TopRowTests {
  @Test("The neighbours of an integration are numbers at the right of the first row, or of the next where that is full")
  func onward() throws {
    let page = try PageSite.sample("red").text("index.html")
    #expect(page.contains(#"‹ <a href="previous.html"><span class=vh>previous</span></a></span>"#))
    let sheet = try #require(PageSite.assets().first { $0.name == "style.css" })
    let rules = String(decoding: sheet.bytes, as: UTF8.self)
    #expect(rules.contains(".top > div { display: flex; align-items: center; justify-content: flex-end;"))
    #expect(!rules.contains(".top .turn { margin-left: auto;") && !rules.contains(".turn:has(a) + .onward"))
  }
}
