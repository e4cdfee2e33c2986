import Comparing
import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The lines and sources of a comparison")
struct ComparisonSourcesTests {
  private static func files(_ sample: ChangeSample) throws -> [String: String] {
    let report = sample.report
    let functions = report.integration.coverage.coverage?.files.first?.functions ?? []
    var before = report.integration
    before.number = 41
    before.coverage = .available(Coverage(files: []))
    let comparison = IntegrationComparison(
      from: IntegrationDocument(before), to: IntegrationDocument(report.integration),
      coverage: report.integration.changes?.comparison ?? .unknown(reason: ""), functions: { _ in functions },
      commits: CommitsBetween(.forward))
    let templates = try ReportTemplates(folder: PageSite.repository.appending(path: "templates").path)
    let files = try ComparisonReport(templates: templates, time: LocalTime { _ in 0 })
      .files(of: comparison, sources: report)
    return Dictionary(uniqueKeysWithValues: files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
  }

  private static let source = "coverage/Sources-Greeter-Greeter.swift.html"

  @Test(
    "A place is listed with its link, its function and its count",
    arguments: [(ChangeCategory.lost, "lost"), (.newNeverRan, "new"), (.includedNeverRan, "new"), (.gained, "gained")])
  func listed(_ category: ChangeCategory, _ id: String) throws {
    let sample = try #require(ChangeSample.pairs.first { $0.0 == category }).1
    let files = try Self.files(sample)
    let page = try #require(files["index.html"])
    #expect(page.contains("<h3 id=\"lines-\(id)\">"))
    #expect(
      page.contains("<a href=\"\(Self.source)#L2\">Greeter.<wbr>swift:2</a></td><td class=\"wide\"><code>run()</code>"))
    #expect(page.contains("<section id=\"functions\""))
    #expect(page.contains("data-l=\"lost\">\(category == .lost ? "<a href=\"\(Self.source)#L2\">1</a>" : "–")</td>"))
  }

  @Test("What was lost stands before what is new, and what was gained comes last")
  func order() throws {
    let sample = ChangeSample(
      before: ["0|a()", "1|b()"], now: ["1|a()", "0|b()", "0|c()"], hunks: [.init(old: 3..<3, new: 3..<4)])
    let page = try #require(try Self.files(sample)["index.html"])
    let places = try ["lost", "new", "gained"].map { try #require(page.firstRange(of: "lines-\($0)\"")).lowerBound }
    #expect(places == places.sorted())
  }

  @Test(
    "Nothing is listed where every line is as it was, or is new and ran", arguments: [ChangeCategory.stillRan, .newRan])
  func unlisted(_ category: ChangeCategory) throws {
    let sample = try #require(ChangeSample.pairs.first { $0.0 == category }).1
    let page = try #require(try Self.files(sample)["index.html"])
    #expect(!page.contains("id=\"places\"") && !page.contains("id=\"functions\""))
  }

  @Test("The page of a source has the marks, and every link in the folder leads somewhere")
  func sources() throws {
    let sample = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1
    let files = try Self.files(sample)
    #expect(try #require(files[Self.source]).contains("ran 3× in 41"))
    for (path, text) in files where path.hasSuffix(".html") {
      let markup = PageMarkup(text)
      #expect(markup.nestingFault == nil)
      for link in markup.values(of: "href") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts[0].isEmpty ? path : PageMarkup.resolve(String(parts[0]), from: path)
        let page = try #require(files[target], "\(link) on \(path) leads nowhere")
        guard parts.count > 1, link != "#content", target.hasSuffix(".html") else { continue }
        #expect(
          PageMarkup(page).values(of: "id").contains(String(parts[1])) || text.contains("<symbol id=\"\(parts[1])\""),
          "\(link) on \(path)")
      }
    }
  }

  @Test("A file without a text has no page, and nothing leads to one")
  func withoutText() throws {
    let sample = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1
    var report = sample.report
    report.sources = [:]
    let comparison = IntegrationComparison(
      from: IntegrationDocument(report.integration), to: IntegrationDocument(report.integration),
      coverage: report.integration.changes?.comparison ?? .unknown(reason: ""), commits: CommitsBetween(.forward))
    let templates = try ReportTemplates(folder: PageSite.repository.appending(path: "templates").path)
    let files = try ComparisonReport(templates: templates, time: LocalTime { _ in 0 }).files(
      of: comparison, sources: report)
    #expect(!files.contains { $0.path.hasPrefix("coverage/") })
    let page = files.last.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    #expect(page.contains("1 changed file without a page here:"))
    #expect(files.last.map { String(decoding: $0.bytes, as: UTF8.self) }?.contains("Greeter.<wbr>swift:2</td>") == true)
  }
}
