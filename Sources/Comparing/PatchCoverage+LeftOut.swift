import Model

extension PatchCoverage {
  /// What is said of changed lines that are in no figure: those that are left out, and those that do not count.
  ///
  /// - Parameter count: how many files a sentence names before the rest is counted.
  func outsideSentences(first count: Int) -> [String] {
    let uncounted = uncounted.clauses(first: count).map { "\($0.capitalizedFirst)." }
    return [leftOutSentence(first: count)].compactMap(\.self) + uncounted
  }

  /// Says that lines which nobody looked at changed, too; nil when there are none.
  ///
  /// - Parameter count: how many files are named before the rest is counted.
  private func leftOutSentence(first count: Int) -> String? {
    guard !leftOut.isEmpty else { return nil }
    return "Changed lines of \(ShortList.text(leftOut, first: count)) are left out, and were not looked at."
  }
}

extension CoverageExclusion {
  /// Whether a diff touched some of its lines, or may have, as nobody can say how they moved.
  func isTouched(by difference: SourceDifference) -> Bool {
    if difference.obstacle(at: path) != nil { return true }
    return difference.file(at: path)?.lines?.hunks.contains { $0.new.overlaps(codeSpan) } == true
  }
}
