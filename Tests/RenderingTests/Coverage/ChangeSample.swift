import Comparing
import Model

@testable import Rendering

/// A pair of sources with their counts, compared: each line begins with its count and a bar, or with the bar alone.
struct ChangeSample {
  static let path = "Sources/Greeter/Greeter.swift"

  var before: [String]
  var now: [String]
  /// How the lines moved.
  var hunks: [LineMap.Hunk] = []
  var oldPath = Self.path
  /// Whether the file came with the change.
  var isAdded = false

  /// For each of genhtml's categories a pair in which the second line has it. Where nothing would have changed, a third
  /// line went, for the page of a file that is as it was tells no category.
  static let pairs: [(ChangeCategory, ChangeSample)] = [
    (.newNeverRan, Self(before: ["1|a()"], now: ["1|a()", "0|b()"], hunks: [.init(old: 2..<2, new: 2..<3)])),
    (.lost, Self(before: ["1|a()", "3|b()"], now: ["1|a()", "0|b()"])),
    (.includedNeverRan, Self(before: ["1|a()", "|b()"], now: ["1|a()", "0|b()"])),
    (.stillNeverRan, Self(before: ["1|a()", "0|b()", "5|c()"], now: ["1|a()", "0|b()"], hunks: [thirdLineWent])),
    (.gained, Self(before: ["1|a()", "0|b()"], now: ["1|a()", "2|b()"])),
    (.includedRan, Self(before: ["1|a()", "|b()"], now: ["1|a()", "2|b()"])),
    (.newRan, Self(before: ["1|a()"], now: ["1|a()", "4|b()"], hunks: [.init(old: 2..<2, new: 2..<3)])),
    (.stillRan, Self(before: ["1|a()", "9|b()", "5|c()"], now: ["1|a()", "2|b()"], hunks: [thirdLineWent])),
    (.excludedNeverRan, Self(before: ["1|a()", "0|b()"], now: ["1|a()", "|b()"])),
    (.excludedRan, Self(before: ["1|a()", "5|b()"], now: ["1|a()", "|b()"])),
    (.deletedNeverRan, Self(before: ["1|a()", "0|b()"], now: ["1|a()"], hunks: [.init(old: 2..<3, new: 2..<2)])),
    (.deletedRan, Self(before: ["1|a()", "5|b()"], now: ["1|a()"], hunks: [.init(old: 2..<3, new: 2..<2)])),
  ]

  private static let thirdLineWent = LineMap.Hunk(old: 3..<4, new: 3..<3)

  private static func coverage(_ lines: [String], _ path: String) -> Coverage {
    let counted = lines.enumerated().compactMap { index, line -> LineCoverage? in
      guard let count = UInt64(line.prefix { $0 != "|" }) else { return nil }
      return LineCoverage(line: index + 1, count: count, state: count > 0 ? .ran : .neverRan)
    }
    let regions = counted.map { line in
      CoverageRegion(
        start: SourcePosition(line: line.line, column: 1), end: SourcePosition(line: line.line, column: 4),
        count: line.count)
    }
    let function = FunctionCoverage(name: "run()", symbol: "", count: 1, regions: regions)
    var file = file(path, target: "Greeter", lines: counted, functions: [function])
    file.totals.regions = Tally(total: regions.count, covered: regions.count { $0.count > 0 })
    return Coverage(files: [file])
  }

  var changes: CoverageChanges {
    let status: FileDifference.Status = isAdded ? .added : oldPath == Self.path ? .modified : .renamed
    let difference = SourceDifference([
      FileDifference(status: status, oldPath: oldPath, newPath: Self.path, lines: LineMap(hunks: hunks))
    ])
    let coverage = Self.coverage(now, Self.path)
    return CoverageChanges(
      comparison: .known(
        CoverageComparison(
          of: coverage, with: isAdded ? Coverage(files: []) : Self.coverage(before, oldPath), baseline: 41,
          difference: difference)),
      patch: .known(PatchCoverage(of: coverage, touchedBy: difference, origin: .integration(41))))
  }

  var report: Report {
    var report = CoverageSample.report
    let coverage = Self.coverage(now, Self.path)
    let before = Self.coverage(before, oldPath)
    report.integration.coverage = .available(coverage)
    report.integration.changes = changes
    report.integration.tests = TestReport()
    report.integration.baseline?.totals = before.totals
    report.integration.baseline?.files = isAdded ? [:] : [Self.path: before.totals]
    report.integration.baseline?.targets = [Self.path: "Greeter"]
    let text = now.map { $0.drop { $0 != "|" }.dropFirst() }.joined(separator: "\n") + "\n"
    report.sources = [Self.path: Array(text.utf8)]
    return report
  }
}
