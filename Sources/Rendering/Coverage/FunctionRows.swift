import Model

/// The functions of a file with their lines, as the outline of its page shows them.
struct FunctionRows {
  private struct Row {
    var function: FunctionCoverage
    var uncovered: Int
    var lines: Int
  }

  private let rows: [Row]

  /// The functions that begin in the given lines; most uncovered lines first, then in the order of the file.
  init(_ file: FileCoverage, lines shown: Range<Int>?) {
    let numbers = file.lines.map(\.line)
    var uncoveredBefore = [0]
    for line in file.lines { uncoveredBefore.append((uncoveredBefore.last ?? 0) + (line.state == .neverRan ? 1 : 0)) }
    rows = file.functions.filter { shown?.contains($0.line) ?? true }.map { function in
      let last = function.regions.map(\.end.line).max() ?? function.line
      let first = Self.index(of: function.line, in: numbers)
      let end = max(first, Self.index(of: last + 1, in: numbers))
      return Row(function: function, uncovered: uncoveredBefore[end] - uncoveredBefore[first], lines: end - first)
    }.sorted { ($1.uncovered, $0.function.line) < ($0.uncovered, $1.function.line) }
  }

  /// The index of the first number that is not smaller.
  private static func index(of number: Int, in numbers: [Int]) -> Int {
    var low = 0
    var high = numbers.count
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  var values: TemplateValue {
    .list(
      rows.map { row in
        .record([
          "name": .html(Self.breakable(row.function.name)),
          "line": .number(row.function.line),
          "uncovered": .text(CountText.plain(row.uncovered)),
          "isGap": .flag(row.uncovered > 0),
          "lines": .text(CountText.plain(row.lines)),
          "calls": .text(RunCountText.short(row.function.count).map { "\($0)×" } ?? "ran"),
          "isNeverCalled": .flag(row.function.count == 0),
          "folded": row.function.folded.isEmpty
            ? .missing : .text("with \(CountText.counted(row.function.folded.count, "closure"))"),
        ])
      })
  }

  /// A name that may be broken behind its punctuation.
  static func breakable(_ name: String) -> SafeHTML {
    var html = SafeHTML()
    var piece = ""
    for character in VisibleText.of(name) {
      piece.append(character)
      guard character == ":" || character == "." || character == "_" else { continue }
      html.append(escaping: piece)
      html.append("<wbr>")
      piece = ""
    }
    html.append(escaping: piece)
    return html
  }
}
