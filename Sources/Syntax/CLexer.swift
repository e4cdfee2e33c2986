/// A lexer for C, C++ and Objective-C.
///
/// It follows the lexical rules that the three languages share, so that comments and literals are distinguished from
/// code. It accepts any bytes and takes linear time.
/// Rules: https://en.cppreference.com/w/cpp/language/translation_phases, except for trigraphs, which compilers ignore
/// as well.
struct CLexer {
  private let bytes: [UInt8]
  private let keywords = Keywords.c
  private var position = 0
  private var list: TokenList

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    list = TokenList(reserving: bytes.count / 5)
  }

  static func tokens(in source: [UInt8]) -> TokenList {
    var lexer = CLexer(bytes: source)
    if source.starts(with: [0xEF, 0xBB, 0xBF]) { lexer.position = 3 }
    while lexer.position < source.count { lexer.step() }
    return lexer.list
  }

  private mutating func step() {
    let byte = bytes[position]
    if byte <= UInt8(ascii: " ") {
      position += 1
      if byte == UInt8(ascii: "\n") { list.startLine() }
      return
    }
    switch byte {
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): lineComment()
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): blockComment()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): literal(from: position, quote: byte)
    case UInt8(ascii: "#") where list.isFirstOnLine: directive()
    case UInt8(ascii: "@"): objectiveC()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): number()
    case UInt8(ascii: ".") where peek(1)?.isDigit == true: number()
    case _ where byte.isNameStart: word()
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
      position += 1
      list.open(.opening, position - 1..<position, byte)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      position += 1
      list.close(.closing, at: position - 1, byte)
    default:
      let start = position
      // `&&` and `||` are single tokens; in other operators, every sign is a token of its own.
      position += peek(1) == byte && "&|".utf8.contains(byte) ? 2 : 1
      emit(.sign, from: start)
    }
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func emit(_ kind: Token.Kind, from start: Int) {
    if start < position { list.append(kind, start..<position) }
  }

  /// Returns the number of bytes in a backslash and line break at the end of a line; zero if there is none.
  private func splice(at index: Int) -> Int {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else { return 0 }
    if bytes[index + 1] == UInt8(ascii: "\n") { return 2 }
    let isWindows = bytes[index + 1] == UInt8(ascii: "\r") && index + 2 < bytes.count
    return isWindows && bytes[index + 2] == UInt8(ascii: "\n") ? 3 : 0
  }

  // MARK: - Comments

  /// Lexes a line comment, which a backslash at its end continues on the next line.
  private mutating func lineComment() {
    let start = position
    while position < bytes.count, !bytes[position].isNewline {
      position += max(1, splice(at: position))
    }
    emit(.comment, from: start)
  }

  /// Lexes a block comment. Block comments do not nest, and a directive may follow one.
  private mutating func blockComment() {
    let start = position
    position += 2
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        position += 2
        break
      }
      position += 1
    }
    emit(.comment, from: start)
  }

  // MARK: - Literals

  /// Lexes a string or character literal; if unclosed, it ends at the end of its line.
  private mutating func literal(from start: Int, quote: UInt8) {
    position += 1
    while let byte = peek(), !byte.isNewline {
      if byte == UInt8(ascii: "\\") {
        position = min(position + max(2, splice(at: position)), bytes.count)
        continue
      }
      position += 1
      if byte == quote { break }
    }
    emit(.string, from: start)
  }

  /// Lexes a C++ string without escapes: `R"end(text)end"`.
  private mutating func rawString(from start: Int) {
    var open = position + 1
    while open < bytes.count, open - position <= 17, bytes[open] != UInt8(ascii: "("),
      !bytes[open].isNewline
    {
      open += 1
    }
    guard open < bytes.count, bytes[open] == UInt8(ascii: "(") else {
      return literal(from: start, quote: UInt8(ascii: "\""))
    }
    let end = [UInt8(ascii: ")")] + bytes[position + 1..<open] + [UInt8(ascii: "\"")]
    position = open + 1
    while position < bytes.count {
      if bytes[position] == end[0], bytes[position...].starts(with: end) {
        position += end.count
        break
      }
      position += 1
    }
    emit(.string, from: start)
  }

  /// Lexes a preprocessing number: letters, digits, periods, and signs after an exponent letter.
  private mutating func number() {
    let start = position
    while let byte = peek() {
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      if isSign {
        guard [UInt8(ascii: "e"), UInt8(ascii: "p")].contains(bytes[position - 1] | 0x20) else { break }
        // The letter may also be a hexadecimal digit.
        let isHexadecimal = bytes[start] == UInt8(ascii: "0") && bytes[start + 1] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal, bytes[position - 1] | 0x20 == UInt8(ascii: "e") { break }
      }
      let isSeparator = byte == UInt8(ascii: "'") && peek(1)?.isNamePart == true
      guard isSign || isSeparator || byte == UInt8(ascii: ".") || byte.isNamePart else { break }
      position += 1
    }
    emit(.number, from: start)
  }

  // MARK: - Words

  private mutating func skipName() {
    while let byte = peek(), byte.isNamePart { position += 1 }
  }

  private mutating func word() {
    let start = position
    skipName()
    let name = bytes[start..<position]
    if peek() == UInt8(ascii: "\""), name.last == UInt8(ascii: "R"), Self.isPrefix(name.dropLast()) {
      return rawString(from: start)
    }
    if let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), Self.isPrefix(name) {
      return literal(from: start, quote: quote)
    }
    emit(keywords.role(of: bytes, start..<position) == nil ? .name : .keyword, from: start)
  }

  /// Lexes a directive, such as `#include` followed by the name of a header.
  private mutating func directive() {
    let start = position
    position += 1
    while let byte = peek(), byte.isBlank { position += 1 }
    let name = position
    skipName()
    if ["if", "ifdef", "ifndef", "elif", "else", "endif"].contains(where: {
      bytes[name..<position].elementsEqual($0.utf8)
    }) {
      list.startCondition()
    }
    emit(.directive, from: start)
    let takesHeader = ["include", "import", "include_next"].contains { bytes[name..<position].elementsEqual($0.utf8) }
    guard takesHeader else { return }
    while let byte = peek(), byte.isBlank { position += 1 }
    guard peek() == UInt8(ascii: "<") else { return }
    let header = position
    while let byte = peek(), !byte.isNewline {
      position += 1
      if byte == UInt8(ascii: ">") { break }
    }
    emit(.string, from: header)
  }

  /// Lexes `@"text"` or `@interface`.
  private mutating func objectiveC() {
    let start = position
    position += 1
    if peek() == UInt8(ascii: "\"") { return literal(from: start, quote: UInt8(ascii: "\"")) }
    guard let byte = peek(), byte.isNameStart else { return emit(.sign, from: start) }
    skipName()
    emit(.keyword, from: start)
  }

  /// Returns whether a word before a quote is the literal's encoding prefix.
  private static func isPrefix(_ word: ArraySlice<UInt8>) -> Bool {
    word.count <= 2 && ["", "L", "u", "U", "u8"].contains { word.elementsEqual($0.utf8) }
  }
}
