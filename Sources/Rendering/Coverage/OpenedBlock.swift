import Syntax

/// The kind of block that a brace opens, determined by reading its statement backwards from the brace, across lines if
/// necessary.
///
/// The keyword nearest to the brace determines the kind, unless a parenthesis is open in between. Without such a
/// keyword in the statement, the block is a trailing closure.
struct OpenedBlock {
  private let code: SourceCode
  private let brace: Int
  private var walk: BackwardTokens
  /// The last token read, which is the next one in the text; nil while that is the brace.
  private var following: Int?
  private var isElse = false
  private var assigns = false
  private var declares = false
  /// The number of colons without a question mark so far, if one of them directly precedes the brace.
  private var colons = 0
  private var isPattern = false
  /// Whether the block belongs to an `else if` whose condition has no run count.
  private var mayBeUnreached = false

  /// - Parameter brace: the index of the brace token.
  init(_ brace: Int, in code: SourceCode) {
    self.code = code
    self.brace = brace
    walk = BackwardTokens(code, before: brace)
  }

  /// Nil if the text is ambiguous.
  var reason: PartlyRanReason? {
    var block = self
    let reason = block.statement()
    guard code.isSwift, reason == .condition || reason == .loopBody || reason == .caught else { return reason }
    // A closure in the condition follows the same keyword: only what comes after its end distinguishes it from the
    // body.
    if !isLastOfLine {
      guard let end = code.tokens[brace].partner else { return .block }
      guard isBody(endingAt: end) else { return .closure }
    }
    return block.mayBeUnreached ? .elseCondition : reason
  }

  /// Returns the kind of block according to the statement.
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

  /// The kind of block if the statement begins here.
  private var end: PartlyRanReason? {
    if isElse { return .otherwise }
    guard following != nil, code.isSwift, !(declares && !assigns) else { return .block }
    return .closure
  }

  private mutating func sign(_ token: Int) -> PartlyRanReason? {
    if code.isToken(token, ";") { return end }
    if code.isToken(token, ",") {
      // The colon followed a key in a dictionary.
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

  /// Returns the kind of block according to a word; nil if that does not decide it.
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

  /// Accessors that may precede a parameter or an effect.
  private static let accessors: Set = [
    "get", "set", "willSet", "didSet", "_read", "_modify", "borrow", "mutate", "unsafeAddress",
  ]

  /// Whether nothing but a comment follows the brace on its line, which never holds for a closure in a condition.
  private var isLastOfLine: Bool {
    guard brace + 1 < code.tokens.count else { return true }
    return code.tokens[brace + 1].startsLine || code.text(brace + 1).starts(with: "//".utf8)
  }

  /// Returns whether a statement, or the part of it that the block forms, ends with the block.
  private func isBody(endingAt brace: Int) -> Bool {
    guard let next = code.next(brace) else { return true }
    if "{,".utf8.contains(code.first(next)) || code.isToken(next, "where") { return false }
    return code.tokens[next].startsLine || "};".utf8.contains(code.first(next))
      || ["else", "catch", "case", "default", "while"].contains { code.isToken(next, $0) }
  }
}

extension SourceCode {
  func isMember(_ word: Int) -> Bool {
    let start = tokens[word].start
    return start > 0 && bytes[start - 1] == UInt8(ascii: ".")
  }

  /// Returns whether a token is an operator rather than a separator.
  func isOperator(_ token: Int) -> Bool { tokens[token].kind == .sign && !",;:\\".utf8.contains(first(token)) }

  /// Returns whether a token begins a case of a `switch`.
  func isCase(_ token: Int) -> Bool { isToken(token, "case") || isToken(token, "default") }

  /// Returns whether a colon ends an argument label, possibly of a closure that follows another; in a conditional
  /// expression a question mark precedes the words.
  func endsLabel(_ colon: Int) -> Bool {
    guard let label = previous(colon), tokens[label].isWord || tokens[label].kind == .number,
      tokens[label].range.upperBound == tokens[colon].start, let before = previous(label)
    else { return false }
    if isToken(before, "}") { return !isToken(label, "default") }
    return isToken(before, ",") || (tokens[before].isOpening && !isToken(before, "{"))
  }

  /// Returns whether a token is the `while` after the block of a `repeat`.
  func endsRepeat(_ token: Int) -> Bool {
    guard let brace = previous(token), isToken(brace, "}"), let opening = tokens[brace].partner else { return false }
    return isToken(previous(opening), "repeat")
  }
}
