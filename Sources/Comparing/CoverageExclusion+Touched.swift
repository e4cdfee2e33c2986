import Model

extension CoverageExclusion {
  /// Whether a diff touched some of its lines, or may have, as nobody can say how they moved.
  func isTouched(by difference: SourceDifference) -> Bool {
    if difference.obstacle(at: path) != nil { return true }
    return difference.file(at: path)?.lines?.hunks.contains { $0.new.overlaps(codeSpan) } == true
  }
}
