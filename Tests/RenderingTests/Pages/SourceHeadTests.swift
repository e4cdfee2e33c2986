import Model
import Testing

@testable import Rendering

@Suite("What a page of a source shares with the other pages of its report")
struct SourceHeadTests {
  @Test("The counts in the tabs come from the sheet of facts, so that the page is the same in other integrations")
  func tabs() throws {
    let site = try PageSite(GreeterSample.red)
    let sheet = site.text("facts.css")
    let tab = /<li><a href="([^"]+)"[^>]*>[A-Z][a-z]+ <b( class=is-failed)?>([^<]+)<\/b><\/a>/
    let counts = site.text("index.html").matches(of: tab)
    #expect(counts.count >= 3)
    let source = try #require(site.html.first { $0.path.hasPrefix("coverage/") }).text
    for count in counts {
      let colour = count.2 == nil ? "" : " color: var(--red);"
      #expect(sheet.contains(".tabs [href$=\"/\(count.1)\"]::after { content: \" \(count.3)\";\(colour) }"))
      #expect(source.contains("<li><a href=\"../\(count.1)\"") && !source.contains("<b>\(count.3)</b>"))
    }
  }

  @Test("The integration is named with its branch if that is another one, as on the other pages")
  func branch() throws {
    var report = GreeterSample.red
    (report.integration.branch, report.integration.branchPoint) = ("topic", 41)
    let number = report.integration.number
    #expect(try PageSite(report).text("facts.css").contains(".fact-number::after { content: \"\(number) on topic\"; }"))
  }

  @Test(
    "Below the line of a failure stand the values compared, and the message where there are none or they print alike")
  func values() throws {
    let notes = FailureNotes(GreeterSample.red.integration.tests) { _ in nil }
    func bubbles(_ file: String, _ line: Int) throws -> String {
      let bubbles = try #require(notes.bubbles["Tests/GreeterTests/\(file).swift"]?[line])
      return bubbles.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    }
    let noon = try bubbles("GreetingTests", 20)
    #expect(noon.contains("</b>: noon is no morning<span class=\"operands\"><span></span><span class=\"val a\">"))
    #expect(noon.contains("<mark>morning</mark>") && noon.contains("</span><span>≠</span><span class=\"val b\">"))
    #expect(!noon.contains("is not equal to"))
    #expect(try bubbles("Support/Assertions", 5).contains("(&quot;Name(3)&quot;) is not equal to"))
  }
}
