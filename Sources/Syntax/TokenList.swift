/// The tokens that a lexer has found so far, and the brackets that are open.
struct TokenList {
  private(set) var tokens: [Token] = []
  /// The opening brackets around what comes next, those of interpolations included.
  private(set) var open: [(byte: UInt8, token: Int)] = []
  /// Whether every bracket, literal and comment was closed.
  var isWhole = true
  /// Whether nothing but blanks and comments came before on this line.
  private(set) var isFirstOnLine = true
  private var isInCondition = false

  init(reserving count: Int) { tokens.reserveCapacity(count) }

  mutating func startLine() {
    isFirstOnLine = true
    isInCondition = false
  }

  /// From here to the end of the line, tokens belong to a condition of the compiler.
  mutating func startCondition() { isInCondition = true }

  @inline(__always)
  mutating func append(_ kind: Token.Kind, _ range: Range<Int>) {
    tokens.append(Token(kind, range, startsLine: isFirstOnLine, isOfCondition: isInCondition))
    if kind != .comment { isFirstOnLine = false }
  }

  /// - Parameter byte: what the bracket is known by.
  mutating func open(_ kind: Token.Kind, _ range: Range<Int>, _ byte: UInt8) {
    open.append((byte, tokens.count))
    append(kind, range)
  }

  /// Appends a bracket of one byte, which closes the innermost one if that is of its kind.
  mutating func close(_ kind: Token.Kind, at offset: Int, _ byte: UInt8) {
    let opening = byte == UInt8(ascii: ")") ? UInt8(ascii: "(") : byte &- 2
    if byte == UInt8(ascii: "}") {
      // What the branches of a condition of the compiler left open ends with the block that they are in.
      drop(to: (open.lastIndex { $0.byte == opening } ?? -1) + 1)
    }
    append(kind, offset..<offset + 1)
    guard let last = open.last, last.byte == opening else { return isWhole = false }
    open.removeLast()
    tokens[last.token].partner = tokens.count - 1
    tokens[tokens.count - 1].partner = last.token
  }

  /// Forgets all open brackets but the first ones.
  mutating func drop(to count: Int) {
    guard count < open.count else { return }
    isWhole = false
    open.removeLast(open.count - count)
  }
}
