/// The words and signs of a Swift source, without comments and the contents of literals.
///
/// It does not know regular expression literals: a source in which one leads it astray ends in the middle of a string or
/// with brackets that do not match, and is refused.
struct SwiftTokens {
  struct Token: Hashable {
    var text: String
    /// From 1.
    var line: Int
    /// Where it begins, in bytes.
    var offset: Int
  }

  private static let newline = UInt8(ascii: "\n")
  private static let quote = UInt8(ascii: "\"")
  private static let pound = UInt8(ascii: "#")
  private static let backslash = UInt8(ascii: "\\")

  private(set) var tokens: [Token] = []
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var depth = 0
  private var isBroken = false

  /// Reads a source; nil when it cannot be read for certain.
  init?(_ source: [UInt8]) {
    bytes = source
    while index < bytes.count, !isBroken { step() }
    guard !isBroken, depth == 0 else { return nil }
  }

  private func byte(_ offset: Int = 0) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }

  private func looksAt(_ text: StaticString, offset: Int = 0) -> Bool {
    guard index + offset + text.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + offset + $0] == text.utf8Start[$0] }
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      if bytes[index] == Self.newline { line += 1 }
      index += 1
    }
  }

  private mutating func step() {
    if byte() <= 0x20 {
      advance()
    } else if looksAt("//") {
      while index < bytes.count, byte() != Self.newline { advance() }
    } else if looksAt("/*") {
      skipComment()
    } else if byte() == Self.quote {
      skipString(pounds: 0)
    } else if byte() == Self.pound, case let pounds = pounds(), byte(pounds) == Self.quote {
      advance(pounds)
      skipString(pounds: pounds)
    } else if byte().isWordPart {
      takeWord()
    } else {
      takeSign()
    }
  }

  /// How many number signs stand here in a row.
  private func pounds() -> Int {
    var count = 0
    while byte(count) == Self.pound { count += 1 }
    return count
  }

  private mutating func takeWord() {
    let start = index
    while index < bytes.count, byte().isWordPart { index += 1 }
    tokens.append(Token(text: String(decoding: bytes[start..<index], as: UTF8.self), line: line, offset: start))
  }

  private mutating func takeSign() {
    if looksAt("->") {
      tokens.append(Token(text: "->", line: line, offset: index))
      return advance(2)
    }
    let sign = byte()
    if "{([".utf8.contains(sign) { depth += 1 }
    if "})]".utf8.contains(sign) { depth -= 1 }
    if depth < 0 { isBroken = true }
    tokens.append(Token(text: String(UnicodeScalar(sign)), line: line, offset: index))
    advance()
  }

  private mutating func skipComment() {
    var nesting = 0
    repeat {
      if looksAt("/*") {
        nesting += 1
        advance(2)
      } else if looksAt("*/") {
        nesting -= 1
        advance(2)
      } else {
        advance()
      }
    } while nesting > 0 && index < bytes.count
    if nesting > 0 { isBroken = true }
  }

  /// Skips a string literal; what is interpolated in it counts as part of it.
  private mutating func skipString(pounds: Int) {
    let isLong = looksAt("\"\"\"")
    let quotes = isLong ? 3 : 1
    advance(quotes)
    while index < bytes.count, !isBroken {
      if byte() == Self.quote, !isLong || looksAt("\"\"\""), hasPounds(pounds, offset: quotes) {
        return advance(quotes + pounds)
      }
      if byte() == Self.backslash, hasPounds(pounds, offset: 1) {
        let isInterpolation = byte(1 + pounds) == UInt8(ascii: "(")
        advance(1 + pounds)
        if isInterpolation { skipInterpolation() } else { advance() }
      } else if byte() == Self.newline, !isLong {
        break
      } else {
        advance()
      }
    }
    isBroken = true
  }

  private func hasPounds(_ count: Int, offset: Int) -> Bool {
    (0..<count).allSatisfy { byte(offset + $0) == Self.pound }
  }

  private mutating func skipInterpolation() {
    let kept = tokens.count
    let outside = depth
    repeat { step() } while depth > outside && index < bytes.count && !isBroken
    guard !isBroken, depth == outside else { return isBroken = true }
    tokens.removeLast(tokens.count - kept)
  }
}

extension UInt8 {
  /// Whether the byte belongs to a word; all of those beyond ASCII count, of which hardly any stands elsewhere.
  fileprivate var isWordPart: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "`"), 0x80...:
      true
    default: false
    }
  }
}
