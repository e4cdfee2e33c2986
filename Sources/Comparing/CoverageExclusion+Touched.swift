import Model

extension CoverageExclusion {
  /// Whether a diff touched some of its lines, or may have, because it cannot be mapped.
  func isTouched(by difference: SourceDifference) -> Bool {
    if difference.obstacle(at: path) != nil { return true }
    return difference.file(at: path)?.lines?.hunks.contains { $0.new.overlaps(codeSpan) } == true
  }
}
