/// How a test ended its process in its midst, as if all were well: with status 0.
package struct ProcessQuit: Hashable, Sendable, Codable {
  /// The call, such as `exit(0)`; nil where it was not seen.
  package var call: String?
  /// Where in the package it stands, if that could be found out.
  package var location: SourceLocation?

  package init(call: String? = nil, location: SourceLocation? = nil) {
    self.call = call
    self.location = location
  }

  /// What the test did, as it fits behind its name.
  package var words: String { call.map { "ended the process: \($0)" } ?? "ended the process with status 0" }
}
