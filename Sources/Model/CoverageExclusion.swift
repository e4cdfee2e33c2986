/// Source that is left out of the figures on request.
package struct CoverageExclusion: Hashable, Sendable, Codable {
  /// Relative to the package.
  package var path: String
  /// The lines that are left out, counted from 1; absent for a whole file.
  package var firstLine: Int?
  package var lastLine: Int?
  /// The lines with code among them.
  package var lines: LineTally
  /// The branches on these lines; absent if there are none.
  package var branches: Tally?
  /// What requested the exclusion: a glob, or a marker in the source.
  package var by: String
  /// Whether a start marker reaches the end of the file because no marker ends it; absent otherwise.
  package var neverEnded: Bool?
  /// Whether the first line holds code, too, before the marker that starts several lines; absent if it holds only the
  /// marker.
  package var firstHoldsCode: Bool?
  /// Whether the last line holds code, too, if a marker ends several lines; absent if it holds only the marker.
  package var lastHoldsCode: Bool?
  /// The function that begins on the line of a single-line marker and whose other lines count; absent otherwise.
  package var onlyFirstLineOf: String?

  package init(
    path: String, firstLine: Int? = nil, lastLine: Int? = nil, lines: LineTally, branches: Tally? = nil, by: String
  ) {
    self.path = path
    self.firstLine = firstLine
    self.lastLine = lastLine
    self.lines = lines
    self.branches = branches
    self.by = by
  }

  /// A sentence saying that a start marker is never ended; nil if this does not apply.
  package var neverEndedSentence: String? {
    guard neverEnded == true, let firstLine else { return nil }
    return "\(by) at \(path):\(firstLine) is never ended"
  }

  /// A sentence saying that a marker on the first line of a function does not cover the rest; nil if this does not
  /// apply.
  package var onlyFirstLineSentence: String? {
    guard let function = onlyFirstLineOf, let firstLine else { return nil }
    return "\(by) at \(path):\(firstLine) leaves out its own line, not the rest of \(function)"
  }

  /// Returns a sentence saying that a glob matches nothing that it could leave out.
  package static func idleSentence(_ glob: String) -> String { "\(glob) matched no source that would count" }
}
