import Model

/// What was printed while one test ran, bounded: of a long transcript the first and the last lines stay.
struct Transcript: Sendable {
  /// How many lines are kept from the beginning, and again from the end.
  static let half = 100

  private var head: [TranscriptLine] = []
  private var tail: [TranscriptLine] = []
  private var dropped = 0

  mutating func append(_ line: TranscriptLine) {
    if head.count < Self.half {
      head.append(line)
      return
    }
    tail.append(line)
    if tail.count >= 2 * Self.half {
      dropped &+= Self.half
      tail.removeFirst(Self.half)
    }
  }

  /// Appends what the library reported, one transcript line for each line of its text.
  mutating func append(_ kind: TranscriptLine.Kind, _ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      append(TranscriptLine(kind: kind, text: String(line)))
    }
  }

  /// The kept lines in order, with a note where others were left out.
  var lines: [TranscriptLine] {
    let excess = Swift.max(tail.count - Self.half, 0)
    let count = dropped &+ excess
    guard count > 0 else { return head + tail }
    let note = TranscriptLine(kind: .event, text: "… \(count) \(count == 1 ? "line" : "lines") left out …")
    return head + [note] + tail.dropFirst(excess)
  }
}
