/// Text of any origin inside Markdown: https://github.github.com/gfm/
enum MarkdownText {
  /// Words on one line, with every sign that Markdown would read made plain.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in VisibleText.of(text) {
      if character == "\n" || character == "\t" {
        result += " "
      } else {
        if "\\`*_[]<>#|~&$@!".contains(character) { result += "\\" }
        result.append(character)
      }
    }
    return result
  }

  /// A name or a path as code, on one line; not for the cell of a table.
  static func code(_ text: String) -> String {
    let line = VisibleText.of(text).split(separator: "\n").joined(separator: " ")
    let fence = String(repeating: "`", count: longestRun(in: line) + 1)
    let isPadded = line.hasPrefix("`") || line.hasSuffix("`") || line.allSatisfy { $0 == " " }
    return isPadded ? "\(fence) \(line) \(fence)" : "\(fence)\(line)\(fence)"
  }

  /// A name or a path as code in the cell of a table, where a bar ends the cell even in code, unless a backslash stands
  /// before it, which readers then take away.
  static func cellCode(_ text: String) -> String { code(text).replacing("|", with: "\\|") }

  /// Lines as they are, with a fence that nothing in them can close.
  static func block(_ text: String, indentation: String, limit: Int = 40) -> [String] {
    var lines = VisibleText.of(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.count > limit { lines = lines.prefix(limit) + ["… and \(lines.count - limit) more lines"] }
    lines = lines.map { $0.count > 2000 ? "\($0.prefix(2000))…" : $0 }
    let longest = lines.map(longestRun).max() ?? 0
    let fence = String(repeating: "`", count: max(longest + 1, 3))
    return (["\(fence)text"] + lines + [fence]).map { indentation + $0 }
  }

  /// The longest run of grave accents.
  private static func longestRun(in text: String) -> Int {
    var longest = 0
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
