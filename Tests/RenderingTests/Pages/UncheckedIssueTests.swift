import Testing

@testable import Model
@testable import Rendering

@Suite("Issues that an integration did not come to")
struct UncheckedIssueTests {
  @Test("What an integration did not come to stands apart from what it found")
  func carriedOver() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.status == .unresolved })
    report.integration.issues[index].isCarriedOver = true
    let page = try PageSite(report).text("index.html")
    #expect(page.contains(">Not checked 1</h3>"))
    let told = try #require(page.firstRange(of: ">Not checked 1</h3>")?.upperBound)
    #expect(!page[told...].prefix(2000).contains("; not checked"), "The heading says so.")
    #expect(try !PageSite.sample("issues").text("index.html").contains("issues-not-checked"))
    let list = try PageSite(report).text("issues.html")
    #expect(list.contains("<h1>2 issues open, 1 not checked"))
    #expect(list.contains(#"id="issues-not-checked""#))
    #expect(list.contains("Issues <b>2</b>"))
    let own = try PageSite(report).text("issues/\(report.integration.issues[index].id).html")
    #expect(own.contains(">Not checked</span>") && own.contains("last seen in 42"))
  }
}
