package import Model

extension CoverageComparison {
  /// Returns what a diff removed from the files that are compared and still there, by path.
  ///
  /// - Parameter text: returns the earlier text of a changed file; nil to pass it over.
  package func removedLines(
    by difference: SourceDifference, text: (FileDifference) -> [UInt8]?
  ) -> [String: [RemovedLines]] {
    var removed: [String: [RemovedLines]] = [:]
    for change in difference.files {
      guard let path = change.newPath, let lines = change.lines, let file = file(at: path),
        lines.hunks.contains(where: { !$0.old.isEmpty }), let text = text(change)
      else { continue }
      removed[path] = RemovedLines.find(by: lines, in: text, deleted: file.deleted)
    }
    return removed
  }
}

extension RemovedLines {
  /// The largest number of lines to keep of each stretch.
  private static let mostLines = 100

  /// Returns the lines that a diff removed from a file, from top to bottom.
  ///
  /// - Parameters:
  ///   - lines: how the lines of the file moved.
  ///   - text: the earlier text of the file.
  ///   - deleted: the removed lines that held code, by their earlier numbers, in ascending order.
  package static func find(by lines: LineMap, in text: [UInt8], deleted: [FileComparison.Line]) -> [RemovedLines] {
    var starts = [0]
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
    if let last = starts.last, last < text.count { starts.append(text.count) }
    var rest = deleted[...]
    return lines.hunks.filter { !$0.old.isEmpty && $0.old.upperBound <= starts.count }.map { hunk in
      let end = min(hunk.old.upperBound, hunk.old.lowerBound + mostLines)
      rest = rest.drop { $0.line < hunk.old.lowerBound }
      let code = rest.prefix { $0.line < hunk.old.upperBound }
      return RemovedLines(
        before: hunk.new.lowerBound, first: hunk.old.lowerBound,
        text: Array(text[starts[hunk.old.lowerBound - 1]..<starts[end - 1]]), count: hunk.old.count,
        code: Tally(total: code.count, covered: code.count { $0.before ?? 0 > 0 }))
    }
  }
}
