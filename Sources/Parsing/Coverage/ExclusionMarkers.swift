import Model
import Syntax

/// The lines of a source that markers leave out of the coverage.
///
/// A marker is a comment that begins with the marker's text, optionally followed by a space and a reason.
/// `// coverage:ignore` follows the code on a line and applies to that line. `// coverage:ignore-start` and
/// `// coverage:ignore-end`, on lines of their own or after code, leave out everything from the first line through the
/// last, and `// coverage:ignore-file` on a line of its own anywhere in a file leaves out all of it. A mere mention of
/// a marker in other comments, block comments or strings has no effect.
struct ExclusionMarkers: Hashable {
  /// Lines that are left out together.
  struct Stretch: Hashable {
    /// The lines, counted from 1; without an end marker they have no end.
    var lines: ClosedRange<Int>
    /// The marker that leaves them out.
    var marker: String
    var isNeverEnded = false
    /// Whether the first line may hold more than the marker.
    var firstHoldsCode = true
    /// Whether the last line may hold more than the marker.
    var lastHoldsCode = true
    /// Whether the marker applies only to its own line, rather than to all lines up to an end marker.
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
    /// Whether no code precedes the comment.
    var beginsLine: Bool
  }

  private static let name = "coverage:ignore"
  /// The largest number of bytes of an ending to read; the known ones are shorter.
  private static let mostOfEnding = 24

  /// Whether the whole file is left out.
  private(set) var coversFile = false
  /// The stretches in ascending order, without overlaps.
  private(set) var stretches: [Stretch] = []
  /// Markers without effect, in ascending order, except those whose lines hold no code.
  private(set) var idle: [Idle] = []

  /// - Parameter isSwift: whether the source is in Swift, rather than in a language of the C family.
  init(in source: [UInt8], isSwift: Bool) {
    // Few files contain the word at all.
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

  /// Returns the rest of a marker's first word, up to a space or the end; nil for other comments.
  private static func ending(of comment: ArraySlice<UInt8>) -> String? {
    let text = comment.drop { $0 == UInt8(ascii: "/") || $0 <= UInt8(ascii: " ") }
    guard text.starts(with: name.utf8) else { return nil }
    let ending = text.dropFirst(name.utf8.count).prefix(mostOfEnding + 1).prefix { $0 > UInt8(ascii: " ") }
    guard ending.count > mostOfEnding else { return String(decoding: ending, as: UTF8.self) }
    return String(decoding: ending.dropLast(), as: UTF8.self) + "…"
  }
}
