/// Splits Swift source into the tokens that a reader sees in colour.
///
/// It follows the lexical rules of the language, not its grammar, so that it is fast, takes any bytes, and shows unfinished
/// code as sensibly as finished code. The time it takes is linear in the size of the source.
/// Rules: https://docs.swift.org/swift-book/documentation/the-swift-programming-language/lexicalstructure/
package struct SwiftHighlighter {
  /// A string literal that is interrupted by an interpolation.
  struct OpenString {
    var hashes: Int
    var isMultiline: Bool
    /// Parentheses opened inside the interpolation and not closed yet.
    var depth = 0
  }

  /// The quotes of a line that decide whether a raw string is closed on it, so that each line is searched once.
  struct ClosingQuotes {
    /// The end of the line.
    var end: Int
    var found: ArraySlice<(index: Int, hashes: Int)>
  }

  let bytes: [UInt8]
  let keywords = SwiftKeywords.shared
  var position = 0
  var tokens: [SourceToken] = []
  var openStrings: [OpenString] = []
  /// The opening brackets around the position, those of interpolations included.
  var openBrackets: [UInt8] = []
  /// Whether what came last can be the left side of a division, so that a slash cannot begin a regex literal.
  var followsOperand = false
  /// Whether nothing but blanks came before on this line.
  var isFirstOnLine = true
  /// The last byte that was neither blank nor comment.
  var lastByte: UInt8 = 0
  /// No regex literal begins before this offset: a search that started earlier has failed up to here.
  var noRegexBefore = 0
  /// What can close the raw strings of the line that was last asked about.
  var closingQuotes = ClosingQuotes(end: 0, found: [])

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    tokens.reserveCapacity(bytes.count / 8)
  }

  /// The tokens of a source file: ascending, without overlap, inside its bounds.
  /// What has no colour (plain identifiers, operators, blanks) has no token.
  package static func tokens(in source: [UInt8]) -> [SourceToken] {
    var highlighter = SwiftHighlighter(bytes: source)
    highlighter.skipPreamble()
    while highlighter.position < source.count {
      highlighter.step()
    }
    return highlighter.tokens
  }

  private mutating func skipPreamble() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    if peek() == UInt8(ascii: "#"), peek(1) == UInt8(ascii: "!") { lineComment() }
  }

  private mutating func step() {
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): newline()
    case 0...UInt8(ascii: " "): position += 1
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      word()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): number()
    case UInt8(ascii: "\""): string(start: position, hashes: 0)
    case UInt8(ascii: "#"): numberSign()
    case UInt8(ascii: "/"): slash()
    case UInt8(ascii: "@"): attribute()
    case UInt8(ascii: "`"): escapedIdentifier()
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"):
      bracket(byte)
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "\\"), UInt8(ascii: "'"), 0x7F:
      position += 1
      passed(byte, isOperand: false)
    default: operatorRun()
    }
  }

  // MARK: - What every part uses

  /// The byte at an offset from the position; nil beyond the end.
  @inline(__always)
  func peek(_ offset: Int = 0) -> UInt8? {
    let index = position &+ offset
    return index < bytes.count ? bytes[index] : nil
  }

  @inline(__always)
  mutating func emit(_ kind: SourceToken.Kind, from start: Int) {
    guard start < position else { return }
    tokens.append(SourceToken(kind, start..<position))
  }

  /// Remembers what the next token is to know about the one that just ended.
  @inline(__always)
  mutating func passed(_ byte: UInt8, isOperand: Bool) {
    lastByte = byte
    followsOperand = isOperand
    isFirstOnLine = false
  }

  /// How many number signs stand at an index.
  func hashes(at index: Int) -> Int {
    var end = index
    while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
    return end - index
  }

  /// The end of the line that an index is on, its line break not included.
  func lineEnd(from index: Int) -> Int {
    var end = index
    while end < bytes.count, !Self.isNewline(bytes[end]) { end += 1 }
    return end
  }

  @inline(__always)
  static func isNewline(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  // MARK: - Small tokens

  private mutating func newline() {
    position += 1
    isFirstOnLine = true
    // A line break ends a single-line string even inside its interpolation.
    while let open = openStrings.last, !open.isMultiline { openStrings.removeLast() }
  }

  private mutating func bracket(_ byte: UInt8) {
    let start = position
    position += 1
    follow(byte)
    if let last = openStrings.indices.last {
      if byte == UInt8(ascii: "(") {
        openStrings[last].depth += 1
      } else if byte == UInt8(ascii: ")") {
        if openStrings[last].depth == 0 {
          let open = openStrings.removeLast()
          return continueString(open, start: start)
        }
        openStrings[last].depth -= 1
      }
    }
    passed(byte, isOperand: byte & 0x5F != 0x5B && byte != UInt8(ascii: "("))
  }

  /// Opens or closes a bracket.
  private mutating func follow(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "}"):
      // What the branches of a condition of the compiler left open ends with the block that they are in.
      while let last = openBrackets.popLast(), last != UInt8(ascii: "{") {}
    case UInt8(ascii: ")"), UInt8(ascii: "]"):
      let opening = byte == UInt8(ascii: ")") ? UInt8(ascii: "(") : UInt8(ascii: "[")
      if openBrackets.last == opening { openBrackets.removeLast() }
    default: openBrackets.append(byte)
    }
  }

  private mutating func escapedIdentifier() {
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "`"), !Self.isNewline(bytes[end]) { end += 1 }
    let isClosed = end < bytes.count && bytes[end] == UInt8(ascii: "`")
    position = isClosed ? end + 1 : position + 1
    passed(UInt8(ascii: "`"), isOperand: isClosed)
  }

  private mutating func attribute() {
    let start = position
    position += 1
    skipName()
    while peek() == UInt8(ascii: "."), let next = peek(1), Self.isNameStart(next) {
      position += 1
      skipName()
    }
    emit(.attribute, from: start)
    passed(UInt8(ascii: "@"), isOperand: false)
  }

  private mutating func numberSign() {
    let start = position
    let count = hashes(at: start)
    position = start + count
    switch peek() {
    case UInt8(ascii: "\""): string(start: start, hashes: count)
    case UInt8(ascii: "/"): extendedRegex(start: start, hashes: count)
    case .some(let byte) where count == 1 && Self.isNameStart(byte):
      skipName()
      emit(.directive, from: start)
      passed(UInt8(ascii: "#"), isOperand: false)
    default: passed(UInt8(ascii: "#"), isOperand: false)
    }
  }
}
