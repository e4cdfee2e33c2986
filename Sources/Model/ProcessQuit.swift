/// How a test ended its process before finishing, as if all were well: with status 0.
package struct ProcessQuit: Hashable, Sendable, Codable {
  /// The call, such as `exit(0)`; nil if it was not seen.
  package var call: String?
  /// The location of the call in the package, if it could be determined.
  package var location: SourceLocation?

  package init(call: String? = nil, location: SourceLocation? = nil) {
    self.call = call
    self.location = location
  }

  /// What the test did, as a phrase to follow its name.
  package var words: String { call.map { "ended the process: \($0)" } ?? "ended the process with status 0" }
}
