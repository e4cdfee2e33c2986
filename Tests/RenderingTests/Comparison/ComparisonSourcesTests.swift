import Comparing
import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The lines and sources of a comparison")
struct ComparisonSourcesTests {
  private static func files(_ sample: ChangeSample) throws -> [String: String] { try files(of: sample.report) }

  /// - Parameter earlier: the files of the integration before.
  private static func files(of report: Report, earlier: [FileCoverage] = []) throws -> [String: String] {
    let coverage = report.integration.coverage.coverage?.files.first
    var before = report.integration
    before.number = 41
    before.coverage = .available(Coverage(files: earlier))
    let comparison = IntegrationComparison(
      from: IntegrationRecord(before), to: IntegrationRecord(report.integration),
      coverage: report.integration.changes?.comparison ?? .unknown(reason: ""), files: { _ in coverage },
      commits: CommitsBetween(.forward))
    let templates = try PageSite.reportTemplates()
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
      page.contains("<a href=\"\(Self.source)#L2\">Greeter.swift:2</a> <code class=\"faint\">run()</code>"))
    #expect(!page.contains("id=\"functions\""), "It would say the same again.")
    let lost = "data-l=\"lost\"><a href=\"\(Self.source)#L2\">1</a></td>"
    #expect(category == .lost ? page.contains(lost) : !page.contains("data-l=\"lost\""))
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

  @Test("A new line of which only a part ran is listed, and the table of files leads to it")
  func newParts() throws {
    var report = try #require(ChangeSample.pairs.first { $0.0 == .newRan }).1.report
    var comparison = try #require(report.integration.changes?.comparison.value)
    comparison.files[0].newPartlyRan = [2]
    report.integration.changes?.comparison = .known(comparison)
    let page = try #require(try Self.files(of: report)["index.html"])
    #expect(page.contains("<h3 id=\"lines-new-parts\">New, partly ran <span>1 of 1 new line</span></h3>"))
    #expect(page.contains("<span class=\"d\">+</span> <a href=\"\(Self.source)#L2\">Greeter.swift:2</a>"))
    #expect(page.contains("data-l=\"new, ran\"><a href=\"\(Self.source)#L2\">1 partly</a></td>"))
    #expect(!page.contains("id=\"functions\""))
  }

