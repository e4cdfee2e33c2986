/// Source that is left out of the figures because somebody asked for it.
package struct CoverageExclusion: Hashable, Sendable, Codable {
  /// Relative to the package.
  package var path: String
  /// The lines that are left out, from 1; absent for a whole file.
  package var firstLine: Int?
  package var lastLine: Int?
  /// The lines with code among them.
  package var lines: LineTally
  /// The branches on these lines; absent when there are none.
  package var branches: Tally?
  /// What asked for it: a glob, or a marker in the source.
  package var by: String
  /// Whether a marker that starts something goes on to the end of the file, as none ends it; absent elsewhere.
  package var neverEnded: Bool?
  /// Whether code stands on the first line, too, before the marker that starts several; absent where only the marker does.
  package var firstHoldsCode: Bool?
  /// Whether code stands on the last line, too, where a marker ends several; absent where only the marker does.
  package var lastHoldsCode: Bool?
  /// The function that begins on the line of a marker for one line, and of which other lines count; absent elsewhere.
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

  /// Says that what a marker starts is not ended; nil where that is not so.
  package var neverEndedSentence: String? {
    guard neverEnded == true, let firstLine else { return nil }
    return "\(by) at \(path):\(firstLine) is never ended"
  }

  /// Says that a marker on the first line of a function leaves the others; nil where that is not so.
  package var onlyFirstLineSentence: String? {
    guard let function = onlyFirstLineOf, let firstLine else { return nil }
    return "\(by) at \(path):\(firstLine) leaves out its own line, not the rest of \(function)"
  }

  /// Says that a glob asks to leave out what is not there.
  package static func idleSentence(_ glob: String) -> String { "\(glob) matched no source that would count" }
}
