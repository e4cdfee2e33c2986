/// A lexer for Swift.
///
/// It follows the lexical rules of the language, not its grammar, so it is fast, accepts any bytes, and handles
/// unfinished code as sensibly as finished code. It takes linear time.
/// Rules: https://docs.swift.org/swift-book/documentation/the-swift-programming-language/lexicalstructure/
struct SwiftLexer {
  /// A string literal that is interrupted by an interpolation.
  struct OpenString {
    var hashes: Int
    var isMultiline: Bool
    /// The number of unclosed parentheses inside the interpolation.
    var depth = 0
    /// The number of open brackets up to and including the interpolation's own.
    var brackets = 0
  }

  /// The quotes of a line that determine whether a raw string is closed on it, so that each line is searched only once.
  struct ClosingQuotes {
    /// The end of the line.
    var end: Int
    var found: ArraySlice<(index: Int, hashes: Int)>
  }

  let bytes: [UInt8]
  let keywords = Keywords.swift
  var position = 0
  var list: TokenList
  var openStrings: [OpenString] = []
  /// Whether the last token can be the left operand of a division, so that a slash cannot begin a regex literal.
  var followsOperand = false
  /// The last byte that was neither whitespace nor part of a comment.
  var lastByte: UInt8 = 0
  /// No regex literal begins before this offset: a search that started earlier has failed up to here.
  var noRegexBefore = 0
  /// The closing quotes on the line examined last.
  var closingQuotes = ClosingQuotes(end: 0, found: [])

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    list = TokenList(reserving: bytes.count / 5)
  }

  static func tokens(in source: [UInt8]) -> TokenList {
    var lexer = SwiftLexer(bytes: source)
    if source.starts(with: [0xEF, 0xBB, 0xBF]) { lexer.position = 3 }
    if lexer.peek() == UInt8(ascii: "#"), lexer.peek(1) == UInt8(ascii: "!") { lexer.lineComment() }
    while lexer.position < source.count { lexer.step() }
    return lexer.list
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
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
      position += 1
      if byte == UInt8(ascii: "("), !openStrings.isEmpty { openStrings[openStrings.count - 1].depth += 1 }
      list.open(.opening, position - 1..<position, byte)
      passed(isOperand: false)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): closingBracket(byte)
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "\\"), UInt8(ascii: "'"), 0x7F:
      position += 1
      emit(.sign, from: position - 1, isOperand: false)
    default: operatorRun()
    }
  }

  // MARK: - Shared helpers

  /// Returns the byte at an offset from the position, or nil beyond the end.
  @inline(__always)
  func peek(_ offset: Int = 0) -> UInt8? {
    let index = position &+ offset
    return index < bytes.count ? bytes[index] : nil
  }

  /// Appends the token that ends at the position.
  /// - Parameter isOperand: Whether a slash after it means division.
  @inline(__always)
  mutating func emit(_ kind: Token.Kind, from start: Int, isOperand: Bool) {
    list.append(kind, start..<position)
    passed(isOperand: isOperand)
  }

  /// Records what the next token needs to know about the one that just ended.
  @inline(__always)
  mutating func passed(isOperand: Bool) {
    lastByte = bytes[position - 1]
    followsOperand = isOperand
  }

  /// Returns the number of number signs at an index.
  func hashes(at index: Int) -> Int {
    var end = index
    while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
    return end - index
  }

  // MARK: - Small tokens

  private mutating func newline() {
    position += 1
    list.startLine()
    // A line break ends a single-line string, even inside its interpolation.
    while let open = openStrings.last, !open.isMultiline {
      openStrings.removeLast()
      list.drop(to: open.brackets - 1)
    }
  }

  private mutating func closingBracket(_ byte: UInt8) {
    position += 1
    if byte == UInt8(ascii: ")"), let last = openStrings.indices.last {
      if openStrings[last].depth == 0 {
        let open = openStrings.removeLast()
        list.drop(to: open.brackets)
        list.close(.interpolationEnd, at: position - 1, byte)
        return continueString(open, start: position)
      }
      openStrings[last].depth -= 1
    }
    list.close(.closing, at: position - 1, byte)
    passed(isOperand: true)
  }

  private mutating func escapedIdentifier() {
    let start = position
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "`"), !bytes[end].isNewline { end += 1 }
    let isClosed = end < bytes.count && bytes[end] == UInt8(ascii: "`")
    position = isClosed ? end + 1 : position + 1
    emit(isClosed ? .name : .sign, from: start, isOperand: isClosed)
  }

  private mutating func attribute() {
    let start = position
    position += 1
    skipName()
    while peek() == UInt8(ascii: "."), let next = peek(1), next.isNameStart {
      position += 1
      skipName()
    }
    emit(.attribute, from: start, isOperand: false)
  }

  private mutating func numberSign() {
    let start = position
    let count = hashes(at: start)
    position = start + count
    switch peek() {
    case UInt8(ascii: "\""): string(start: start, hashes: count)
    case UInt8(ascii: "/"): extendedRegex(start: start, hashes: count)
    case .some(let byte) where count == 1 && byte.isNameStart:
      if list.isFirstOnLine, ["if", "elseif", "else", "endif"].contains(where: { isWord($0, at: position) }) {
        list.startCondition()
      }
      skipName()
      emit(.directive, from: start, isOperand: false)
    default: emit(.sign, from: start, isOperand: false)
    }
  }

  // MARK: - Comments and operators

  /// Lexes a comment, a regex literal or an operator.
  private mutating func slash() {
    switch peek(1) {
    case UInt8(ascii: "/"): lineComment()
    case UInt8(ascii: "*"): blockComment()
    default:
      let start = position
      if !followsOperand || list.isFirstOnLine, let end = regexEnd(from: start) {
        position = end
        emit(.regex, from: start, isOperand: true)
      } else {
        operatorRun()
      }
    }
  }

  private mutating func lineComment() {
    let start = position
    while position < bytes.count, !bytes[position].isNewline { position += 1 }
    list.append(.comment, start..<position)
  }

  /// Lexes a block comment. Block comments nest.
  private mutating func blockComment() {
    let start = position
    position += 2
    var depth = 1
    while depth > 0, position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else {
        position += 1
      }
    }
    if depth > 0 { list.isWhole = false }
    list.append(.comment, start..<position)
  }

  /// Lexes a run of operator characters. `!` and `?` directly after an operand are tokens of their own, and only an
  /// operator that begins with a dot contains further dots. The generic parameters of an operator's function, as in
  /// `func ==<T>`, do not belong to its name.
  private mutating func operatorRun() {
    let start = position
    let isLeftBound = followsOperand && start > 0 && bytes[start - 1] > UInt8(ascii: " ")
    let first = bytes[start]
    position += 1
    if isLeftBound, first == UInt8(ascii: "!") || first == UInt8(ascii: "?") {
      return emit(.sign, from: start, isOperand: true)
    }
    while let byte = peek(), Self.isOperator(byte) {
      if byte == UInt8(ascii: "."), first != byte { break }
      if byte == UInt8(ascii: "/") {
        let next = peek(1)
        if next == UInt8(ascii: "/") || next == UInt8(ascii: "*") { break }
        if !isLeftBound, regexEnd(from: position) != nil { break }
      }
      position += 1
    }
    if position - start > 1, bytes[position - 1] == UInt8(ascii: "<"), peek()?.isNamePart == true, followsFunc {
      position -= 1
    }
    let isRightBound = peek().map { $0 > UInt8(ascii: " ") && !Self.closes($0) } ?? false
    emit(.sign, from: start, isOperand: isLeftBound && !isRightBound)
  }

  /// Whether the next token is the name of a function.
  private var followsFunc: Bool {
    list.tokens.last.map { $0.kind == .keyword && bytes[$0.range].elementsEqual("func".utf8) } ?? false
  }

  private static func isOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "!"), UInt8(ascii: "*"),
      UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "|"),
      UInt8(ascii: "^"), UInt8(ascii: "~"), UInt8(ascii: "?"), UInt8(ascii: "."), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  private static func closes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ";"),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }
}

