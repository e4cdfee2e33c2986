/// Why a template could not be read or rendered, and where.
package struct TemplateError: Error, CustomStringConvertible, Equatable {
  /// The template's file, or its name where it has no file; for a folder that cannot be read, the folder.
  package var file: String
  /// Where in the file; absent when the file as a whole is meant.
  package var position: Position?
  /// The tags that led to this template, the nearest first, as `file:line:column`.
  package var inclusions: [String]
  /// What is wrong, without a full stop.
  package var reason: String
  /// What to do next, as sentences.
  package var advice: String

  /// A place in a template.
  package struct Position: Equatable, Sendable {
    /// Counted from 1.
    package var line: Int
    /// Counted in characters from 1.
    package var column: Int
    /// The line, or the part of a long line around the column.
    package var excerpt: String
    /// How many characters of the excerpt come before the column.
    package var caret: Int
  }

  init(file: String, position: Position? = nil, inclusions: [String] = [], reason: String, advice: String) {
    self.file = file
    self.position = position
    self.inclusions = inclusions
    self.reason = reason
    self.advice = advice
  }

  package var description: String {
    var lines: [String] = []
    if let position {
      lines.append("Template \(file):\(position.line):\(position.column): \(reason).")
      lines.append("  " + position.excerpt)
      lines.append("  " + String(repeating: " ", count: position.caret) + "^")
    } else {
      lines.append("Template \(file): \(reason).")
    }
    lines += inclusions.map { "  included from \($0)" }
    lines.append(advice)
    return lines.joined(separator: "\n")
  }
}

extension TemplateError.Position {
  /// How much of a long line an excerpt shows on each side of the column.
  private static let reach = 60

  /// Finds the line and column of a byte; one past the end is allowed.
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

  /// One character for each of the text, so that the caret stands below the right one.
  private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    String(String(decoding: bytes, as: UTF8.self).map { $0.isNewline || $0 < " " ? " " : $0 })
  }
}
