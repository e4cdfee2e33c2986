import Model

extension TranscriptLine {
  /// The most tests that share a line of output after they ended: one that may be anybody's tells nothing of any.
  static let mostSharing = 32
}

/// The output during one test, with limits: of a long transcript, the first and the last lines are kept.
struct Transcript: Sendable {
  /// The number of lines to keep from the beginning, and again from the end.
  static let half = 100

  private var head: [TranscriptLine] = []
  private var tail: [TranscriptLine] = []
  private var dropped = 0
  private let longestLine: Int
  /// The maximum number of bytes to keep.
  private var room: Int
  private(set) var byteCount = 0

  /// - Parameter left: the number of bytes that the process's transcripts may still keep together.
  init(_ bounds: Bounds = .standard, left: Int = .max) {
    longestLine = bounds.transcriptLine
    room = Swift.max(0, Swift.min(bounds.transcript, left))
  }

  /// The beginning of the line in which the runtime announces its crash report, which the crash is told by.
  private static let backtracing = "*** Signal "

  mutating func append(_ line: TranscriptLine) {
    let isAnnouncement =
      line.text.hasPrefix(Self.backtracing) && line.text.contains(": Backtracing from 0x")
    if line.kind == .output, isAnnouncement { return }
    var line = line
    line.text = line.text.cut(to: longestLine)
    if head.count < Self.half, tail.isEmpty, byteCount + line.text.utf8.count <= room / 2 {
      byteCount += line.text.utf8.count
      head.append(line)
      return
    }
    tail.append(line)
    byteCount += line.text.utf8.count
    if tail.count >= 2 * Self.half { dropTail(Self.half) }
    if byteCount > room { dropTail((tail.count + 1) / 2) }
  }

  /// Stops the transcript from growing, because the process's transcripts have reached their common limit.
  mutating func close() { room = byteCount }

  private mutating func dropTail(_ count: Int) {
    dropped &+= count
    byteCount -= tail.prefix(count).reduce(0) { $0 + $1.text.utf8.count }
    tail.removeFirst(count)
  }

  /// Appends a report of the library, with one transcript line for each line of its text.
  mutating func append(_ kind: TranscriptLine.Kind, _ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      append(TranscriptLine(kind: kind, text: String(line)))
    }
  }

  /// The kept lines in order, with a note in place of those left out.
  var lines: [TranscriptLine] {
    let excess = Swift.max(tail.count - Self.half, 0)
    let count = dropped &+ excess
    guard count > 0 else { return head + tail }
    let note = TranscriptLine(kind: .event, text: "… \(CountText.counted(count, "line")) left out …")
    return head + [note] + tail.dropFirst(excess)
  }
}
