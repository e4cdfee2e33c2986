import Model

/// What leaving out lines did to the share of lines that ran.
struct HiddenShare {
  /// What is left out now and counted before.
  let sentences: [String]
  /// What the share would be had they counted; empty when it would not have fallen.
  let verdict: [String]
  /// The files that the sentences may name.
  let paths: [String]

  init(_ comparison: CoverageComparison, now: Coverage) {
    let leftOut = comparison.leftOut
    paths = leftOut.hidingPaths
    let isByTotals = comparison.before.lines.total > 0 && comparison.files.isEmpty && comparison.unmapped.isEmpty
    guard !isByTotals || now.exclusions.isEmpty else {
      sentences = ["Whether lines that counted in \(comparison.baseline) are left out now is not known."]
      verdict = []
      return
    }
    let unknown =
      leftOut.unknown.isEmpty
      ? []
      : comparison.unmapped.filter { leftOut.unknown.contains($0.path) }
        .sentences(
          "Whether lines that counted in \(comparison.baseline) are left out now", first: GateJudgement.mostPlaces)
    sentences =
      leftOut.hiding(since: "\(comparison.baseline)").map { "\($0.text(first: GateJudgement.mostPlaces))." } + unknown
    let (lines, before) = (now.totals.lines, comparison.before.lines)
    let total = lines.total + leftOut.hiddenCount
    func falls(_ running: Int) -> Bool { GateJudgement.isLess(lines.covered + running, of: total, than: before) }
    let verb: String? =
      falls(leftOut.runningNow.upperBound) ? "would" : falls(leftOut.runningNow.lowerBound) ? "may" : nil
    verdict = leftOut.hiddenCount == 0 ? [] : verb.map { ["Had they counted, the share \($0) have fallen."] } ?? []
  }
}
