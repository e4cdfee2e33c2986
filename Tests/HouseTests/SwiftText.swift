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
