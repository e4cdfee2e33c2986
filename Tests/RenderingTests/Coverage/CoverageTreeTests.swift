import Model
import Testing

@testable import Rendering

@Suite("The tree of the coverage page")
struct CoverageTreeTests {
  private func lines(_ uncovered: Int) -> [LineCoverage] {
    (0..<uncovered).map { LineCoverage(line: $0 + 1, count: 0, state: .neverRan) }
  }

  /// Compares files that are counted now with files of an earlier integration: path, target, uncovered lines.
  private func tree(
    now: [(String, String, Int)], before: [(String, String, Int)]
  ) -> CoverageTree {
    let coverage = Coverage(files: now.map { file($0.0, target: $0.1, lines: lines($0.2)) })
    let files = before.map { ($0.0, CoverageTotals(lines: LineTally(total: $0.2))) }
    var baseline = Baseline(
      number: 41, commit: CommitID(rawValue: ""), outcome: .succeeded, tests: TestCounts(),
      totals: files.reduce(CoverageTotals()) { $0 + $1.1 }, files: Dictionary(uniqueKeysWithValues: files),
      duration: 0, warnings: 0, states: [:])
    baseline.targets = Dictionary(uniqueKeysWithValues: before.map { ($0.0, $0.1) })
    return CoverageTree(coverage, baseline: baseline)
  }

  private func before(_ tree: CoverageTree) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: tree.targets.map { ($0.name, $0.before?.lines.total ?? -1) })
  }

  @Test("A deleted file stays with its target in the baseline, also when the others lie deeper")
  func deletedTop() {
    let tree = tree(
      now: [("Sources/A/Sub/Deep.swift", "A", 3)],
      before: [("Sources/A/Top.swift", "A", 10), ("Sources/A/Sub/Deep.swift", "A", 3)])
    #expect(before(tree) == ["A": 13])
  }

  @Test("A target that was inside another one's folder is not compared with that one's files")
  func nestedTargets() {
    let tree = tree(
      now: [("Sources/A/Sub/Deep.swift", "A", 3), ("Sources/B.swift", "B", 1)],
      before: [("Sources/A/Sub/Old.swift", "B", 4), ("Sources/A/Sub/Deep.swift", "A", 3), ("Sources/B.swift", "B", 1)])
    #expect(before(tree) == ["A": 3, "B": 5])
    let new = CoverageTreeTests().tree(now: [("C.swift", "C", 1)], before: [("D.swift", "D", 2)])
    #expect(before(new) == ["C": -1])
  }

  @Test("A folder is compared with what its target had there")
  func folders() throws {
    let tree = tree(
      now: [("Sources/A/Top.swift", "A", 1), ("Sources/A/Sub/Deep.swift", "A", 3)],
      before: [("Sources/A/Sub/Deep.swift", "A", 2), ("Sources/A/Sub/Moved.swift", "B", 5)])
    let folder = try #require(tree.targets.first?.children.first { $0.kind == .directory })
    #expect(folder.name == "Sub/" && folder.before?.lines.total == 2)
  }

  @Test("A target and its only file share a row")
  func onlyFile() throws {
    let tree = tree(
      now: [("Sources/A/A.swift", "A", 3), ("Sources/B/B.swift", "B", 2), ("Sources/B/C.swift", "B", 1)], before: [])
    guard case .list(let bodies) = tree.bodies(TreeCut(tree), link: { "\($0).html" }) else { throw Unexpected() }
    let rows = try bodies.map { body -> [[String: TemplateValue]] in
      guard case .record(let body) = body, case .list(let rows)? = body["rows"] else { throw Unexpected() }
      return rows.compactMap { if case .record(let row) = $0 { row } else { nil } }
    }
    #expect(rows.map(\.count) == [1, 3])
    let only = try #require(rows.first?.first)
    #expect(only["style"] == "target t" && only["uncovered"] == "3")
    #expect(only["name"] == .name("A"))
    guard case .html(let inside)? = only["inside"] else { throw Unexpected() }
    #expect(String(decoding: inside.bytes, as: UTF8.self).hasPrefix(" <a href=\"Sources/A/A.swift.html\">"))
  }

  @Test("Numbers in names are in the order of numbers")
  func order() throws {
    let names = ["Part10", "Part2", "Part1", "A", "Part02"].map { ("Sources/T/\($0)/F.swift", "T", 1) }
    let target = try #require(tree(now: names, before: []).targets.first)
    #expect(target.children.map(\.name) == ["A/", "Part1/", "Part02/", "Part2/", "Part10/"])
    let sorted = ["b", "a10b", "a9c", "a", "a9", "B", "a123456789012345678901", "a123456789012345678900"]
      .sorted { NameOrder($0) < NameOrder($1) }
    #expect(sorted == ["B", "a", "a9", "a9c", "a10b", "a123456789012345678900", "a123456789012345678901", "b"])
  }

  private struct Unexpected: Error {}

  @Test("A file that was renamed keeps its target")
  func renamed() {
    var baseline = Baseline(
      number: 41, commit: CommitID(rawValue: ""), outcome: .succeeded, tests: TestCounts(), totals: CoverageTotals(),
      files: ["Old.swift": CoverageTotals()], duration: 0, warnings: 0, states: [:])
    baseline.targets = ["Old.swift": "A"]
    baseline.follow(
      CoverageComparison(
        baseline: 41, before: CoverageTotals(), files: [FileComparison(path: "New.swift", oldPath: "Old.swift")]))
    #expect(baseline.targets == ["New.swift": "A"])
  }
}
