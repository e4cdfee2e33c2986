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
      zip(rows, shortNames).map { row, name in
        .record([
          "name": .html(Self.breakable(name)),
          "fullName": .shown(row.function.name),
          "line": .number(row.function.line),
          "uncovered": .text(CountText.plain(row.uncovered)),
          "isGap": .flag(row.uncovered > 0),
          "lines": .text(CountText.plain(row.lines)),
          "calls": .text(RunCountText.short(row.function.count).map { "\($0)×" } ?? "ran"),
          "count": .text("\(row.function.count)"),
          "folded": row.function.folded.isEmpty
            ? .missing : .text(", with \(CountText.counted(row.function.folded.count, "part")) folded in"),
        ])
      })
  }

  /// The names that tell the functions of the file apart: without their types, where that is enough.
  private var shortNames: [String] {
    let bare = rows.map { Self.bareName(of: $0.function.name) }
    let full = Dictionary(grouping: rows.indices) { bare[$0] }.mapValues { indices in
      Set(indices.map { rows[$0].function.name })
    }
    return rows.indices.map { full[bare[$0]]?.count == 1 ? bare[$0] : rows[$0].function.name }
  }

  /// A name without what stands before its last point outside parentheses: `init(name:)` of `Cookie.init(name:)`.
  static func bareName(of name: String) -> String {
    let head = name.prefix { $0 != "(" && $0 != "<" }
    guard let point = head.lastIndex(of: "."), name.index(after: point) < name.endIndex else { return name }
    return String(name[name.index(after: point)...])
  }

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
