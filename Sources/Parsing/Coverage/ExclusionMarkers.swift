import Model
import Syntax

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

  private struct Place {
    var line: Int
    /// Whether no code stands before the comment.
    var beginsLine: Bool
  }

  private static let name = "coverage:ignore"
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
    guard source.holds("coverage:ignore") else { return }
    let code = SourceCode(source, in: isSwift ? .swift : .c)
    var start: Place?
    for token in code.lineComments {
      guard let ending = Self.ending(of: source[token.range]) else { continue }
      let line = code.lines.line(of: token.start)
      let comment = Place(line: line, beginsLine: token.startsLine)
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

  private mutating func append(from start: Place, through end: Place?) {
    var stretch = Stretch(lines: start.line...(end?.line ?? Int.max - 1), marker: "\(Self.name)-start")
    stretch.isNeverEnded = end == nil
    stretch.firstHoldsCode = !start.beginsLine
    stretch.lastHoldsCode = end?.beginsLine != true
    stretches.append(stretch)
  }

  /// What follows the word in a comment that begins with it, up to a blank or the end; nil in other comments.
  private static func ending(of comment: ArraySlice<UInt8>) -> String? {
    let text = comment.drop { $0 == UInt8(ascii: "/") || $0 <= UInt8(ascii: " ") }
    guard text.starts(with: name.utf8) else { return nil }
    let ending = text.dropFirst(name.utf8.count).prefix(mostOfEnding + 1).prefix { $0 > UInt8(ascii: " ") }
    guard ending.count > mostOfEnding else { return String(decoding: ending, as: UTF8.self) }
    return String(decoding: ending.dropLast(), as: UTF8.self) + "…"
  }
}
