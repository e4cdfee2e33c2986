import FoundationEssentials
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
  /// How long all threads stood still for it; nil if it does not say.
  package var pause: Pause?

  /// A time in which a process did nothing of its own.
  package struct Pause: Hashable, Sendable {
    /// In seconds since 1970.
    package var start: Double
    /// In seconds.
    package var length: Double

    package init(start: Double, length: Double) {
      (self.start, self.length) = (start, length)
    }
  }

  /// Reads a crash report.
  ///
  /// - Parameter relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  /// - Throws: `ParsingError` if the bytes are not such a report.
  package static func read(_ bytes: [UInt8], relativise: (String) -> String?) throws -> BacktraceReport {
    let file: BacktraceFile = try ToolJSON.read(bytes, of: "the crash report of the Swift runtime")
    let threads = file.threads ?? []
    let crashed = threads.first { $0.crashed ?? false }
    let others = (file.omittedThreads ?? 0) &+ threads.count &- (crashed == nil ? 0 : 1)
    return BacktraceReport(
      description: file.description, thread: crashed?.stack(relativise), otherThreads: max(0, others),
      pause: file.pause)
  }
}

/// What is read of a crash report.
private struct BacktraceFile: Decodable {
  struct Thread: Decodable {
    /// The largest number of frames to keep, more than a person reads; endless recursion can produce that many.
    private static let mostFrames = 256

    var name: String?
    var crashed: Bool?
    var frames: [Frame]?

    func stack(_ relativise: (String) -> String?) -> ThreadStack {
      var stack = ThreadStack(name: name?.withoutNul, frames: [])
      for frame in frames ?? [] where stack.frames.count < Self.mostFrames {
        if let frame = frame.stackFrame(number: stack.frames.count, relativise) { stack.frames.append(frame) }
      }
      return stack
    }
  }

  struct Frame: Decodable {
    var description: String?
    var address: String?
    var image: String?
    var system: Bool?
    var thunk: Bool?
    var sourceLocation: Place?

    /// Returns nil for the entry that marks omitted frames.
    func stackFrame(number: Int, _ relativise: (String) -> String?) -> StackFrame? {
      guard let name = description ?? address else { return nil }
      let function = MacroExpansion.readable(Self.withoutOffset(name.withoutNul))
      let place = system == true || thunk == true ? nil : sourceLocation
      return StackFrame(
        number: number, function: function,
        location: SourceLocation(inPackage: place?.file, line: place?.line, column: place?.column, relativise),
        image: image?.withoutNul)
    }

    /// Returns `Shelf.book(_:) + 438` without the offset from the function's first instruction.
    private static func withoutOffset(_ text: String) -> String {
      let parts = text.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count > 2, parts[parts.count - 2] == "+", Int(parts[parts.count - 1]) != nil else { return text }
      return parts.dropLast(2).joined(separator: " ")
    }
  }

  struct Place: Decodable {
    var file: String?
    var line: Int?
    var column: Int?
  }

  var description: String?
  var omittedThreads: Int?
  var threads: [Thread]?
  /// When the report was ready.
  var timestamp: String?
  /// How long it took, in seconds.
  var backtraceTime: Double?

  var pause: BacktraceReport.Pause? {
    guard let backtraceTime, backtraceTime > 0, let timestamp,
      let end = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(timestamp)
    else { return nil }
    return BacktraceReport.Pause(start: end.timeIntervalSince1970 - backtraceTime, length: backtraceTime)
  }
}
