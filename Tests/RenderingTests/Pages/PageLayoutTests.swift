import FoundationEssentials
import Testing

@testable import Rendering

@Suite("Where things stand on a page")
struct PageLayoutTests {
  private func rules() throws -> String {
    let sheet = try #require(PageSite.assets().first { $0.name == "style.css" })
    return String(decoding: sheet.bytes, as: UTF8.self)
  }

  @Test("The neighbours of an integration are numbers at the right of the first row, or of the next where that is full")
  func onward() throws {
    let page = try PageSite.sample("red").text("index.html")
    // Where the sheet with the numbers is missing, the arrows lead there.
    #expect(page.contains(#"<a href="previous.html">‹<span class=vh> previous</span></a></span>"#))
    #expect(page.contains(#"<a href="next.html">›<span class=vh> next</span></a></span>"#))
    let rules = try rules()
    #expect(rules.contains(".top > div { display: flex; align-items: center; justify-content: flex-end;"))
    #expect(!rules.contains(".top .turn { margin-left: auto;") && !rules.contains(".turn:has(a) + .onward"))
  }

  @Test("On paper the first sheet says of which commit it is, files have the figures of the change, and tests fit")
  func printed() throws {
    let rules = try #require(try rules().components(separatedBy: "@media print {").last)
    #expect(rules.contains(".tabs ~ .foot { position: absolute; top: 0; right: 0;"))
    #expect(rules.contains(".cov.tree > * > tr > :nth-child(7) { display: none; }"))
    #expect(!rules.contains(":nth-child(10) { display: none; }"))
    #expect(rules.contains(".history, .cov.tree, .tree.tests, .flat { font-size: 8.5pt; }"))
  }

  @Test("What is said of a line stands indented behind an arrow wherever it stands below its line")
  func below() throws {
    let lines = try rules().components(separatedBy: "\n")
    let below = lines.filter { $0.contains(".code .go") && $0.contains("fit-content") }
    #expect(below.count == 3)
    #expect(below.allSatisfy { $0.contains(#"&:not(:has(.st))::before { content: "↳ "; margin-left: 1.6rem;"#) })
  }

  @Test("A heading takes the whole width before it goes on in a second line")
  func heading() throws {
    #expect(try rules().contains(".verdict h1 { overflow-wrap: anywhere; min-width: 0; text-wrap: pretty; }"))
  }

  @Test("Where a test is has room for the name of its file beside a state that is short")
  func places() throws {
    let rules = try rules()
    #expect(rules.contains(".tree.tests thead th:nth-child(2) { width: 26%; }"))
    #expect(rules.contains(".tree.tests thead th:nth-child(5) { width: 19%; }"))
  }
}