  @Test("Comments among new lines are in no sum, as they are in none of a patch")
  func silent() throws {
    var comparison = ComparisonSample.comparison
    var file = CoverageSides.File(
      path: "Sources/A/A.swift", target: "A", before: nil, after: LineTally(total: 5, covered: 2))
    file.lines = CategoryCounts([.newRan, .newRan, .newNeverRan, .newNeverRan, .newNeverRan])
    file.silent = CategoryCounts([.newRan, .newNeverRan])
    file.places = [CoverageSides.Place(.newNeverRan, first: 3, last: 5, silent: 1)]
    (comparison.coverage.files, comparison.coverage.lines, comparison.coverage.byChance) = ([file], file.lines, nil)
    let words = ComparisonWords(comparison)
    #expect(words.placeGroups.map { words.sum(of: $0) } == ["2 of 3 new lines"])
    let files = try ComparisonReport(templates: PageSite.reportTemplates(), time: LocalTime { _ in 0 })
      .files(of: comparison)
    let page = String(decoding: try #require(files.last).bytes, as: UTF8.self)
    #expect(page.contains(#"data-l="new, ran">1</td>"#) && !page.contains(#"data-l="new, ran">2</td>"#))
  }

  @Test("What runs by chance has a list of its own, and so has what was lost in part")
  func apart() throws {
    var report = ChangeSample(before: ["1|a()", "3|b()", "2|c()"], now: ["1|a()", "0|b()", "2|c()"]).report
    var comparison = try #require(report.integration.changes?.comparison.value)
    comparison.files[0].lines[1].isByChance = true
    comparison.files[0].lostRegions = [
      CoverageRegion(start: SourcePosition(line: 3, column: 1), end: SourcePosition(line: 3, column: 2), count: 0)
    ]
    comparison.witnesses = [40]
    report.integration.changes?.comparison = .known(comparison)
    let page = try #require(try Self.files(of: report)["index.html"])
    #expect(
      page.contains(
        "<h3 id=\"lines-parts\">Lost in part <span>1 unchanged line, part of it no longer runs</span></h3>"))
    #expect(
      page.contains(
        "<h3 id=\"lines-lost-by-chance\">Lost by chance <span>1 unchanged line: integration 40, of the same commit as 42, "
          + "differs in it</span></h3>"))
    #expect(page.contains("<span class=\"d\">~</span> <a href=\"\(Self.source)#L2\">Greeter.swift:2</a>"))
    #expect(page.contains("<span class=\"d worse\">▼</span> <a href=\"\(Self.source)#L3\">Greeter.swift:3</a>"))
    // The columns count neither.
    #expect(!page.contains("data-l=\"lost\""))
    #expect(!page.contains("id=\"lines-lost\"") && !page.contains("id=\"functions\""))
    // Two of one commit prove it themselves.
    comparison.witnesses = [40, 41]
    report.integration.changes?.comparison = .known(comparison)
    #expect(
      try #require(try Self.files(of: report)["index.html"])
        .contains("<span>1 unchanged line: 41 and 42, of one commit, differ in it</span></h3>"))
  }

  @Test("A target is the sum of all its files, those as before too; its only directory does not say it again")
  func sums() throws {
    let same = file(
      "Sources/Greeter/Same.swift", target: "Greeter",
      lines: (1...10).map { LineCoverage(line: $0, count: 0, state: .neverRan) })
    let earlier = ChangeSample(before: ["1|a()", "3|b()"], now: ["1|a()", "3|b()"]).report
    var report = ChangeSample(before: ["1|a()", "3|b()"], now: ["1|a()", "0|b()"]).report
    let files = try #require(report.integration.coverage.coverage?.files)
    report.integration.coverage = .available(Coverage(files: files + [same]))
    let old = try #require(earlier.integration.coverage.coverage?.files)
    let page = try #require(try Self.files(of: report, earlier: old + [same])["index.html"])
    #expect(page.components(separatedBy: "10 <span class=\"faint\">of 12</span></td>").count == 2)
    #expect(page.components(separatedBy: "<b>11</b> <span class=\"faint\">of 12</span></td>").count == 2)
    #expect(!page.contains(">Same.swift") && page.contains("1 other file as before."))
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

  @Test("A place that begins at a function is led to also where the source shows it with the lines before")
  func anchors() throws {
    // Of lines that never ran, those that follow each other stand in one row.
    var report = ChangeSample(before: ["1|a()", "3|b()", "3|c()", "3|d()"], now: ["1|a()", "0|b()", "0|c()", "0|d()"])
      .report
    var file = try #require(report.integration.coverage.coverage?.files.first)
    let inner = CoverageRegion(
      start: SourcePosition(line: 3, column: 1), end: SourcePosition(line: 3, column: 4), count: 0)
    let outer = CoverageRegion(
      start: SourcePosition(line: 1, column: 1), end: SourcePosition(line: 4, column: 4), count: 1)
    file.functions = [
      FunctionCoverage(name: "run()", symbol: "", count: 1, regions: [outer]),
      FunctionCoverage(name: "inner()", symbol: "", count: 0, regions: [inner]),
    ]
    report.integration.coverage = .available(Coverage(files: [file]))
    let files = try Self.files(of: report)
    let links = PageMarkup(try #require(files["index.html"])).values(of: "href").filter { $0.hasPrefix(Self.source) }
    #expect(links.contains("\(Self.source)#L4"))
    let ids = Set(PageMarkup(try #require(files[Self.source])).values(of: "id"))
    #expect(links.compactMap { $0.split(separator: "#").dropFirst().first.map(String.init) }.allSatisfy(ids.contains))
  }

  @Test("A file without a text has no page, and nothing leads to one")
  func withoutText() throws {
    let sample = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1
    var report = sample.report
    report.sources = [:]
    let comparison = IntegrationComparison(
      from: IntegrationRecord(report.integration), to: IntegrationRecord(report.integration),
      coverage: report.integration.changes?.comparison ?? .unknown(reason: ""), commits: CommitsBetween(.forward))
    let templates = try PageSite.reportTemplates()
    let files = try ComparisonReport(templates: templates, time: LocalTime { _ in 0 }).files(
      of: comparison, sources: report)
    #expect(!files.contains { $0.path.hasPrefix("coverage/") })
    let page = files.last.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    #expect(page.contains("1 changed file without a page here:"))
    #expect(files.last.map { String(decoding: $0.bytes, as: UTF8.self) }?.contains("Greeter.swift:2") == true)
  }
}
