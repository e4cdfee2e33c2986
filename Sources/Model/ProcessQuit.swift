/// How a test ended its process as if all were well, with status 0; or how the set-up of its class did before it, with any
/// status.
package struct ProcessQuit: Hashable, Sendable, Codable {
  /// The call, such as `exit(0)`; nil if it was not seen.
  package var call: String?
  /// The location of the call in the package, if it could be determined.
  package var location: SourceLocation?
  /// The location of the outermost call in the package that led to it, such as that in the test; nil if that is unknown or
  /// the call itself, and in older documents.
  package var calledFrom: SourceLocation?
  /// Whether the test had not begun; nil if it had, and in older documents.
  package var isBeforeStart: Bool?
  /// The exit status; nil for 0, and in older documents.
  package var status: Int32?

  package init(
    call: String? = nil, location: SourceLocation? = nil, calledFrom: SourceLocation? = nil,
    isBeforeStart: Bool? = nil, status: Int32? = nil
  ) {
    self.call = call
    self.location = location
    self.calledFrom = calledFrom
    self.isBeforeStart = isBeforeStart
    self.status = status
  }

  /// Whether the test itself ended the process, and not what ran before it.
  package var isByTest: Bool { isBeforeStart != true }

  /// What the test did, or what kept it from beginning, as a phrase to follow its name.
  package var words: String {
    if !isByTest {
      return
        "did not begin: \(call.map { "\($0) ended the process" } ?? "the process ended with status \(status ?? 0)")"
    }
    return call.map { "ended the process: \($0)" } ?? "ended the process with status \(status ?? 0)"
  }

  /// Returns what the process did before the first test of a class began, as a sentence without its end.
  ///
  /// - Parameter tellsPlace: whether it says where the call is.
  package func sentence(before suite: String, tellsPlace: Bool = true) -> String {
    let place = tellsPlace ? location.map { " at \($0.fileName):\($0.line)" } ?? "" : ""
    let end = call.map { "\($0)\(place) ended the process" } ?? "The process ended with status \(status ?? 0)"
    return "\(end) before any test of \(suite) began"
  }
}
