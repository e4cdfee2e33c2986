import Syntax

/// What a brace opens, by the statement that it stands in: read backwards from the brace, over lines if need be.
///
/// The keyword that is nearest to the brace says what the block is, unless a parenthesis is open in between. Where the
/// statement has no such keyword, the block is a trailing closure.
struct OpenedBlock {
  private let code: SourceCode
  private let brace: Int
  private var walk: BackwardTokens
  /// The token that was read last, which follows in the text; nil as long as that is the brace.
  private var following: Int?
  private var isElse = false
  private var assigns = false
  private var declares = false
  /// How many colons have no question mark yet, if one of them stands right before the brace.
  private var colons = 0
  private var isPattern = false
  /// Whether the block is that of an `else if` whose condition the compiler counts no runs of.
  private var mayBeUnreached = false

  /// - Parameter brace: the index of its token.
  init(_ brace: Int, in code: SourceCode) {
    self.code = code
    self.brace = brace
    walk = BackwardTokens(code, before: brace)
  }

  /// Nil where the text does not say it plainly.
  var reason: PartlyRanReason? {
    var block = self
    let reason = block.statement()
    guard code.isSwift, reason == .condition || reason == .loopBody || reason == .caught else { return reason }
    // A closure in the condition is named after the same keyword: only what follows its end tells it from the body.
    if !isLastOfLine {
      guard let end = code.tokens[brace].partner else { return .block }
      guard isBody(endingAt: end) else { return .closure }
    }
    return block.mayBeUnreached ? .elseCondition : reason
  }

  /// What the statement says that the block is.
  private mutating func statement() -> PartlyRanReason? {
    while let token = walk.next() {
      if let following, code.startsStatement(following) { return end }
      if let reason = code.tokens[token].kind == .sign ? sign(token) : keyword(token) { return reason }
      following = token
    }
    if walk.isCut { return isElse ? .otherwise : nil }
    guard let bracket = walk.enclosing, !code.isToken(bracket, "{") else { return end }
    return code.isSwift ? .closure : .block
  }

  /// What it is when the statement begins here.
  private var end: PartlyRanReason? {
    if isElse { return .otherwise }
    guard following != nil, code.isSwift, !(declares && !assigns) else { return .block }
    return .closure
  }

  private mutating func sign(_ token: Int) -> PartlyRanReason? {
    if code.isToken(token, ";") { return end }
    if code.isToken(token, ",") {
      // The colon was that of a key in a dictionary.
      if colons > 0 { return .closure }
      isPattern = true
    } else if code.isToken(token, "=") {
      assigns = true
    } else if code.isToken(token, ":") {
      let mayChoose = code.isSwift && (following == nil || colons > 0)
      if mayChoose, !code.endsLabel(token) { colons += 1 }
    } else if code.isChoice(token) {
      if following == nil || colons == 1 { return .choice }
      if colons > 0 { colons -= 1 }
    }
    return nil
  }

  /// What the word says that the block is; nil when that is not known yet.
  private mutating func keyword(_ token: Int) -> PartlyRanReason? {
    // The label of an argument.
    if code.isToken(following, ":") { return nil }
    if code.isToken(token, "#available") || code.isToken(token, "#unavailable") { isPattern = true }
    guard code.tokens[token].isWord, !code.isMember(token) else { return nil }
    let word = code.word(token)
    let isNext = following == nil
    switch word {
    case "else":
      guard isNext else { return .block }
      isElse = true
    case "guard": return isElse ? .guardFailed : code.isSwift ? .closure : .block
    case "if":
      if code.isToken(code.previous(token), "else") { mayBeUnreached = isPattern }
      return isElse ? .otherwise : .condition
    case _ where isElse: return nil
    case "for": return .loopBody
    case "while": return code.isSwift && code.endsRepeat(token) ? .closure : .loopBody
    case "catch": return .caught
    case "repeat" where isNext: return .loopBody
    case "defer" where isNext: return .deferred
    case "do" where isNext, "get" where isNext, "set" where isNext, "willSet" where isNext, "didSet" where isNext,
      "_read" where isNext, "_modify" where isNext, "switch":
      return .block
    case "func", "init", "deinit", "subscript": return .function
    case _ where code.tokens[token].kind == .keyword && Self.accessors.contains(word): return .block
    case "class", "struct", "enum", "extension", "actor", "protocol": return .block
    case "let", "var": (declares, isPattern) = (true, true)
    case "case", "default", "return", "throw":
      // The declaration was part of a pattern.
      (declares, isPattern) = (false, true)
    default: break
    }
    return nil
  }

  /// Those that may stand before a parameter or an effect.
  private static let accessors: Set = [
    "get", "set", "willSet", "didSet", "_read", "_modify", "borrow", "mutate", "unsafeAddress",
  ]

  // MARK: - Ends

  /// Whether nothing but a comment follows the brace on its line, as is never so of a closure in a condition.
  private var isLastOfLine: Bool {
    guard brace + 1 < code.tokens.count else { return true }
    return code.tokens[brace + 1].startsLine || code.text(brace + 1).starts(with: "//".utf8)
  }

  /// Whether a statement, or the part of it that the block is, ends with the block.
  private func isBody(endingAt brace: Int) -> Bool {
    guard let next = code.next(brace) else { return true }
    if "{,".utf8.contains(code.first(next)) || code.isToken(next, "where") { return false }
    return code.tokens[next].startsLine || "};".utf8.contains(code.first(next))
      || ["else", "catch", "case", "default", "while"].contains { code.isToken(next, $0) }
  }
}

extension SourceCode {
  /// Whether a word is a member of something.
  func isMember(_ word: Int) -> Bool {
    let start = tokens[word].start
    return start > 0 && bytes[start - 1] == UInt8(ascii: ".")
  }

  /// Whether a token is an operator, and no separator.
  func isOperator(_ token: Int) -> Bool { tokens[token].kind == .sign && !",;:\\".utf8.contains(first(token)) }

  /// Whether a token begins a case of a `switch`.
  func isCase(_ token: Int) -> Bool { isToken(token, "case") || isToken(token, "default") }

  /// Whether a colon ends the label of an argument, which may be a closure behind another one; a conditional expression
  /// has a question mark before its words.
  func endsLabel(_ colon: Int) -> Bool {
    guard let label = previous(colon), tokens[label].isWord || tokens[label].kind == .number,
      tokens[label].range.upperBound == tokens[colon].start, let before = previous(label)
    else { return false }
    if isToken(before, "}") { return !isToken(label, "default") }
    return isToken(before, ",") || (tokens[before].isOpening && !isToken(before, "{"))
  }

  /// Whether a token is the `while` behind the block of a `repeat`.
  func endsRepeat(_ token: Int) -> Bool {
    guard let brace = previous(token), isToken(brace, "}"), let opening = tokens[brace].partner else { return false }
    return isToken(previous(opening), "repeat")
  }
}
