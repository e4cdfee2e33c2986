import Model
import Testing

@testable import Rendering

/// Of the functions of a header Swift compiles copies of its own, without counters.
@Suite("Headers of C on the pages")
struct HeaderPagesTests {
  private static let path = "Sources/tool/include/kind.h"

  /// A header with a line that ran partly, one that never ran, and a function in each.
  private static var header: FileCoverage {
    var file = ConditionSample.kind
    file.path = path
    var once = CoverageSample.function("once(int)", 9...9, count: 0)
    once.folded = [.init(.closure, count: 0), .init(.closure, count: 1)]
    file.functions = [CoverageSample.function("kind(int)", 1...8, count: 2), once]
    file.totals.functions = Tally(total: 4, covered: 2)
    file.totals.regions = Tally(total: 5, covered: 4)
    return file
  }

  private static func site(_ file: FileCoverage) throws -> [String: String] {
    var report = CoverageSample.report
    report.integration.baseline = nil
    report.integration.coverage = .available(Coverage(files: [file]))
    report.integration.changes = CoverageChanges(
      comparison: .unknown(reason: "none"),
      patch: .known(
        PatchCoverage(
          origin: .parent,
          files: [PatchCoverage.File(path: path, ran: [], partlyRan: [2], neverRan: [9])])))
    report.sources[path] = Array((ConditionSample.source + "\nint once(int n) { return n; }\n").utf8)
    return try CoverageSite.render(report)
  }

  @Test("A page of a header says of which runs it speaks, and of nothing that it never ran")
  func page() throws {
    let page = try #require(try Self.site(Self.header)["coverage/Sources-tool-include-kind.h.html"])
    let note =
      "Calls from Swift are not all counted here: Swift compiles its own copies of what headers define, without "
      + "counters."
    for words in [
      note, "1 of 9 lines without a counted run", "2 of 4 functions and closures without a counted call",
      "1 of 5 regions without a counted run", "7 of 14 branches without a counted run",
      "1 of 2 changed lines without a counted run", "<b class=N>0</b> without a counted run",
      "<span>1 partly ran, ", "1 of 2 closures without a counted call",
      "title=\"without a counted run\"",
      "In the counted runs: “n &lt; 0” was never true.",
    ] { #expect(page.contains(words), "\(words)") }
    let text = page.split(separator: "<tr ").filter { !$0.hasPrefix("class=why") }.joined(separator: "\n")
    for words in ["never ran", "never called", "never taken"] { #expect(!text.contains(words), "\(words)") }
  }

  @Test("The page about all files says it beside the figures, and of no block of a header that it never ran")
  func overview() throws {
    let page = try #require(try Self.site(Self.header)["coverage.html"])
    #expect(
      page.contains(
        "<dt>Headers</dt><dd>in 1 header of C, C++ or Objective-C calls from Swift are not all counted: Swift compiles "
          + "its own copies of what headers define, without counters</dd>"))
    #expect(visibleText(page).contains("once(int) has no counted call"))
    #expect(page.contains("</b> without a counted run</small>"))
    #expect(!page.contains("once(int)</code> was never called"))
    var source = Self.header
    source.path = "Sources/tool/kind.c"
    #expect(try Self.site(source)["coverage.html"]?.contains("<dt>Headers</dt>") == false)
  }

  @Test("Where no run of a line is counted, the heading says no more")
  func headings() {
    func phrase(_ states: LineState..., isComplete: Bool = true) -> String {
      let lines = states.enumerated().map { LineCoverage(line: $0 + 1, count: 1, state: $1) }
      return CoverageWords.phrase(file("Sources/tool/kind.h", lines: lines), isComplete: isComplete)
    }
    #expect(phrase(.neverRan, .neverRan) == "no line has a counted run")
    #expect(phrase(.neverRan, isComplete: false) == "at most 1 of 1 line without a counted run")
    #expect(phrase(.ran, .ran) == "all 2 lines ran")
  }

  @Test("A sentence about a change says that not all calls of headers are counted")
  func sentences() throws {
    let sample = ChangeSample(
      before: ["1|a()", "3|b()"], now: ["1|a()", "0|b()", "0|c()", "0|d()", "1|e()"],
      hunks: [.init(old: 3..<3, new: 3..<6)])
    var changes = IntegrationRecord.ChangesSection(sample.changes)
    changes.patch.files?[0].path = "C/a.h"
    changes.files?[0].path = "C/a.h"
    let summary = ChangeSummary(changes)
    #expect(summary.patch == "1 of 3 changed lines ran; 2 never, as far as calls of headers are counted: C/a.h:3–4")
    #expect(
      summary.lostSentence
        == "1 unchanged line that ran in 41 no longer runs, as far as calls of headers are counted: C/a.h:2")
  }

  @Test("A category of changed lines does not say either that they never ran")
  func categories() {
    let words = ChangeCategory.allCases.map { ChangeWords.meaning(of: $0, since: 3, byChance: 0, isHeader: true) }
    #expect(words.contains("new, without a counted run") && words.contains("had no counted run in 3, runs now"))
    #expect(!words.contains { $0.contains("never") || $0.contains("did not") || $0.contains("no longer run") })
    #expect(Set(words).count == ChangeCategory.allCases.count)
  }

  @Test("Neither does the legend of a listing, nor a sum of regions")
  func legend() {
    var file = FileComparison(
      path: "C/a.h",
      lines: [.init(line: 3, category: .lost, before: 2), .init(line: 5, category: .gained, before: 0)])
    file.totalsBefore = CoverageTotals()
    let comparison = CoverageComparison(baseline: 6, before: CoverageTotals(), files: [file])
    let marks = ChangeMarks(
      of: "C/a.h", in: CoverageChanges(comparison: .known(comparison), patch: .unknown(reason: "")))
    #expect(marks.legend.map(\.words) == ["ran in 6, without a counted run now", "had no counted run in 6, runs now"])
    let sums = ChangeWords.regionSums(
      file.regions, beside: Tally(total: 2, covered: 1), words: Self.header.neverRanWords)
    #expect(sums?.hasSuffix("llvm-cov\u{2019}s 2, 1 without a counted run.") == true)
  }

  @Test("The summary for people names such lines with what is not counted")
  func markdown() throws {
    func markdown(_ file: FileCoverage) throws -> String {
      var integration = ExportSample.integration
      integration.coverage = .available(Coverage(files: [file]))
      return try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: .markdown)
    }
    let note =
      "\n\nCalls from Swift into headers of C, C++ or Objective-C are not all counted: Swift compiles its own copies of "
      + "what headers define, without counters.\n"
    #expect(try markdown(Self.header).hasSuffix(note))
    #expect(try !markdown(ConditionSample.kind).contains("from Swift"))
  }
}
