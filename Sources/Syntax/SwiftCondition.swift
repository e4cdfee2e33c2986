import Model

/// A condition of an `if`, `guard`, `while` or `?:`, or the left side of `&&` or `||` in one, of which it is certain how
/// the compiler places the jump that it decides.
///
/// Without optimization the compiler gives a jump the place of the expression that decides it: an operator's own, or that
/// of the last name, subscript or `!` in a chain of members and calls.
package struct SwiftCondition: Hashable, Sendable {
  /// Which of the jumps at the place it decides: operands that are evaluated at the same place come in between.
  package enum Jump: Sendable {
    case first, last
  }

  /// The offset of the token at whose place the jump is.
  package let place: Int
  package let jump: Jump
  /// The bytes of the condition.
  package let range: Range<Int>
}

extension SourceCode {
  /// Returns the conditions in a range of bytes of a Swift source.
  package func conditions(in stretch: Range<Int>) -> [SwiftCondition] {
    guard isSwift, isWhole else { return [] }
    let parser = ConditionParser(code: self)
    return tokens(in: stretch).flatMap { index -> [SwiftCondition] in
      switch tokens[index].kind {
      case .keyword where !tokens[index].isOfCondition && Self.heads.contains(word(index)):
        elements(behind: index).flatMap(parser.conditions)
      case .sign where isChoice(index): choice(before: index).map(parser.conditions) ?? []
      default: []
      }
    }
  }

  private static let heads: Set = ["if", "guard", "while"]

  // MARK: - Where conditions are

  /// Returns the elements of the list of conditions behind a keyword, as ranges of tokens; none if its end is not certain,
  /// or if nothing but a message depends on them.
  private func elements(behind head: Int) -> [Range<Int>] {
    if endsRepeat(head) { return [head + 1..<endOfStatement(behind: head)] }
    let isGuard = isToken(head, "guard")
    var elements: [Range<Int>] = []
    var (start, index) = (head + 1, next(head))
    while let token = index {
      let isEnd = isGuard ? isToken(token, "else") : isToken(token, "{") && isBody(token)
      if isEnd { return elements + [start..<token] }
      if isToken(token, ",") {
        elements.append(start..<token)
        start = token + 1
      }
      guard !tokens[token].isClosing, !isToken(token, "{"),
        let end = tokens[token].isOpening ? tokens[token].partner : token
      else { break }
      index = next(end)
    }
    return []
  }

  private func endsRepeat(_ head: Int) -> Bool {
    guard isToken(head, "while"), let end = previous(head), isToken(end, "}"), let start = tokens[end].partner else {
      return false
    }
    return isToken(previous(start), "repeat")
  }

  private func endOfStatement(behind head: Int) -> Int {
    var index = next(head)
    while let token = index, !tokens[token].isClosing, !isToken(token, ";"),
      token == next(head) || !startsStatement(token)
    {
      index = next(tokens[token].partner ?? token)
    }
    return index ?? tokens.count
  }

  /// Whether a brace opens what a condition decides, rather than a closure, and that does more than report.
  private func isBody(_ brace: Int) -> Bool {
    guard let end = tokens[brace].partner else { return false }
    if let after = next(end), isToken(after, "{") || isToken(after, ",") || tokens[after].kind == .sign { return false }
    guard let name = next(brace), let call = next(name), Self.reports.contains(word(name)), isToken(call, "("),
      let close = tokens[call].partner, next(close) == end
    else { return true }
    return isToken(next(end), "else")
  }

  private static let reports: Set = [
    "assert", "assertionFailure", "precondition", "preconditionFailure", "fatalError", "print", "debugPrint", "dump",
    "NSLog",
  ]

  /// Returns the tokens of the condition before the question mark of a conditional expression.
  private func choice(before mark: Int) -> Range<Int>? {
    var walk = BackwardTokens(self, before: mark)
    var start: Int?
    while let token = walk.next() {
      if tokens[token].kind == .sign, endsOperands(token) { break }
      if tokens[token].kind == .keyword, !Self.operands.contains(word(token)) { break }
      start = token
      if startsStatement(token) { break }
    }
    return walk.isCut ? nil : start.map { $0..<mark }
  }

  /// Whether operands behind a sign do not belong to those before it, unless it has a higher precedence than `?:`.
  private func endsOperands(_ sign: Int) -> Bool {
    if isToken(sign, ",") || isToken(sign, ";") || isToken(sign, ":") || isToken(sign, "->") || isChoice(sign) {
      return true
    }
    return last(sign) == UInt8(ascii: "=") && !ConditionParser.comparisons.contains(word(sign))
  }

  private static let operands: Set = ["self", "Self", "super", "true", "false", "nil", "try", "await", "as", "is"]
}

/// Reads an expression as far as it takes to know what decides its value.
private struct ConditionParser {
  static let comparisons: Set = ["==", "!=", "<", ">", "<=", ">=", "===", "!==", "~="]
  /// The operators of the standard library that bind more closely than comparisons.
  private static let closer: Set = [
    "??", "...", "..<", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&+", "&-", "&*", "&<<", "&>>",
  ]
  /// What binds a value, has no counterpart with `!`, or may differ between builds.
  private static let refused: Set = ["let", "var", "case", "as", "is", "if", "switch"]

  let code: SourceCode

