/// A comment in a source that looks like a marker of the coverage, and leaves nothing out.
package struct IdleMarker: Hashable, Sendable, Codable {
  /// Why it has no effect.
  package enum Reason: String, Sendable, Codable {
    /// It ends what nothing started.
    case endsNothing = "ends-nothing"
    /// Its ending is none that a marker has.
    case unknown
    /// It means the whole file, but stands behind code.
    case behindCode = "behind-code"
    /// None of the lines that it marks holds code.
    case noCode = "no-code"
  }

  /// Relative to the package.
  package var path: String
  /// From 1.
  package var line: Int
  /// As it is written, perhaps cut.
  package var marker: String
  package var reason: Reason

  package init(path: String, line: Int, marker: String, reason: Reason) {
    self.path = path
    self.line = line
    self.marker = marker
    self.reason = reason
  }

  /// What is the matter with it, to be said behind its name.
  package var words: String {
    switch reason {
    case .endsNothing: "ends nothing that was started"
    case .unknown: "is not a known marker"
    case .behindCode: "counts only on a line of its own"
    case .noCode: "marks no line with code"
    }
  }

  /// Says where it is and why it has no effect.
  package var sentence: String { "\(marker) at \(path):\(line) \(words)" }
}
