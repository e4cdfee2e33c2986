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

  /// The beginning of a message, as bytes: nothing becomes text before a message is known to be the last.
  private struct Opening {
    var text: ArraySlice<UInt8>
    var place: SourceLocation?
  }

  /// Messages of the Swift runtime and the standard library, which may follow a place.
  private static let runtime = ["Fatal error", "Precondition failed", "Assertion failed"].map { Array($0.utf8) }
  /// Messages of the runtime and of the C and C++ libraries, which begin a line.
  private static let others = [
    "Could not cast value of type", "Simultaneous accesses to", "terminate called", "*** stack smashing detected",
    "free(): ", "malloc(): ", "malloc_consolidate(): ", "munmap_chunk(): ", "double free or corruption",
    "corrupted size",
    "corrupted double-linked list",
  ].map { Array($0.utf8) }
  private static let openings = runtime + others
  private static let placed = runtime.map { Array(": ".utf8) + $0 }
  private static let backtracerNotes = ["*** ", "swift-runtime: "]
  private static let notes = (backtracerNotes + ["Current stack trace:", "Test Case '", "Test Suite '"])
    .map { Array($0.utf8) }
  private static let mostLines = 20

  private var lines = LineSplitter(limit: 65_536)
  private var message: [[UInt8]] = []
  private var place: SourceLocation?
  private var isOpen = false

  package init() {}

  /// Adds the next bytes of standard error.
  package mutating func consume(_ bytes: some Sequence<UInt8>) {
    for line in lines.consume(bytes) { take(line) }
  }

  /// Returns the message; nil if there was none.
  package mutating func finish() -> Message? {
    if let line = lines.finish() { take(line) }
    return message.isEmpty ? nil : Message(text: message.map(\.text).joined(separator: "\n"), place: place)
  }

  private mutating func take(_ line: [UInt8]) {
    if let opening = Self.opening(in: line) {
      (message, place) = ([Array(opening.text)], opening.place)
      isOpen = true
    } else if isOpen {
      isOpen = !line.isEmpty && line != [0x0D] && !Self.isNote(line) && message.count < Self.mostLines
      if isOpen { message.append(line) }
    }
  }

  /// Returns the message that a line begins, and the place before it; nil if it begins none.
  static func message(in line: String) -> Message? {
    opening(in: Array(line.utf8)).map { Message(text: $0.text.text, place: $0.place) }
  }

  /// Returns the message, with the place before it, as in `Swift/ContiguousArrayBuffer.swift:692: `.
  private static func opening(in line: [UInt8]) -> Opening? {
    if openings.contains(where: { line.starts(with: $0) }) { return Opening(text: line[...]) }
    for opening in placed {
      if let found = line[...].firstRange(ofBytes: opening),
        let place = SourceLocation(printed: line[..<found.lowerBound].text[...]), place.line > 0
      {
        return Opening(text: line[(found.lowerBound + 2)...], place: place)
      }
    }
    return nil
  }

  private static func isNote(_ line: [UInt8]) -> Bool {
    PrintedMessages.isMarked(line) || notes.contains { line.starts(with: $0) }
  }
}

extension LastWords {
  /// Gives what a process said last to the test that crashed, of all those that ran beside it.
  ///
  /// Whatever is printed while several tests run may be any one's, but these lines are known to be of the crash.
  package static func assign(to results: inout [TestResult]) {
    var words: Set<String> = []
    for index in results.indices where results[index].state == .crashed {
      for line in ownLines(of: results[index].transcript) {
        words.insert(results[index].transcript[line].text)
        results[index].transcript[line].isShared = false
      }
    }
    guard !words.isEmpty else { return }
    for index in results.indices where results[index].state != .crashed {
      let transcript = results[index].transcript
      let foreign = Set(ownLines(of: transcript) { words.contains($0) })
      guard !foreign.isEmpty else { continue }
      results[index].transcript = transcript.indices.filter { !foreign.contains($0) }.map { transcript[$0] }
    }
  }

  /// Returns the indices of shared lines that are messages with which a process ends, with the notes of the backtracer
  /// and the empty lines that follow each.
  ///
  /// - Parameter isMeant: whether a message is one of those that are looked for.
  private static func ownLines(
    of transcript: [TranscriptLine], where isMeant: (String) -> Bool = { _ in true }
  ) -> [Int] {
    var isOpen = false
    return transcript.indices.filter { index in
      let line = transcript[index]
      guard line.kind == .output, line.isShared else {
        isOpen = false
        return false
      }
      isOpen =
        message(in: line.text) != nil
        ? isMeant(line.text)
        : isOpen && (line.text.isEmpty || backtracerNotes.contains(where: line.text.hasPrefix))
      return isOpen
    }
  }
}
