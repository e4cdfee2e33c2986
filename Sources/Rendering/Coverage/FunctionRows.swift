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
      let first = Self.index(of: line, in: numbers)
      let end = max(first, Self.index(of: function.lastLine + 1, in: numbers))
      return Row(
        function: function, line: line, uncovered: uncoveredBefore[end] - uncoveredBefore[first], lines: end - first)
    }.sorted { ($1.uncovered, $0.line) < ($0.uncovered, $1.line) }
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

  var isEmpty: Bool { rows.isEmpty }
  var count: Int { rows.count }

  /// Leaves out the functions of which every line ran.
  mutating func keepGaps() {
    rows.removeAll { $0.uncovered == 0 && $0.function.count > 0 }
  }

  /// The rows of a table, written as bytes because a package has thousands of functions.
  ///
  /// - Parameters:
  ///   - address: where a line is shown; by default further up on the same page.
  ///   - shown: the lines that the same page shows; nothing leads to others.
  ///   - change: the words of one more column, for the first to the last line of a function.
  func html(
    address: ((Int) -> String?)? = nil, shown: Range<Int>? = nil, change: ((ClosedRange<Int>) -> String)? = nil
  ) -> SafeHTML {
    var html = SafeHTML()
    html.bytes.reserveCapacity(rows.count * 120)
    let owner = address == nil ? owner : nil
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
      // The whole name is on the file's page; here it would take more room than all else.
      if address == nil { Self.appendTitle(of: row.function, name: name, owner: owner, to: &html) }
      Self.append(row, name: name, isLink: isLink, to: &html)
      if let change {
        html.append("<td>")
        html.append(escaping: change(row.line...max(row.line, row.function.lastLine)))
      }
      html.append("\n")
    }
    return html
  }

  /// What the short name leaves out; the type is not repeated where it is that of the list.
  private static func appendTitle(
    of function: FunctionCoverage, name: String, owner: String?, to html: inout SafeHTML
  ) {
    var parts: [String] = []
    if name != function.name {
      if Self.start(of: function.name, before: name) != owner { parts.append(VisibleText.of(function.name)) }
    } else if owner != nil, bareName(of: name) == name {
      parts.append("in no type")
    }
    if !function.folded.isEmpty {
      parts.append("\(CountText.counted(function.folded.count, "part")) folded in")
    }
    guard !parts.isEmpty else { return }
    html.append(#" title=""#)
    html.append(escaping: parts.joined(separator: ", "))
    html.append(#"""#)
  }

  /// What most of the names begin with, such as `Cookie.`; nil where that is nothing.
  private var owner: String? {
    var counts: [String: Int] = [:]
    for row in rows {
      let name = row.function.name
      if let start = Self.start(of: name, before: Self.bareName(of: name)) { counts[start, default: 0] += 1 }
    }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most.flatMap { $0.value > 1 ? $0.key : nil }
  }

  /// What a name has in front of its last part; nil for nothing.
  private static func start(of name: String, before last: String) -> String? {
    let start = name.utf8.dropLast(last.utf8.count)
    return start.isEmpty ? nil : String(start)
  }

  /// The type that the functions are of unless their tips name another one.
  var ownerName: String? { owner.map { String($0.dropLast()) } }

  private static func append(_ row: Row, name: String, isLink: Bool, to html: inout SafeHTML) {
    let function = row.function
    html.append(">")
    html.append(escaping: VisibleText.of(name))
    if isLink { html.append("</a>") }
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
      html.append(escaping: RunCountText.short(function.count) ?? "ran")
    }
  }

  /// The names that tell the functions of the file apart: without their types, where that is enough.
  private var shortNames: [String] {
    let bare = rows.map { Self.bareName(of: $0.function.name) }
    // The full name behind each bare one; empty where there are several.
    var full: [String: String] = [:]
    for (row, name) in zip(rows, bare) {
      let known = full.updateValue(row.function.name, forKey: name)
      if let known, known != row.function.name { full[name] = "" }
    }
    return zip(rows, bare).map { full[$1] == $0.function.name ? $1 : $0.function.name }
  }

  /// A name without its type: `init(name:)` of `Cookie<A>.init(name:)`.
  static func bareName(of name: String) -> String {
    let bytes = Array(name.utf8)
    var start = 0
    var depth = 0
    scan: for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "<"):
        // Right behind a point it is an operator's name.
        if index == start { break scan }
        depth += 1
      case UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: ".") where depth == 0: start = index + 1
      case UInt8(ascii: "(") where depth == 0: break scan
      default: break
      }
    }
    return start > 0 && start < bytes.count ? String(decoding: bytes[start...], as: UTF8.self) : name
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
