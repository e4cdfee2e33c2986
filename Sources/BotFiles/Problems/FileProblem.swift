/// A problem with a file, formatted as by a compiler.
package struct FileProblem: Hashable, Sendable, CustomStringConvertible {
  /// A position in a file, with an excerpt of its line.
  package struct Place: Hashable, Sendable {
    /// The line, counting from 1.
    package var line: Int
    /// The column in characters, counting from 1.
    package var column: Int
    /// The line, cut around the column if it is long, with a caret on the line below; empty if the line must not be
    /// shown.
    package var excerpt: String
  }

  /// The file's path as it was given.
  package var file: String
  /// Nil if the file could not be read at all.
  package var place: Place?
  /// The message, without a period.
  package var message: String

  package init(file: String, place: Place?, message: String) {
    self.file = file
    self.place = place
    self.message = message
  }

  /// `file:line:column: message` and, on two more lines, the source with a caret.
  package var description: String {
    guard let place else { return "\(file): \(message)" }
    let excerpt = place.excerpt.isEmpty ? "" : "\n\(place.excerpt)"
    return "\(file):\(place.line):\(place.column): \(message)\(excerpt)"
  }
}

extension FileProblem.Place {
  init(_ offset: Int, in source: SourceText) {
    (line, column) = source.position(of: offset)
    excerpt = Self.excerpt(of: source.lines[line - 1], column: column)
  }

  private static let widest = 110

  private static func excerpt(of line: String, column: Int) -> String {
    let start = max(0, column - 80)
    let rest = line.dropFirst(start)
    let shown = rest.prefix(widest)
    let before = start > 0 ? "…" : ""
    let after = shown.endIndex < rest.endIndex ? "…" : ""
    let text = shown.map { $0 == "\t" ? "\t" : $0.unicodeScalars.allSatisfy(\.isHarmless) ? String($0) : "�" }.joined()
    // A tab is kept so that it has the same width on both lines.
    let indent = String(shown.prefix(column - 1 - start).map { $0 == "\t" ? "\t" : " " })
    let source = "  \(before)\(text)\(after)"
    return "\(source.hasOnlySpaces ? "" : source)\n  \(before.isEmpty ? "" : " ")\(indent)^"
  }
}

extension String {
  fileprivate var hasOnlySpaces: Bool { allSatisfy { $0 == " " } }
}
