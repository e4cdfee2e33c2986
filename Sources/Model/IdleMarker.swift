/// A comment in a source that looks like a coverage marker but leaves nothing out.
package struct IdleMarker: Hashable, Sendable, Codable {
  /// Why the marker has no effect.
  package enum Reason: String, Sendable, Codable {
    /// It ends something that was never started.
    case endsNothing = "ends-nothing"
    /// Its ending is not one that markers have.
    case unknown
    /// It is for the whole file, but is located after code.
    case behindCode = "behind-code"
    /// None of the lines that it marks holds code.
    case noCode = "no-code"
  }

  /// Relative to the package.
  package var path: String
  /// Counted from 1.
  package var line: Int
  /// The marker as written, possibly truncated.
  package var marker: String
  package var reason: Reason

  package init(path: String, line: Int, marker: String, reason: Reason) {
    self.path = path
    self.line = line
    self.marker = marker
    self.reason = reason
  }

  /// What is wrong with the marker, as a phrase to follow its name.
  package var words: String {
    switch reason {
    case .endsNothing: "ends nothing that was started"
    case .unknown: "is not a known marker"
    case .behindCode: "counts only on a line of its own"
    case .noCode: "marks no line with code"
    }
  }

  /// A sentence saying where the marker is and why it has no effect.
  package var sentence: String { "\(marker) at \(path):\(line) \(words)" }
}
