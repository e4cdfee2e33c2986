import Syntax

/// The text of a Swift file, with code, comments and strings told apart.
///
/// Each view has the same lines as the file; what does not belong to it is blank.
struct SwiftText {
  let path: String
  /// The lines as they are.
  let lines: [String]
  /// What the compiler acts on, without strings and regular expressions.
  let code: [String]
  let comments: [String]
  /// The string literals of one line, with `…` for what is interpolated; a line is counted from 1.
  let literals: [(line: Int, text: String)]

  init(path: String, _ text: String) {
    let source = SourceCode(text.utf8.filter { $0 != UInt8(ascii: "\r") }, in: .swift)
    let blank = source.bytes.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
    var (code, comments) = (source.bytes, blank)
    for token in source.tokens {
      switch token.kind {
      case .comment: comments.replaceSubrange(token.range, with: source.bytes[token.range])
      case .string, .interpolation, .interpolationEnd, .regex: break
      default: continue
      }
      code.replaceSubrange(token.range, with: blank[token.range])
    }
    self.path = path
    lines = Self.lines(source.bytes)
    self.code = Self.lines(code)
    self.comments = Self.lines(comments)
    literals = Self.literals(in: source)
  }

  private static func literals(in source: SourceCode) -> [(line: Int, text: String)] {
    var found: [(line: Int, text: String)] = []
    // Those that are open, since what is interpolated may hold others.
    var open: [(line: Int, text: String)] = []
    var goesOn = false
    var (line, counted) = (1, 0)
    for (index, token) in source.tokens.enumerated() {
      line += source.bytes[counted..<token.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
      counted = token.range.lowerBound
      switch token.kind {
      case .interpolation: goesOn = false
      case .interpolationEnd:
        open[open.count - 1].text += "…"
        goesOn = true
      case .string:
        if !goesOn { open.append((line, "")) }
        goesOn = false
        open[open.count - 1].text += String(decoding: source.bytes[token.range], as: UTF8.self)
        let next = index + 1 < source.tokens.count ? source.tokens[index + 1] : nil
        if next?.kind == .interpolation, next?.range.lowerBound == token.range.upperBound { continue }
        found.append(open.removeLast())
      default: continue
      }
    }
    return found.filter { !$0.text.contains("\n") }
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a line, counted from 0, has a comment or stands directly below one.
  func isExplained(_ line: Int) -> Bool {
    let above = line > 0 && code[line - 1].allSatisfy(\.isWhitespace) ? comments[line - 1] : ""
    return (comments[line] + above).contains { !$0.isWhitespace }
  }
}
