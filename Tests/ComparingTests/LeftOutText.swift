import Comparing
import Model

/// Sources of one integration, and what is left out of them.
struct LeftOutText {
  var coverage = Coverage(files: [])
  private let texts: [CoverageText]

  /// - Parameters:
  ///   - markers: the lines that markers leave out, by path, those of the markers included.
  ///   - whole: files that are left out as a whole.
  init(_ texts: [CoverageText], markers: [String: [ClosedRange<Int>]] = [:], whole: Set<String> = []) {
    self.texts = texts
    var (files, exclusions): ([FileCoverage], [CoverageExclusion]) = ([], [])
    for text in texts {
      var file = text.coverage
      guard !whole.contains(text.path) else {
        exclusions.append(CoverageExclusion(path: text.path, lines: file.totals.lines, by: "Sources/*/Generated/**"))
        continue
      }
      for range in markers[text.path] ?? [] {
        let inside = file.lines.filter { range.contains($0.line) }
        exclusions.append(
          CoverageExclusion(
            path: text.path, firstLine: range.lowerBound, lastLine: range.upperBound, lines: Self.tally(inside),
            by: range.count == 1 ? "coverage:ignore" : "coverage:ignore-start"))
        file.lines.removeAll { range.contains($0.line) }
      }
      file.totals.lines = Self.tally(file.lines)
      if !file.lines.isEmpty { files.append(file) }
    }
    coverage = Coverage(files: files, exclusions: exclusions)
  }

  private static func tally(_ lines: [LineCoverage]) -> LineTally {
    LineTally(total: lines.count, covered: lines.count { $0.count > 0 })
  }

  /// What the diff from earlier sources says; the texts are paired in their order.
  func difference(from old: LeftOutText) -> SourceDifference {
    SourceDifference(
      zip(texts, old.texts).map { new, old in
        FileDifference(
          status: old.path == new.path ? .modified : .renamed, oldPath: old.path, newPath: new.path,
          lines: new.lines(from: old))
      })
  }

  /// The comparison with integration 41, whose sources were others.
  func compared(with old: LeftOutText, by difference: SourceDifference? = nil) -> CoverageComparison {
    CoverageComparison(
      of: coverage, with: old.coverage, baseline: 41, difference: difference ?? self.difference(from: old))
  }

  func judged(_ gate: CoverageGate, since old: LeftOutText, by difference: SourceDifference? = nil) -> GateResult {
    let difference = difference ?? self.difference(from: old)
    let changes = CoverageChanges(
      comparison: .known(compared(with: old, by: difference)),
      patch: .known(PatchCoverage(of: coverage, touchedBy: difference, origin: .integration(41))))
    return GateJudgement.told(of: [gate], coverage: .available(coverage), changes: changes)[0]
  }
}
