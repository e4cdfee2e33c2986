package import Model

/// A crash report that the Swift runtime wrote to a file, in the JSON of `SWIFT_BACKTRACE=format=json`.
///
/// The format is that of [the runtime's backtracer](https://github.com/swiftlang/swift/blob/main/docs/Backtracing.rst).
/// Only the fields that say where and why are read; missing and unknown fields are not errors.
package struct BacktraceReport: Hashable, Sendable {
  /// The description of the signal, such as `Illegal instruction`.
  package var description: String?
  /// The thread that crashed.
  package var thread: ThreadStack?
  /// The number of other threads.
  package var otherThreads = 0

  private static let input = "the crash report of the Swift runtime"
  /// The largest number of frames to keep, more than a person reads; endless recursion can produce that many.
  private static let mostFrames = 256

  /// Reads a crash report.
  ///
  /// - Parameter relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  /// - Throws: `ParsingError` if the bytes are not such a report.
  package static func read(_ bytes: [UInt8], relativise: (String) -> String?) throws -> BacktraceReport {
    var scanner = JSONScanner(bytes, input: input)
    var report = BacktraceReport()
    var threads: [(stack: ThreadStack, crashed: Bool)] = []
    try scanner.readObject { scanner, key in
      switch key {
      case "description": report.description = try scanner.readStringOrNull()
      case "omittedThreads": report.otherThreads = try scanner.readInt()
      case "threads": try scanner.readArray { threads.append(try readThread(&$0, relativise)) }
      default: try scanner.skipValue()
      }
    }
    try scanner.finish()
    report.thread = threads.first(where: \.crashed)?.stack
    report.otherThreads = max(0, report.otherThreads &+ threads.count &- (report.thread == nil ? 0 : 1))
    return report
  }

  private static func readThread(
    _ scanner: inout JSONScanner, _ relativise: (String) -> String?
  ) throws -> (ThreadStack, Bool) {
    var thread = ThreadStack(frames: [])
    var crashed = false
    try scanner.readObject { scanner, key in
      switch key {
      case "name": thread.name = try scanner.readStringOrNull()?.withoutNul
      case "crashed": crashed = try scanner.readBool()
      case "frames":
        try scanner.readArray { scanner in
          guard thread.frames.count < mostFrames else { return try scanner.skipValue() }
          guard let frame = try readFrame(&scanner, number: thread.frames.count, relativise) else { return }
          thread.frames.append(frame)
        }
      default: try scanner.skipValue()
      }
    }
    return (thread, crashed)
  }

  /// Returns nil for the entry that marks omitted frames.
  private static func readFrame(
    _ scanner: inout JSONScanner, number: Int, _ relativise: (String) -> String?
  ) throws -> StackFrame? {
    var function: String?
    var address: String?
    var image: String?
    var place: SourceLocation?
    var isGenerated = false
    try scanner.readObject { scanner, key in
      switch key {
      case "description": function = try scanner.readStringOrNull()
      case "address": address = try scanner.readStringOrNull()
      case "image": image = try scanner.readStringOrNull()
      case "system", "thunk": isGenerated = try scanner.readBool() || isGenerated
      case "sourceLocation": place = try readPlace(&scanner)
      default: try scanner.skipValue()
      }
    }
    guard let name = function ?? address else { return nil }
    var frame = StackFrame(number: number, function: withoutOffset(name.withoutNul), image: image?.withoutNul)
    if let place, !isGenerated, place.line > 0, let file = relativise(place.file) {
      frame.location = SourceLocation(file: file, line: place.line, column: place.column)
    }
    return frame
  }

  private static func readPlace(_ scanner: inout JSONScanner) throws -> SourceLocation {
    var place = SourceLocation(file: "", line: 0)
    try scanner.readObject { scanner, key in
      switch key {
      case "file": place.file = try scanner.readString().withoutNul
      case "line": place.line = try scanner.readInt()
      case "column":
        let column = try scanner.readInt()
        place.column = column > 0 ? column : nil
      default: try scanner.skipValue()
      }
    }
    return place
  }

  /// Returns `Shelf.book(_:) + 438` without the offset from the function's first instruction.
  private static func withoutOffset(_ text: String) -> String {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[parts.count - 2] == "+", Int(parts[parts.count - 1]) != nil else { return text }
    return parts.dropLast(2).joined(separator: " ")
  }
}