extension SwiftLexer {
  /// Lexes a keyword, a type if capitalized, or a plain name.
  mutating func word() {
    let start = position
    skipName()
    let range = start..<position
    if let role = keywords.role(of: bytes, range), isKeyword(role, range, isMember: isMember(at: start)) {
      emit(.keyword, from: start, isOperand: role == .value)
    } else {
      emit(isCapitalised(range) ? .type : .name, from: start, isOperand: true)
    }
  }

  /// Returns whether a word or number follows a full stop, rather than a range's operator.
  func isMember(at start: Int) -> Bool {
    start > 0 && bytes[start - 1] == UInt8(ascii: ".") && (start < 2 || bytes[start - 2] != UInt8(ascii: "."))
  }

  @inline(__always)
  mutating func skipName() {
    while position < bytes.count, bytes[position].isNamePart { position += 1 }
  }

  private func isCapitalised(_ range: Range<Int>) -> Bool {
    let first = bytes[range].first { $0 != UInt8(ascii: "_") } ?? 0
    return first &- UInt8(ascii: "A") < 26
  }

  // MARK: - Whether a word is a keyword in its context

  private func isKeyword(_ role: Keywords.Role, _ range: Range<Int>, isMember: Bool) -> Bool {
    // Among members, only `.self` and `.init` are keywords.
    if isMember { return bytes[range].elementsEqual("self".utf8) || bytes[range].elementsEqual("init".utf8) }
    let next = skipBlanks(from: range.upperBound)
    switch role {
    // After a comma in a list of conditions it begins the next condition, which may have a type annotation.
    case .always: return !isInArguments || !isLabel(next)
    // After a comma in a list of patterns it is one of the patterns.
    case .value: return innermost != UInt8(ascii: "(") || !isLabel(next)
    case .modifier: return isModifier(range, next: next) && !isLabel(next)
    case .accessor: return isAccessor(range, next: next)
    case .effect: return lastByte == UInt8(ascii: ")") || isWord("let", at: next) || isWord("throws", at: next)
    }
  }

