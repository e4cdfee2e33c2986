package import Model

/// A filter for the message, in a process's standard error, with which the Swift runtime or a library ends the process.
///
/// The last message counts. A message may have several lines; an empty line, the backtracer's notes or what the
/// libraries print of other tests end it.
package struct LastWords: Sendable {
  /// A message, and the place that it gives.
  package struct Message: Hashable, Sendable {
    package var text: String
    /// The place, with the file as in the message: a path, or `Module/File.swift`.
    package var place: SourceLocation?
  }

  /// Messages of the Swift runtime and the standard library, which may follow a place.
  private static let runtime = ["Fatal error", "Precondition failed", "Assertion failed"]
  /// Messages of the runtime and of the C and C++ libraries, which begin a line.
  private static let others = [
    "Could not cast value of type", "Simultaneous accesses to", "terminate called", "*** stack smashing detected",
    "free(): ", "malloc(): ", "malloc_consolidate(): ", "munmap_chunk(): ", "double free or corruption",
    "corrupted size",
    "corrupted double-linked list",
  ]
  private static let mostLines = 20

  private var lines = LineSplitter(limit: 65_536)
  private var message: [String] = []
  private var place: SourceLocation?
  private var isOpen = false

  package init() {}

  /// Adds the next bytes of standard error.
  package mutating func consume(_ bytes: some Sequence<UInt8>) {
    for line in lines.consume(bytes) { take(line.text) }
  }

  /// Returns the message; nil if there was none.
  package mutating func finish() -> Message? {
    if let line = lines.finish() { take(line.text) }
    return message.isEmpty ? nil : Message(text: message.joined(separator: "\n"), place: place)
  }

  private mutating func take(_ line: String) {
    if let opening = Self.opening(in: line) {
      (message, place) = ([opening.text], opening.place)
      isOpen = true
    } else if isOpen {
      isOpen = !line.isEmpty && !Self.isNote(line) && message.count < Self.mostLines
      if isOpen { message.append(line) }
    }
  }

  /// Returns the message, with the place before it, as in `Swift/ContiguousArrayBuffer.swift:692: `.
  private static func opening(in line: String) -> Message? {
    if (runtime + others).contains(where: line.hasPrefix) { return Message(text: line) }
    for opening in runtime {
      if let range = line.range(of: ": " + opening, in: line.startIndex), let place = place(line[..<range.lowerBound]) {
        return Message(text: String(line[line.utf8.index(range.lowerBound, offsetBy: 2)...]), place: place)
      }
    }
    return nil
  }

  /// Parses a place such as `File.swift:692`.
  private static func place(_ text: Substring) -> SourceLocation? {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
      let line = Int(text[text.utf8.index(after: colon)...]), line > 0
    else { return nil }
    return SourceLocation(file: String(text[..<colon]), line: line)
  }

  private static func isNote(_ line: String) -> Bool {
    SwiftTestingEvents.isOwn(line.utf8)
      || ["*** ", "swift-runtime: ", "Current stack trace:", "Test Case '", "Test Suite '"].contains {
        line.hasPrefix($0)
      }
  }
}
