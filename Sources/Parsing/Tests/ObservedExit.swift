package import Model

/// A call by which a test process is about to end itself, as the observer saw it.
package struct ObservedExit: Hashable, Sendable {
  /// Whether XCTest called it at the end of its outermost run, which nothing but that end can bring about.
  package var endsRun: Bool
  package var status: Int32
  /// The function, such as `_exit`.
  package var function: String
  /// The program or library that called it.
  package var file: String
  /// Where in that file, in bytes from where it is loaded.
  package var offset: UInt64
  /// Where in the package, if that could be found out.
  package var place: SourceLocation?

  /// Reads a record of the observer; nil when it is of another kind, or cut off.
  package init?(_ record: ObserverRecord) {
    guard record.kind == .exit else { return nil }
    var fields = ObserverFields(record)
    guard let ends = fields.number(), let status = fields.number(), let offset = fields.number(),
      let function = fields.text(), let file = fields.text()
    else { return nil }
    endsRun = ends == 1
    self.status = Int32(truncatingIfNeeded: status)
    self.function = function
    self.file = file
    self.offset = offset
  }

  /// The call itself, as in the source: `exit(0)`.
  package var call: String { "\(function)(\(status))" }

  /// The call and its place, as they fit behind "by".
  package var words: String {
    "\(call)\(place.map { " at \($0)" } ?? "")"
  }
}

/// What is known about whether a process came to the end that its library gives it, where the results alone do not
/// prove it.
package enum EndProof: Hashable, Sendable {
  /// Proven, or not needed because the results came by the private channel.
  case given
  /// The process was followed, and ended otherwise.
  case refuted
  /// The process was not followed; why, as the middle of a sentence.
  case missing(why: String)
}
