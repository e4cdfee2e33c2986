/// The text of a Swift file, with code, comments and strings told apart.
///
/// Each view has the same lines as the file; what does not belong to it is blank. Regular expression literals are not
/// recognised and count as code.
struct SwiftText {
  let path: String
  /// The lines as they are.
  let lines: [String]
  /// What the compiler acts on, without the contents of strings.
  let code: [String]
  let comments: [String]

  init(path: String, _ text: String) {
    var scanner = Scanner(text.utf8.filter { $0 != UInt8(ascii: "\r") })
    scanner.scanCode()
    self.path = path
    lines = Self.lines(text.utf8.filter { $0 != UInt8(ascii: "\r") })
    code = Self.lines(scanner.code)
    comments = Self.lines(scanner.comments)
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

/// Walks over Swift source and hands each byte to the view it belongs to.
private struct Scanner {
  private let text: [UInt8]
  private var index = 0
  private(set) var code: [UInt8] = []
  private(set) var comments: [UInt8] = []

  private enum Kind { case code, comment, string }

  private static let quote = UInt8(ascii: "\"")
  private static let newline = UInt8(ascii: "\n")

  init(_ text: [UInt8]) {
    self.text = text
  }

  private func at(_ word: [UInt8]) -> Bool {
    text[index] == word[0] && text[index...].starts(with: word)
  }

  private mutating func take(_ count: Int, as kind: Kind) {
    for byte in text[index..<min(index + count, text.count)] {
      let blank = byte == Self.newline ? byte : UInt8(ascii: " ")
      code.append(kind == .code ? byte : blank)
      comments.append(kind == .comment ? byte : blank)
    }
    index = min(index + count, text.count)
  }

  /// Scans to the end, or to the parenthesis that ends an interpolation.
  mutating func scanCode(isInterpolation: Bool = false) {
    var depth = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "/") where at(Array("//".utf8)):
        while index < text.count, text[index] != Self.newline { take(1, as: .comment) }
        continue
      case UInt8(ascii: "/") where at(Array("/*".utf8)):
        scanComment()
        continue
      case UInt8(ascii: "#"), Self.quote:
        if let hashes = hashesOfString() {
          scanString(hashes: hashes)
          continue
        }
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        if isInterpolation, depth == 0 { return }
        depth -= 1
      default: break
      }
      take(1, as: .code)
    }
  }

  private mutating func scanComment() {
    var depth = 0
    repeat {
      if at(Array("/*".utf8)) {
        depth += 1
        take(2, as: .comment)
      } else if at(Array("*/".utf8)) {
        depth -= 1
        take(2, as: .comment)
      } else {
        take(1, as: .comment)
      }
    } while depth > 0 && index < text.count
  }

  /// How many number signs a string literal that begins here has; nil when none begins.
  private func hashesOfString() -> Int? {
    let hashes = text[index...].prefix { $0 == UInt8(ascii: "#") }.count
    let quote = index + hashes
    return quote < text.count && text[quote] == Self.quote ? hashes : nil
  }

  private mutating func scanString(hashes: Int) {
    take(hashes, as: .string)
    let marks = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let quotes = [UInt8](repeating: Self.quote, count: at([Self.quote, Self.quote, Self.quote]) ? 3 : 1)
    let end = quotes + marks
    let escape = [UInt8(ascii: "\\")] + marks
    take(quotes.count, as: .string)
    while index < text.count {
      if at(end) { return take(end.count, as: .string) }
      if at(escape + [UInt8(ascii: "(")]) {
        take(escape.count + 1, as: .string)
        scanCode(isInterpolation: true)
        take(1, as: .string)
      } else if at(escape) {
        take(escape.count + 1, as: .string)
      } else if quotes.count == 1, text[index] == Self.newline {
        return
      } else {
        take(1, as: .string)
      }
    }
  }
}
