import Testing

@testable import Model
@testable import Rendering

@Suite("Where issues are")
struct IssuePlaceTests {
  @Test("What was not found leads to the integration that last saw it, and quotes nothing that stands there now")
  func seenElsewhere() throws {
    let site = try PageSite.sample("issues")
    #expect(site.text("issues/t-4c81.html").contains("Where it is"))
    #expect(
      site.text("issues/w-odd-54d4546a.html").contains(
        #"was at <a class="up" href="../../8/index.html?page=issues/w-odd-54d4546a.html#source">Gone.swift:1</a>"#))
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    let location = try #require(report.integration.issues[index].location)
    let place = String(decoding: SafeHTML.name(location.short).bytes, as: UTF8.self)
    report.integration.issues[index].status = .unresolved
    report.integration.issues[index].isCarriedOver = true
    let record = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issueRecords[record].streaks = [.init(opened: 40, lastSeen: 40, age: 2)]
    let later = try PageSite(report)
    let page = later.text("issues/t-4c81.html")
    #expect(!page.contains("Where it is"))
    #expect(
      page.contains(
        ##"<a class="up" href="../../40/index.html?page=issues/t-4c81.html#source">\##(location.short)</a>"##))
    let link = #"<a class="up" href="../40/index.html?page=issues/t-4c81.html#source">\#(place)</a>"#
    #expect(later.text("issues.html").contains(link) && later.text("index.html").contains(link))
    #expect(!later.text("issues.html").contains(#"href="issues/t-4c81.html#source"#))
    let issues = try #require(later.text("index.html").split(separator: #"<section id="issues""#).last)
    #expect(!issues.contains("#L\(location.line)\">\(place)"))
  }

  @Test("The place of several issues on one line stands once, and that of a single one leads to where it was")
  func onOneLine() throws {
    var report = IssueSample.report
    let records = [1, 7].map { (column: Int) in
      IssueRecord(
        id: "e-\(column)", kind: .error, message: "no such member",
        location: Model.SourceLocation(file: "Sources/Gone.swift", line: 3, column: column), test: nil,
        streaks: [.init(opened: 3, lastSeen: 8, closed: 9, age: 5)])
    }
    report.integration.issues = []
    func list(_ records: [IssueRecord]) throws -> String {
      report.integration.issueRecords = records
      return try PageSite(report).text("issues.html")
    }
    #expect(try list(records).ranges(of: "Gone.swift:3").count == 1)
    #expect(
      try list([records[0]]).contains(
        #"<a class="up" href="../8/index.html?page=issues/e-1.html#source">Gone.swift:3</a>"#))
  }

  @Test("The page of a crash or a hang has the backtrace of its test, as long as it is there")
  func backtrace() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    report.integration.issueRecords = report.integration.issues.filter { ["c-19d2", "h-6b30"].contains($0.id) }
      .map { issue in
        IssueRecord(
          id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test,
          streaks: [.init(opened: number, lastSeen: number)])
      }
    let site = try PageSite(report)
    for (id, call) in [("c-19d2", "static Language.best(of:among:)"), ("h-6b30", "Doorbell.untilAnswered()")] {
      let page = site.text("issues/\(id).html")
      #expect(page.contains(#"<h2 id="h-calls">Backtrace</h2>"#) && page.contains("<code>\(call)</code>"))
      #expect(page.contains(#"href="../test-sources/"#))
    }
    let index = try #require(report.integration.issues.firstIndex { $0.id == "c-19d2" })
    report.integration.issues[index].status = .resolved
    #expect(try !PageSite(report).text("issues/c-19d2.html").contains("Backtrace"))
  }

  @Test("What is known to be only where its test is declared says so", arguments: [true, false])
  func declared(isKnown: Bool) throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    let (place, id) = (report.integration.issues[index].location, report.integration.issues[index].test)
    let test = try #require(report.integration.tests.results.firstIndex { $0.id == id })
    report.integration.issues[index].kind = .crash
    report.integration.tests.results[test].location = isKnown ? nil : place
    let page = try PageSite(report).text("issues/t-4c81.html")
    #expect(page.contains(">Where it is</h2>") == isKnown)
    #expect(page.contains(">Where the test is declared</h2>") != isKnown)
  }
}
