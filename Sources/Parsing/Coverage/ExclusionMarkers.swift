import Glibc
import Model

/// The lines of a source that markers leave out of the coverage.
///
/// A marker is a comment that begins with it, and may go on with a reason behind a blank. `// coverage:ignore` stands behind
/// the code of one line. `// coverage:ignore-start` and `// coverage:ignore-end`, on lines of their own or behind code,
/// leave out the lines from the one through the other, and `// coverage:ignore-file` on a line of its own anywhere in a
/// file means all of it. What only speaks of a marker is none: other comments, block comments, and strings.
struct ExclusionMarkers: Hashable {
  /// Lines that are left out together.
  struct Stretch: Hashable {
    /// From 1; those of a marker that is never ended go on without end.
    var lines: ClosedRange<Int>
    /// What leaves them out.
    var marker: String
    var isNeverEnded = false
    /// Whether more than the marker may stand on the first line.
    var firstHoldsCode = true
    /// The same of the last line.
    var lastHoldsCode = true
    /// Whether the marker means its own line only, and none that another one ends.
    var isOfOneLine: Bool { marker == ExclusionMarkers.name }
  }

  /// A comment that looks like a marker and leaves nothing out.
  struct Idle: Hashable {
    var line: Int
    var marker: String
    var reason: IdleMarker.Reason
  }

  private static let name = "coverage:ignore"
  private static let word = Array(name.utf8)
  private static let colonOffset = "coverage".utf8.count
  /// How many bytes of an ending are read; those that are known are shorter.
  private static let mostOfEnding = 24

  /// Whether the whole file is left out.
  private(set) var coversFile = false
  /// Ascending, not overlapping.
  private(set) var stretches: [Stretch] = []
  /// Ascending; those with lines that hold no code are not among them.
  private(set) var idle: [Idle] = []

  /// - Parameter isSwift: whether the source is in Swift, or else in a language of the C family.
  init(in source: [UInt8], isSwift: Bool) {
    // Few files hold the word at all.
    guard Self.holdsWord(source) else { return }
    var comments = LineComments(in: source, isSwift: isSwift)
    var start: LineComments.Comment?
    while let comment = comments.next() {
      guard let ending = Self.ending(of: source[comment.text]) else { continue }
      let line = comment.line
      switch ending {
      case "":
        if start == nil, stretches.last?.lines.upperBound != line {
          stretches.append(Stretch(lines: line...line, marker: Self.name))
        }
      case "-start": start = start ?? comment
      case "-end":
        if let start {
          append(from: start, through: comment)
        } else {
          idle.append(Idle(line: line, marker: Self.name + ending, reason: .endsNothing))
        }
        start = nil
      case "-file" where comment.beginsLine: coversFile = true
      case "-file": idle.append(Idle(line: line, marker: Self.name + ending, reason: .behindCode))
      default: idle.append(Idle(line: line, marker: Self.name + ending, reason: .unknown))
      }
    }
    if let start { append(from: start, through: nil) }
  }

  private mutating func append(from start: LineComments.Comment, through end: LineComments.Comment?) {
    var stretch = Stretch(lines: start.line...(end?.line ?? Int.max - 1), marker: "\(Self.name)-start")
    stretch.isNeverEnded = end == nil
    stretch.firstHoldsCode = !start.beginsLine
    stretch.lastHoldsCode = end?.beginsLine != true
    stretches.append(stretch)
  }

  /// Whether the word stands anywhere; looked for by its colon, which is rarer than its letters.
  private static func holdsWord(_ source: [UInt8]) -> Bool {
    source.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(UInt8(ascii: ":")), bytes.count - start)
      {
        let colon = UnsafeRawPointer(found) - base
        let offset = colon - colonOffset
        if offset >= 0, bytes[offset...].starts(with: word) { return true }
        start = colon + 1
      }
      return false
    }
  }

  /// What follows the word in a comment that begins with it, up to a blank or the end; nil in other comments.
  private static func ending(of comment: ArraySlice<UInt8>) -> String? {
    let text = comment.drop { $0 == UInt8(ascii: "/") || $0 <= UInt8(ascii: " ") }
    guard text.starts(with: word) else { return nil }
    let ending = text.dropFirst(word.count).prefix(mostOfEnding + 1).prefix { $0 > UInt8(ascii: " ") }
    guard ending.count > mostOfEnding else { return String(decoding: ending, as: UTF8.self) }
    return String(decoding: ending.dropLast(), as: UTF8.self) + "…"
  }
}
