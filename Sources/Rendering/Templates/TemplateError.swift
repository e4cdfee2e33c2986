/// The reason why a template could not be read or rendered, and the place.
package struct TemplateError: Error, CustomStringConvertible, Equatable {
  /// The template's file, or its name if it has no file; for an unreadable folder, the folder.
  package var file: String
  /// The place in the file; nil if the error concerns the whole file.
  package var position: Position?
  /// The tags that included this template, nearest first, as `file:line:column`.
  package var inclusions: [String] = []
  /// What is wrong, without a full stop.
  package var reason: String
  /// What to do next, as sentences.
  package var advice: String

  /// A place in a template.
  package struct Position: Equatable, Sendable {
    /// From 1.
    package var line: Int
    /// In characters, from 1.
    package var column: Int
    /// The line, or the part of a long line around the column.
    package var excerpt: String
    /// The number of characters in the excerpt before the column.
    package var caret: Int
  }

  /// The maximum number of inclusions in a message; a recursion has many.
  private static let shownInclusions = 8

  package var description: String {
    var lines: [String] = []
    if let position {
      lines.append("Template \(file):\(position.line):\(position.column): \(reason).")
      lines.append("  " + position.excerpt)
      lines.append("  " + String(repeating: " ", count: position.caret) + "^")
    } else {
      lines.append("Template \(file): \(reason).")
    }
    lines += inclusions.prefix(Self.shownInclusions).map { "  included from \($0)" }
    if inclusions.count > Self.shownInclusions {
      lines.append("  and \(inclusions.count - Self.shownInclusions) more inclusions")
    }
    lines.append(advice)
    return lines.joined(separator: "\n")
  }
}

extension TemplateError.Position {
  /// The number of characters that an excerpt shows on each side of the column.
  private static let reach = 60

  /// Finds the line and column of a byte; the offset may be one past the end.
  init(offset: Int, in bytes: [UInt8]) {
    let newline = UInt8(ascii: "\n")
    let before = bytes[..<min(offset, bytes.count)]
    let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
    var end = bytes[before.endIndex...].firstIndex(of: newline) ?? bytes.endIndex
    if end > before.endIndex, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    let left = Self.printable(bytes[start..<before.endIndex])
    let right = Self.printable(bytes[before.endIndex..<end])
    line = before.reduce(1) { $1 == newline ? $0 + 1 : $0 }
    column = left.count + 1
    let shownLeft = left.count > Self.reach ? "…" + left.suffix(Self.reach) : left
    let shownRight = right.count > Self.reach ? right.prefix(Self.reach) + "…" : right
    excerpt = shownLeft + shownRight
    caret = shownLeft.count
  }

  /// Returns text with one visible character for each original one, so that the caret is aligned.
  private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    String(String(decoding: bytes, as: UTF8.self).map { $0.isNewline || $0 < " " ? " " : $0 })
  }
}