  func conditions(in part: Range<Int>) -> [SwiftCondition] {
    let isRefused = part.contains { index in
      let token = code.tokens[index]
      return token.kind == .directive || token.isOfCondition
        || (token.kind == .keyword && Self.refused.contains(code.word(index)))
    }
    guard !isRefused, let items = items(part).map(withoutEffects), let place = root(items) else { return [] }
    return [SwiftCondition(place: code.tokens[place].start, jump: .last, range: range(items))] + leftSides(items)
  }

  // MARK: - Level by level

  /// Returns the tokens at the level of an expression, each bracketed group as its opening bracket; nil if it has several
  /// parts, or none.
  private func items(_ part: Range<Int>) -> [Int]? {
    var (items, index): ([Int], Int) = ([], part.lowerBound)
    while index < part.upperBound {
      if code.tokens[index].kind != .comment { items.append(index) }
      if code.isToken(index, ",") || code.isToken(index, ":") || code.isToken(index, ";") { return nil }
      guard let end = code.tokens[index].isOpening ? code.tokens[index].partner : index else { return nil }
      index = end + 1
    }
    return items.nonEmpty
  }

  /// Returns the expression behind `try`, `try!` and `await`, and within parentheses around all of it.
  private func withoutEffects(_ items: [Int]) -> [Int] {
    if code.isToken(items[0], "try") || code.isToken(items[0], "await") {
      let isForced = items.count > 1 && code.isToken(items[1], "!")
      let rest = Array(items.dropFirst(isForced ? 2 : 1))
      return rest.isEmpty ? items : withoutEffects(rest)
    }
    guard items.count == 1, let inner = group(items[0]) else { return items }
    return withoutEffects(inner)
  }

  private func group(_ item: Int) -> [Int]? {
    guard code.isToken(item, "("), let end = code.tokens[item].partner else { return nil }
    return items(item + 1..<end)
  }

  private func range(_ items: [Int]) -> Range<Int> {
    let last = items[items.count - 1]
    let end = code.tokens[last].isOpening ? code.tokens[last].partner ?? last : last
    return code.tokens[items[0]].start..<code.tokens[end].range.upperBound
  }

  // MARK: - What decides

  /// Returns the token that names the place of an expression; nil if that is not certain.
  private func root(_ items: [Int]) -> Int? {
    guard let operators = operators(items) else { return nil }
    if let logical = logical(operators) { return logical }
    let comparing = operators.filter { Self.comparisons.contains(text($0)) }
    if !comparing.isEmpty { return comparing.count == 1 ? comparing[0] : nil }
    if let either = operators.first { return code.isToken(either, "??") ? either : nil }
    return code.isToken(items[0], "!") ? items[0] : end(ofChain: items)
  }

  /// Returns the operators between the operands; nil if one of them is unknown.
  private func operators(_ items: [Int]) -> [Int]? {
    let infix = items.dropFirst().filter { index in
      guard code.tokens[index].kind == .sign, !code.isToken(index, ".") else { return false }
      let range = code.tokens[index].range
      return code.isApart(before: range.lowerBound) == code.isApart(behind: range.upperBound)
        && !(code.isToken(index, "!") || code.isToken(index, "?")) || code.isChoice(index)
    }
    let areKnown = infix.allSatisfy {
      ["&&", "||"].contains(text($0)) || Self.comparisons.contains(text($0)) || Self.closer.contains(text($0))
    }
    return areKnown ? infix : nil
  }

  private func logical(_ operators: [Int]) -> Int? {
    operators.last { code.isToken($0, "||") } ?? operators.last { code.isToken($0, "&&") }
  }

  /// Returns the last name, subscript or `!` of an operand, before the arguments and the closure of a call.
  private func end(ofChain items: [Int]) -> Int? {
    let first = code.tokens[items[0]]
    guard first.isWord || first.isOpening || first.kind == .string || code.isToken(items[0], ".") else { return nil }
    var chain = items
    if let last = chain.last, code.isToken(last, "{") { chain.removeLast() }
    if let last = chain.last, code.isToken(last, "(") { chain.removeLast() }
    // A symbol that the lexer takes for a word may be an operator.
    let areMembers = zip(chain, chain.dropFirst()).allSatisfy { !code.tokens[$1].isWord || code.isToken($0, ".") }
    guard areMembers, let last = chain.last else { return nil }
    if code.tokens[last].isWord { return code.tokens[last].kind != .keyword || chain.count == 1 ? last : nil }
    let isCalled = chain.count < items.count
    return !isCalled && (code.isToken(last, "[") || code.isToken(last, "!")) ? last : nil
  }

  /// Returns the left sides of `&&` and `||` whose jumps have the operator's own place: a right side is evaluated at the
  /// place of the operator before it.
  private func leftSides(_ items: [Int]) -> [SwiftCondition] {
    var items = withoutEffects(items)
    if items.count == 2, code.isToken(items[0], "!"), let inner = group(items[1]) { items = withoutEffects(inner) }
    guard let operators = operators(items), let logical = logical(operators) else { return [] }
    let left = withoutEffects(Array(items.prefix { $0 != logical }))
    return [SwiftCondition(place: code.tokens[logical].start, jump: .first, range: range(left))] + leftSides(left)
  }

  private func text(_ index: Int) -> String { String(decoding: code.text(index), as: UTF8.self) }
}
