import Model

/// The functions of a file with their lines, as shown in the outline of its page.
struct FunctionRows {
  private struct Row {
    /// The index of the function.
    var function: Int
    var line: Int
    var uncovered: Int
    var lines: Int
  }

  private let functions: [FunctionCoverage]
  private let areCallsKnown: Bool
  private var rows: [Row]

  /// Takes the functions that begin in the given lines: most uncovered lines first, then in file order.
  init(_ file: FileCoverage, lines shown: Range<Int>?) {
    functions = file.functions
    areCallsKnown = !file.isHeader
    let numbers = file.lines.map(\.line)
    var uncoveredBefore = [0]
    for line in file.lines { uncoveredBefore.append((uncoveredBefore.last ?? 0) + (line.state == .neverRan ? 1 : 0)) }
    // Functions are large values: each copy retains every part of one.
    rows = functions.indices.compactMap { [functions] index -> Row? in
      let line = functions[index].regions.firstLine
      guard shown?.contains(line) ?? true else { return nil }
      var row = Row(function: index, line: line, uncovered: 0, lines: 0)
      for span in FunctionCoverage.lineSpans(of: functions[index].regions) {
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

  /// Removes functions whose lines all ran and whose folded parts were all called.
  mutating func keepGaps() {
    rows.removeAll { [functions] row in
      row.uncovered == 0 && functions[row.function].count > 0
        && !functions[row.function].folded.contains { $0.count == 0 }
    }
  }

  /// Returns the rows of a table, written as bytes because a package has thousands of functions.
  ///
  /// - Parameters:
  ///   - names: the displayed names of the functions; by default those of `names()`.
  ///   - address: the address of a line; by default further up on the same page.
  ///   - shown: the lines on the same page; other lines are not linked.
  ///   - isPlaced: whether it tells which lines are a function's, instead of how many.
  ///   - change: the text of an additional column, for the lines of a function.
  func html(
    names: [String]? = nil, address: ((Int) -> String?)? = nil, shown: Range<Int>? = nil,
    isPlaced: Bool = false, change: (([ClosedRange<Int>]) -> String)? = nil
  ) -> SafeHTML {
    let names = names ?? self.names().shown
    var html = SafeHTML()
    html.bytes.reserveCapacity(rows.count * 120)
    for (row, name) in zip(rows, names) {
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
      append(row, name: name, isLink: isLink, isPlaced: isPlaced, to: &html)
      if let change {
        html.append("<td>")
        html.append(escaping: change(FunctionCoverage.lineSpans(of: functions[row.function].regions)))
      }
      html.append("\n")
    }
    return html
  }

  private func append(_ row: Row, name: String, isLink: Bool, isPlaced: Bool, to html: inout SafeHTML) {
    let function = functions[row.function]
    html.append(">")
    html.append(.name(name))
    if isLink { html.append("</a>") }
    // Nothing in a function that was never called was.
    let isImplied = areCallsKnown && function.count == 0 && !function.isOnlyFolded
    let words = FunctionCoverage.partWords(of: function.folded, areCallsKnown: areCallsKnown, isImplied: isImplied)
    if let words {
      html.append(" <small>")
      html.append(escaping: VisibleText.of(words))
      html.append("</small>")
    }
    html.append(row.uncovered > 0 ? "<td><b>" : "<td>")
    html.append(number: row.uncovered)
    html.append(row.uncovered > 0 ? "</b><td>" : "<td>")
    if isPlaced {
      html.append(escaping: CountText.range(row.line, max(row.line, function.lastLine)))
    } else {
      html.append(number: row.lines)
    }
    let calls = function.count
    html.append("<td")
    if calls >= 10_000 {
      html.append(" data-v=")
      html.append(escaping: "\(calls)")
    }
    html.append(">")
    html.append(escaping: RunCountText.shown(calls))
  }

  /// Returns names that tell the functions apart, without their type if all have the same one, except where a shortened
  /// name would be ambiguous; and that type, which is nil if there are several, or if a function has none.
  func names() -> (shown: [String], owner: String?) {
    let full = rows.map { functions[$0.function].name }
    var owner: String?
    var bare: [String] = []
    for name in full {
      let short = FunctionShortName(name)
      guard let type = short.type, owner == nil || owner == type else { return (full, nil) }
      owner = type
      bare.append(short.text)
    }
    // The full name for each bare one; empty if there are several.
    var known: [String: String] = [:]
    for (name, bare) in zip(full, bare) {
      if let other = known.updateValue(name, forKey: bare), other != name { known[bare] = "" }
    }
    return (zip(full, bare).map { known[$1] == $0 ? $1 : $0 }, owner)
  }
}
