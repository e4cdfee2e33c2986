import Model
import Testing

@testable import Rendering

/// A package with branches in one of its three files.
enum ConditionSample {
  static let source = """
    int kind(int n) {
      if (n < 0) return -1;
      if (n > 3 && loud) return 2;
      switch (n) {
        case 2: return 4;
        default: break;
      }
      if (n) puts("n");
    }
    """

  static func condition(_ line: Int, _ columns: Range<Int>, _ counts: (UInt64, UInt64)) -> ConditionCoverage {
    ConditionCoverage(
      start: SourcePosition(line: line, column: columns.lowerBound),
      end: SourcePosition(line: line, column: columns.upperBound), trueCount: counts.0, falseCount: counts.1)
  }

  static var kind: FileCoverage {
    var lines = (1...8).map { LineCoverage(line: $0, count: 2, state: .ran) }
    lines[1].state = .partlyRan
    var kind = file(
      "Sources/tool/Kind.c", target: "tool", lines: lines + [LineCoverage(line: 9, count: 0, state: .neverRan)],
      dead: [DeadStretch(line: 2, columns: 14..<23)])
    kind.conditions = [
      condition(2, 7..<12, (0, 2)), condition(3, 7..<12, (0, 2)), condition(3, 16..<20, (0, 0)),
      condition(5, 5..<11, (0, 2)), condition(6, 5..<12, (2, 0)), condition(8, 7..<8, (1, 1)),
      condition(9, 1..<2, (0, 2)),
    ]
    kind.totals.branches = kind.conditions.branches
    kind.llvmBranches = kind.totals.branches
    return kind
  }

  static var report: Report {
    var report = CoverageSample.report
    report.integration.coverage = .available(Coverage(files: CoverageSample.files + [kind], profilesRead: 2))
    report.sources["Sources/tool/Kind.c"] = Array(source.utf8)
    return report
  }
}

@Suite("Branches on the pages")
struct ConditionPagesTests {
  private func remarks() throws -> [String] {
    let listing = SourceListing(
      HighlightedSource(Array(ConditionSample.source.utf8), path: "Kind.c"), coverage: ConditionSample.kind)
    return String(decoding: listing.html().bytes, as: UTF8.self).split(separator: "<tr ").compactMap { row in
      row.hasPrefix("class=why") ? visibleText("<tr \(row)").replacing("\n", with: "") : nil
    }
  }

  @Test("A condition that went one way only has a sentence below its line, unless the line never ran")
  func sentences() throws {
    #expect(
      try remarks() == [
        "“n < 0” was never true.", "“n > 3” was never true. “loud” was never reached.",
        "“case 2” never matched.", "“default” always matched.",
      ])
  }

  @Test("Only below a line that ran partly the sentence has the colour of such lines")
  func colour() {
    let source = HighlightedSource(Array(ConditionSample.source.utf8), path: "Kind.c")
    let html = SourceListing(source, coverage: ConditionSample.kind).html()
    let page = String(decoding: html.bytes, as: UTF8.self)
    #expect(page.ranges(of: "<tr class=why><td colspan=3 class=b><p>").count == 3)
    #expect(page.contains("<tr class=why><td colspan=3><p>“n &lt; 0” was never true."))
  }

  @Test("Of very many conditions on a line, the rest is counted")
  func many() {
    var file = file("a.c", lines: [LineCoverage(line: 1, count: 1, state: .ran)])
    file.conditions = (1...22).map { ConditionSample.condition(1, $0..<($0 + 1), (1, 0)) }
    let source = HighlightedSource(Array("abcdefghijklmnopqrstuvwxyz".utf8), path: "a.c")
    let sentences = ConditionRemarks(file).sentences(ofLine: 1, in: source)
    #expect(sentences.count == 2)
    #expect(sentences.first?.hasPrefix("“a”, “b”, “c”, ") == true)
    #expect(sentences.first?.hasSuffix(", “s” and “t” were never false.") == true)
    file.conditions = [ConditionSample.condition(1, 2..<40, (1, 0))]
    let beyond = ConditionRemarks(file).sentences(ofLine: 1, in: source)
    #expect(beyond == ["The condition at column 2 was never false."])
    #expect(sentences.last == "So it is with 2 more conditions.")
  }

  @Test("The tree has a column where any file has branches, with a dash for those that have none")
  func column() throws {
    let pages = try CoverageSite.render(ConditionSample.report)
    let page = try #require(pages["coverage.html"])
    #expect(page.contains("<a href=\"files-by-branches.html\">Branches never taken</a>"))
    let rows = page.split(separator: "<tr class").filter { $0.contains("<th scope=row>") }
    func last(_ name: String) throws -> String {
      let row = try #require(rows.first { visibleText("<\($0)").contains(name) })
      return visibleText(String(try #require(row.split(separator: "<td class=\"num dim\">").last)))
        .split(separator: "\n").first.map(String.init) ?? ""
    }
    #expect(try last("Kind.c") == "7 of 14")
    #expect(try last("Words.swift") == "–")
    #expect(try last("All counted files") == "7 of 14")
    #expect(!page.contains("<dd>the Swift compiler records none"))
    #expect(
      page.contains(
        "<dt>Branches</dt><dd>two for each condition in C, C++ and Objective-C, case labels included; "
          + "the Swift compiler records none</dd>"))
    let list = try #require(pages["files-by-branches.html"])
    #expect(list.contains("4 files by branches never taken"))
    let first = try #require(list.split(separator: "<th scope=row>").dropFirst().first)
    #expect(visibleText(String(first)).hasPrefix("Kind.c"))
    #expect(first.contains("<td>7 of 14"))
  }

  @Test("Without branches neither column nor list is there")
  func none() throws {
    let pages = try CoverageSite.render(CoverageSample.report)
    #expect(pages["files-by-branches.html"] == nil)
    let page = try #require(pages["coverage.html"])
    #expect(!page.contains("Branches never taken"))
    #expect(page.contains("<dt>Branches</dt><dd>the Swift compiler records none</dd>"))
  }

  @Test("The page of a file has its figure in the head; those of files without have none")
  func figure() throws {
    let pages = try CoverageSite.render(ConditionSample.report)
    let kind = try #require(pages["coverage/Sources-tool-Kind.c.html"])
    #expect(kind.contains("<span>7 of 14 branches never taken</span>"))
    let greeter = try #require(pages["coverage/Sources-Greeter-Greeter.swift.html"])
    #expect(!greeter.contains("branch"))
  }

  @Test("Where llvm-cov counts other branches, both figures and the reason are told")
  func difference() {
    var kind = ConditionSample.kind
    var coverage = Coverage(files: [kind])
    #expect(BranchWords.difference([kind], in: coverage) == nil)
    kind.llvmBranches = Tally(total: 16, covered: 8)
    coverage.exclusions = [
      CoverageExclusion(
        path: kind.path, firstLine: 20, lastLine: 20, lines: LineTally(total: 1, covered: 1),
        branches: Tally(total: 2, covered: 1), by: "coverage:ignore")
    ]
    #expect(
      BranchWords.difference([kind], in: coverage)
        == "llvm-cov report prints 16 branches, 8 missed, where this page has 14 and 7: 2 branches are left out here "
        + "on request.")
    coverage.exclusions = []
    #expect(
      BranchWords.difference([kind], in: coverage)
        == "llvm-cov report prints 16 branches, 8 missed, where this page has 14 and 7: it counts a macro at "
        + "each use, only one copy of an inline function or template, and constant conditions.")
  }
}
