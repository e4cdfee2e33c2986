import Syntax

extension PartlyRanReason {
  /// What a stretch is that stands where the argument of a call does: its caller makes it only when it needs it.
  static func argument(_ place: DeadPlace) -> PartlyRanReason? {
    let (text, code) = (place.text, place.code)
    guard let before = place.before else { return nil }
    if text.first == UInt8(ascii: "("), place.isAttached, let name = callee(before, in: code) {
      return text.count == 1 ? .defaultArgument(name) : isBalanced(place, from: 1) ? .argument(name) : nil
    }
    guard place.after.first.map({ ",)]".utf8.contains($0) }) ?? true, isBalanced(place) else { return nil }
    let isLabelled = code.isToken(before, ":") && code.endsLabel(before)
    let isOpened = code.tokens[before].isOpening && !code.isToken(before, "{")
    guard isOpened || code.isToken(before, ",") || isLabelled else { return nil }
    if isFunction(place) { return .passedFunction }
    guard let call = OpenCall(around: before + 1, in: code) else { return nil }
    guard let name = call.callee else { return isLabelled ? .argument(nil) : nil }
    if !call.isMember, ["precondition", "assert"].contains(name) {
      // An optimised build leaves out the condition, too.
      let isMessage = call.commas == 1 && !call.tries && place.isDead(call.firstArgument) == false
      return isMessage ? .message(name) : .argument(name)
    }
    return isName(text) ? .named : .argument(name)
  }

  /// Words before a parenthesis that is not a call's.
  private static let keywords: Set = [
    "if", "guard", "while", "for", "in", "is", "as", "let", "var", "try", "await", "return", "case", "switch", "where",
    "throw", "else",
  ]

  /// The name of the function that a token before a parenthesis is.
  fileprivate static func callee(_ token: Int, in code: SourceCode) -> String? {
    guard [.name, .keyword, .type, .number, .directive, .attribute].contains(code.tokens[token].kind) else {
      return nil
    }
    let word = code.word(token)
    return keywords.contains(word) ? nil : word
  }

  /// Whether a text can only be a function: an operator, a key path, or a name with labels.
  private static func isFunction(_ place: DeadPlace) -> Bool {
    let (tokens, code) = (place.tokens, place.code)
    guard let first = tokens.first, let last = tokens.last else { return false }
    if code.isToken(first, "\\") || (first == last && code.isOperator(first)) { return true }
    guard code.isToken(last, ")"), let opening = code.tokens[last].partner, opening > first, last - opening > 1 else {
      return false
    }
    let labels = opening + 1..<last
    return isName(code.bytes[place.dead.lowerBound..<code.tokens[opening].start])
      && labels.allSatisfy { code.isToken($0, ":") || code.tokens[$0].isWord } && code.isToken(last - 1, ":")
  }

  /// Whether a text is the name of something, or of a member of it.
  static func isName(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, first == UInt8(ascii: ".") || first.isNameStart else { return false }
    guard !["true", "false", "nil"].contains(where: { text.elementsEqual($0.utf8) }) else { return false }
    return text.allSatisfy { $0.isNamePart || $0 == UInt8(ascii: ".") }
  }

  /// Whether every bracket in a stretch, or behind its first tokens, is closed in it, and the other way round.
  private static func isBalanced(_ place: DeadPlace, from first: Int = 0) -> Bool {
    let tokens = place.tokens.dropFirst(first)
    return tokens.allSatisfy { index in
      let token = place.code.tokens[index]
      return !token.isOpening && !token.isClosing || token.partner.map(tokens.contains) == true
    }
  }
}

/// The call or subscript whose bracket is open at a place.
private struct OpenCall {
  /// Nil for a subscript, and where the text does not show a name.
  var callee: String?
  /// Whether the callee is named as a member of something, other than the standard library.
  var isMember = false
  /// Where it begins.
  var firstArgument: Int
  /// How many commas stand between its arguments up to the place.
  var commas = 0
  /// Whether an argument before the place may throw.
  var tries: Bool

  init?(around index: Int, in code: SourceCode) {
    var walk = BackwardTokens(code, before: index)
    while let token = walk.next() {
      if code.isToken(token, ";") { return nil }
      if code.isToken(token, ",") { commas += 1 }
    }
    guard let bracket = walk.enclosing, !code.isToken(bracket, "{"), let first = code.next(bracket) else { return nil }
    firstArgument = code.tokens[first].start
    tries = (bracket..<index).contains { code.isToken($0, "try") }
    guard code.tokens[bracket].kind != .interpolation else { return }
    guard !code.isApart(before: code.tokens[bracket].start), let before = code.previous(bracket) else { return nil }
    guard let name = PartlyRanReason.callee(before, in: code) else {
      // What the call of a closure, a subscript or a generic type ends with.
      if ")]?!>".utf8.contains(code.last(before)), code.tokens[before].kind != .string { return }
      return nil
    }
    guard code.isToken(bracket, "(") else { return }
    callee = name
    guard code.isMember(before), let dot = code.previous(before) else { return }
    isMember = !code.isToken(code.previous(dot), "Swift")
  }
}
