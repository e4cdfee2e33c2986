@testable import Model
import Testing

@testable import Rendering

@Suite("A red test that does not count")
struct SilencedRowTests {
  @Test("Is in no count of red ones, and its row is the last and says why")
  func silencedApart() throws {
    let site = try PageSite(IssueSample.report)
    let index = site.text("index.html")
    #expect(index.contains("Tests <b class=is-failed>3 red</b>") && index.contains(#"<a href="tests.html">3 red</a>"#))
    #expect(index.contains(#"<span class="part">1 silenced</span>"#) && index.contains(">3 red tests</a>"))
    #expect(site.text("tests.html").contains("<h1>3 of 39 tests are red, 1 silenced</h1>"))
    #expect(site.text("tests.html").contains("</svg>Red or silenced 4</label>"))
    let table = try #require(index.split(separator: "</table>").first)
    let rows = table.split(separator: "<tr data-stop>")
    let last = try #require(rows.last)
    #expect(last.contains(#"<span class="faint">DoorbellTests · timed out</span>"#))
    #expect(last.contains(#"<span class="say small">Until resolved (since 37)"#))
    #expect(last.contains(#"<span class="pill silenced">Silenced</span> <small>issue "#) && !last.contains("Stack"))
    #expect(rows.count { $0.contains("answered<wbr>Before<wbr>Waiting()") } == 1)
  }

  @Test("That it does not count is told under the heading only where no row says so")
  func silenceTold() throws {
    var report = IssueSample.report
    report.integration.reasons = [.silenced(1)]
    let sentence = #"<p class="lead">1 issue is silenced"#
    #expect(try PageSite(report).text("index.html").contains(sentence), "That of a test that is gone has no row.")
    report.integration.issues.removeAll { $0.id == "t-77aa" }
    #expect(try !PageSite(report).text("index.html").contains(sentence))
  }
}
