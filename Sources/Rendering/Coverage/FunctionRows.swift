import Model

/// The functions of a file with their lines, as the outline of its page shows them.
struct FunctionRows {
  private struct Row {
    var function: FunctionCoverage
    var line: Int
    var uncovered: Int
    var lines: Int
  }

  private var rows: [Row]

  /// The functions that begin in the given lines; most uncovered lines first, then in the order of the file.
  init(_ file: FileCoverage, lines shown: Range<Int>?) {
    let numbers = file.lines.map(\.line)
    var uncoveredBefore = [0]
    for line in file.lines { uncoveredBefore.append((uncoveredBefore.last ?? 0) + (line.state == .neverRan ? 1 : 0)) }
    rows = file.functions.compactMap { function -> Row? in
      let line = function.line
      guard shown?.contains(line) ?? true else { return nil }
      var row = Row(function: function, line: line, uncovered: 0, lines: 0)
      for span in function.lineSpans {
        let first = numbers.partitioningIndex { $0 >= span.lowerBound }
        let end = max(first, numbers.partitioningIndex { $0 > span.upperBound })
        row.uncovered += uncoveredBefore[end] - uncoveredBefore[first]
        row.lines += end - first
      }
      return row
    }.sorted { ($1.uncovered, $0.line) < ($0.uncovered, $1.line) }
  }

  var isEmpty: Bool { rows.isEmpty }
  var count: Int { rows.count }

  /// Leaves out the functions of which every line ran, and everything that is folded into them.
  mutating func keepGaps() {
    rows.removeAll { row in
      row.uncovered == 0 && row.function.count > 0 && !row.function.folded.contains { $0.count == 0 }
    }
  }

  /// The rows of a table, written as bytes because a package has thousands of functions.
  ///
  /// - Parameters:
  ///   - address: where a line is shown; by default further up on the same page.
  ///   - shown: the lines that the same page shows; nothing leads to others.
  ///   - change: the words of one more column, for the lines of a function.
  func html(
    address: ((Int) -> String?)? = nil, shown: Range<Int>? = nil, change: (([ClosedRange<Int>]) -> String)? = nil
  ) -> SafeHTML {
    var html = SafeHTML()
    html.bytes.reserveCapacity(rows.count * 120)
    for (row, name) in zip(rows, shortNames) {
      let isLink = shown?.contains(row.line) ?? true
      html.append(isLink ? "<tr><td><a href=" : "<tr><td")
      if let address {
        html.append("\"")
        html.append(escaping: address(row.line) ?? "")
        html.append("\"")
      } else if isLink {
        html.append("#L")
        html.append(number: row.line)
      }
      Self.append(row, name: name, isLink: isLink, to: &html)
      if let change {
        html.append("<td>")
        html.append(escaping: change(row.function.lineSpans))
      }
      html.append("\n")
    }
    return html
  }

  /// The type that all functions are of; nil where there are several, or a function of none.
  var ownerName: String? {
    var owner: String?
    for row in rows {
      guard let type = FunctionShortName(row.function.name).type, owner == nil || owner == type else { return nil }
      owner = type
    }
    return owner
  }

  private static func append(_ row: Row, name: String, isLink: Bool, to html: inout SafeHTML) {
    let function = row.function
    html.append(">")
    html.append(escaping: VisibleText.of(name))
    if isLink { html.append("</a>") }
    if let words = function.partWords {
      html.append(" <small>")
      html.append(escaping: VisibleText.of(words))
      html.append("</small>")
    }
    html.append(row.uncovered > 0 ? "<td><b>" : "<td>")
    html.append(number: row.uncovered)
    html.append(row.uncovered > 0 ? "</b><td>" : "<td>")
    html.append(number: row.lines)
    if function.count < 10_000 {
      html.append("<td>")
      html.append(number: Int(function.count))
    } else {
      html.append("<td data-v=")
      html.append(escaping: "\(function.count)")
      html.append(">")
      html.append(escaping: RunCountText.short(function.count) ?? RunCountText.unknown)
    }
  }

  /// The names that tell the functions apart: without their type where all have the same one, unless it takes more.
  private var shortNames: [String] {
    guard ownerName != nil else { return rows.map(\.function.name) }
    let bare = rows.map { FunctionShortName($0.function.name).text }
    // The full name behind each bare one; empty where there are several.
    var full: [String: String] = [:]
    for (row, name) in zip(rows, bare) {
      let known = full.updateValue(row.function.name, forKey: name)
      if let known, known != row.function.name { full[name] = "" }
    }
    return zip(rows, bare).map { full[$1] == $0.function.name ? $1 : $0.function.name }
  }

  /// A name without its type: `init(name:)` of `Cookie<A>.init(name:)`.
  static func bareName(of name: String) -> String { FunctionShortName(name).text }

  /// A name that may be broken behind its punctuation and before its capitals.
  static func breakable(_ name: String) -> SafeHTML {
    let bytes = Array(VisibleText.of(name).utf8)
    var html = SafeHTML()
    var start = 0
    func cut(before index: Int) {
      html.append(escaping: Array(bytes[start..<index]))
      html.append("<wbr>")
      start = index
    }
    for (index, byte) in bytes.enumerated() {
      if isCapital(byte), index > start, bytes[index - 1] &- UInt8(ascii: "a") < 26 { cut(before: index) }
      switch byte {
      case UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "+"):
        // A closing parenthesis does not stand alone on a line.
        if index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: ")") { cut(before: index + 1) }
      default: break
      }
    }
    html.append(escaping: Array(bytes[start...]))
    return html
  }

  private static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
}
