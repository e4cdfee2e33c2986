/// The tokens that a lexer has found so far, and the open brackets.
struct TokenList {
  private(set) var tokens: [Token] = []
  /// The opening brackets that enclose the next token, including those of interpolations.
  private(set) var open: [(byte: UInt8, token: Int)] = []
  /// Whether every bracket, literal and comment was closed.
  var isWhole = true
  /// Whether the line contains only whitespace and comments so far.
  private(set) var isFirstOnLine = true
  private var isInCondition = false

  init(reserving count: Int) { tokens.reserveCapacity(count) }

  mutating func startLine() {
    isFirstOnLine = true
    isInCondition = false
  }

  /// Marks tokens from here to the end of the line as part of a conditional compilation directive.
  mutating func startCondition() { isInCondition = true }

  @inline(__always)
  mutating func append(_ kind: Token.Kind, _ range: Range<Int>) {
    tokens.append(Token(kind, range, startsLine: isFirstOnLine, isOfCondition: isInCondition))
    if kind != .comment { isFirstOnLine = false }
  }

  /// - Parameter byte: The byte that identifies the bracket.
  mutating func open(_ kind: Token.Kind, _ range: Range<Int>, _ byte: UInt8) {
    open.append((byte, tokens.count))
    append(kind, range)
  }

  /// Appends a closing bracket of one byte, which matches the innermost open one if it is of the same kind.
  mutating func close(_ kind: Token.Kind, at offset: Int, _ byte: UInt8) {
    let opening = byte == UInt8(ascii: ")") ? UInt8(ascii: "(") : byte &- 2
    if byte == UInt8(ascii: "}") {
      // Brackets left open by the branches of conditional compilation end with the enclosing block.
      drop(to: (open.lastIndex { $0.byte == opening } ?? -1) + 1)
    }
    append(kind, offset..<offset + 1)
    guard let last = open.last, last.byte == opening else { return isWhole = false }
    open.removeLast()
    tokens[last.token].partner = tokens.count - 1
    tokens[tokens.count - 1].partner = last.token
  }

  /// Forgets all open brackets except the first `count`.
  mutating func drop(to count: Int) {
    guard count < open.count else { return }
    isWhole = false
    open.removeLast(open.count - count)
  }
}
