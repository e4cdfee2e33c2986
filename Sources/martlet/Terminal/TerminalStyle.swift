/// Colors and weight on a terminal, using the escape sequences of ECMA-48; none if they are not wanted.
struct TerminalStyle: Sendable {
  enum Colour: Int, Sendable {
    case red = 31
    case green, yellow
  }

  let isColoured: Bool

  func bold(_ text: String) -> String { wrapped(text, in: 1) }

  func coloured(_ text: String, _ colour: Colour?) -> String {
    colour.map { wrapped(text, in: $0.rawValue) } ?? text
  }

  private func wrapped(_ text: String, in code: Int) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// Columns of text, each as wide as its widest entry.
enum TextColumns {
  /// Returns a line for each row.
  ///
  /// - Parameter width: The characters of the widest first column, if other tables stand beside it.
  static func lines(_ rows: [[String]], width: Int = 0) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.reduce(column == 0 ? width : 0, max)
    }
    return rows.map { row in
      let padded = zip(row.dropLast(), widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }
      return padded.joined() + (row.last ?? "")
    }
  }
}
