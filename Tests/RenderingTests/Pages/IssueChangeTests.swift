import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("The changes quoted on the page of an issue")
struct IssueChangeTests {
  @Test("Of many changed lines the one that speaks for the suspect is marked")
  func ownLine() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    report.integration.issueRecords[index].streaks = [.init(opened: 40, lastSeen: 41, closed: 42)]
    report.integration.issueRecords[index].suspects = [
      Suspect(
        name: "Ada", email: "", confidence: .high, reason: "9f1c2ab changed Options.swift:8.",
        place: Model.SourceLocation(file: "Sources/greet/Options.swift", line: 8))
    ]
    func rows(_ numbers: ClosedRange<Int>) throws -> [Substring] {
      report.integration.issueRecords[index].suspectedHunk = SourceHunk(
        file: "Sources/greet/Options.swift",
        lines: numbers.map { .init(number: $0, text: "let line = 1", change: .added) })
      return try PageSite(report).text("issues/t-4c81.html").matches(of: /<tr class="([^"]*)"><th class="ln"/).map(\.1)
    }
    #expect(try rows(7...9) == ["hot", "hot own", "hot"])
    #expect(try rows(8...8) == ["hot"])
  }

  @Test("A change leads to its line also where the source shows it with the lines before")
  func anchor() throws {
    var report = IssueSample.report
    let number = report.integration.number
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    report.integration.histories = [:]
    report.sources["Sources/greet/Options.swift"] = Array(String(repeating: "let a = 1\n", count: 24).utf8)
    let commit = Commit(
      id: CommitID(rawValue: "e83f1640"), summary: "Ring at noon", author: "Mira", date: Date(timeIntervalSince1970: 0))
    for line in 1...12 {
      var streak = IssueRecord.Streak(opened: number - 2, lastSeen: number - 1, closed: number)
      streak.resolution = IssueRecord.Resolution([commit])
      streak.resolution?.hunks = [
        SourceHunk(file: "Sources/greet/Options.swift", lines: [.init(number: line, text: "x", change: .added)])
      ]
      report.integration.issueRecords[index].streaks = [streak]
      let site = try PageSite(report)
      let links = PageMarkup(site.text("issues/t-4c81.html")).values(of: "href").filter { $0.hasSuffix("#L\(line)") }
      let path = PageMarkup.resolve(
        String(try #require(links.first).prefix { $0 != "#" }), from: "issues/t-4c81.html")
      #expect(PageMarkup(site.text(path)).values(of: "id").contains("L\(line)"), "\(line)")
    }
  }
}
