package import Model

/// A call with which a test process is about to end itself, as reported by the observer.
package struct ObservedExit: Hashable, Sendable {
  /// Whether XCTest made the call at the end of its outermost run, which nothing else can cause.
  package var endsRun: Bool
  package var status: Int32
  /// The function, such as `_exit`.
  package var function: String
  /// The program or library that made the call.
  package var file: String
  /// The offset of the call in that file, in bytes from its load address.
  package var offset: UInt64
  /// The offsets to which the calls around it return, the innermost first, as far as they are in that file and known.
  package var calls: [UInt64] = []
  /// The place in the package, if it could be determined.
  package var place: SourceLocation?
  /// The place of the outermost of the calls around it in the package; nil if that is unknown, or the call itself.
  package var calledFrom: SourceLocation?

  /// Reads an observer record; returns nil if it is of another kind, or truncated.
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
    while let call = fields.number() { calls.append(call) }
  }

  /// The call as in the source: `exit(0)`.
  package var call: String { "\(function)(\(status))" }

  /// The call and its place, worded to follow "by".
  package var words: String {
    "\(call)\(place.map { " at \($0)" } ?? "")"
  }
}

/// The evidence of whether a process reached the library's regular end, where the results alone do not prove it.
package enum EndProof: Hashable, Sendable {
  /// Proven, or unnecessary because the results came through the private channel.
  case given
  /// The process was followed, and did not end that way.
  case refuted
  /// The process was not followed; the reason is worded as the middle of a sentence.
  case missing(why: String)
}