  private var innermost: UInt8? { list.open.last?.byte }

  /// Whether the innermost open bracket encloses arguments or parameters.
  private var isInArguments: Bool {
    innermost == UInt8(ascii: "(") || innermost == UInt8(ascii: "[")
  }

  /// Returns whether a word before `next` is an argument label or the external name of a parameter.
  private func isLabel(_ next: Int) -> Bool {
    guard lastByte == UInt8(ascii: "(") || lastByte == UInt8(ascii: ","), next < bytes.count else { return false }
    if bytes[next] == UInt8(ascii: ":") { return true }
    guard bytes[next].isNameStart else { return false }
    let colon = skipBlanks(from: nameEnd(from: next))
    return colon < bytes.count && bytes[colon] == UInt8(ascii: ":")
  }

  private func isModifier(_ range: Range<Int>, next: Int) -> Bool {
    guard next < bytes.count else { return false }
    if bytes[next] == UInt8(ascii: "(") {
      return ["set)", "unsafe)", "safe)", "nonsending)", "any)"].contains { holds($0, at: next + 1) }
        || (next > range.upperBound && ["some", "any", "isolated"].contains { holds($0, at: range.lowerBound) })
    }
    guard next > range.upperBound else { return false }
    if bytes[next] == UInt8(ascii: "@") || bytes[next] == UInt8(ascii: "~") { return true }
    if bytes[next] == UInt8(ascii: "&") { return holds("yield", at: range.lowerBound) }
    guard bytes[next].isNameStart || bytes[next] == UInt8(ascii: "`") else { return false }
    return !["in", "is", "as", "else", "where"].contains { isWord($0, at: next) }
  }

  private func isAccessor(_ range: Range<Int>, next: Int) -> Bool {
    guard next < bytes.count, canHeadAccessor || isBehindAttribute else { return false }
    switch bytes[next] {
    case UInt8(ascii: "{"):
      // A closure passed to a call uses its argument, at least as $0; a getter has none.
      let first = skipBlanks(from: next + 1)
      return !holds("$", at: first) && !isWord("in", at: skipBlanks(from: nameEnd(from: first)))
    case UInt8(ascii: "("):
      let close = skipBlanks(from: nameEnd(from: skipBlanks(from: next + 1)))
      guard close < bytes.count, bytes[close] == UInt8(ascii: ")") else { return false }
      let brace = skipBlanks(from: close + 1)
      return brace < bytes.count && bytes[brace] == UInt8(ascii: "{")
    case UInt8(ascii: "}"): return holds("get", at: range.lowerBound) || holds("set", at: range.lowerBound)
    default: return ["set", "get", "async", "throws", "mutating", "nonmutating"].contains { isWord($0, at: next) }
    }
  }

  /// An accessor follows a line break, a brace, or one of `get`, `set`, `mutating`, `nonmutating`.
  private var canHeadAccessor: Bool {
    switch lastByte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"), UInt8(ascii: "t"), UInt8(ascii: "g"): true
    default: list.isFirstOnLine
    }
  }

  /// Whether the last token is an attribute, such as `@inline(__always)`.
  private var isBehindAttribute: Bool {
    guard let last = list.tokens.last else { return false }
    guard last.kind == .closing, let opening = last.partner, opening > 0 else { return last.kind == .attribute }
    return list.tokens[opening - 1].kind == .attribute
  }

  /// Returns the index of the first byte that is not a space or tab.
  func skipBlanks(from index: Int) -> Int {
    var index = index
    while index < bytes.count, bytes[index].isBlank { index += 1 }
    return index
  }

  private func nameEnd(from index: Int) -> Int {
    var index = index
    while index < bytes.count, bytes[index].isNamePart { index += 1 }
    return index
  }

  private func holds(_ text: StaticString, at index: Int) -> Bool {
    text.withUTF8Buffer { text in
      index + text.count <= bytes.count && text.indices.allSatisfy { bytes[index + $0] == text[$0] }
    }
  }

  func isWord(_ text: StaticString, at index: Int) -> Bool {
    let end = index + text.utf8CodeUnitCount
    return holds(text, at: index) && (end >= bytes.count || !bytes[end].isNamePart)
  }
}
