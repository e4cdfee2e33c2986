import Model
import Syntax

/// Why a part of a line never ran although the line did, derived from the source text around it.
///
/// Its sentence is shown as fact: if the text leaves room for doubt, there is no reason.
enum PartlyRanReason: Hashable {
  case rightSide(String)
  case otherwise, caught, deferred
  case guardFailed
  case condition
  /// The statement after a C condition, without braces.
  case statement
  /// The block of an `else if` whose condition may not have been evaluated.
  case elseCondition
  /// A condition that was not evaluated at all.
  case unreachedCondition
  case loopBody
  case choice
  case caseBody
  case closure
  /// A local function.
  case function
  /// A block of a kind that the text does not show.
  case block
  /// A later argument of the named function, which stops the program if its first argument is false.
  case message(String)
  /// An argument of the named function; nil if the line does not show the name.
  case argument(String?)
  /// A default argument of the named function, where the call passes none.
  case defaultArgument(String)
  /// The default value in the declaration of a parameter.
  case defaultValue
  case initialValue
  case passedFunction
  /// The name of a function or a value; the text does not show which.
  case named
  case thrown
  /// The code after an `if` whose block always leaves.
  case afterCondition
  case afterGuard
  /// The code after a loop with its condition at the end.
  case afterRepeat
  /// The code after another statement with a block.
  case afterStatement

  /// Nil if the text is ambiguous.
  init?(_ place: DeadPlace) {
    guard !place.dead.isEmpty, place.line.count <= HighlightedSource.longestLine, !place.isComment,
      let reason = place.code.isSwift ? Self.reason(place) : Self.reasonInC(place)
    else { return nil }
    self = reason
  }

  private static func reason(_ place: DeadPlace) -> PartlyRanReason? {
    if place.followsConditionKeyword { return .unreachedCondition }
    if let first = place.tokens.first,
      ["case", "default", "@unknown"].contains(where: { place.code.isToken(first, $0) })
    {
      return .caseBody
    }
    if place.isContinued { return hiddenRightSide(place) }
    if let side = rightSide(place) { return side }
    if let first = place.tokens.first, place.code.isToken(first, "{") {
      // If the condition was not reached, its value is unknown.
      let isUnreached = place.stretchBefore.map(place.with)?.followsConditionKeyword ?? false
      return isUnreached ? nil : OpenedBlock(first, in: place.code).reason
    }
    return afterMark(place) ?? afterEnd(place) ?? value(place) ?? argument(place)
  }
}

extension PartlyRanReason {
  /// Returns the reason for a stretch in the position of a call's argument, which the callee evaluates only if needed.
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
      // An optimised build skips the condition, too.
      let isMessage = call.commas == 1 && !call.tries && place.isDead(call.firstArgument) == false
      return isMessage ? .message(name) : .argument(name)
    }
    return isName(text) ? .named : .argument(name)
  }

  /// Words before a parenthesis that does not belong to a call.
  private static let keywords: Set = [
    "if", "guard", "while", "for", "in", "is", "as", "let", "var", "try", "await", "return", "case", "switch", "where",
    "throw", "else",
  ]

  /// Returns the name of the function if a token before a parenthesis is one.
  fileprivate static func callee(_ token: Int, in code: SourceCode) -> String? {
    guard [.name, .keyword, .type, .number, .directive, .attribute].contains(code.tokens[token].kind) else {
      return nil
    }
    let word = code.word(token)
    return keywords.contains(word) ? nil : word
  }

  /// Returns whether a text can only be a function: an operator, a key path, or a name with labels.
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

  /// Returns whether a text is a name or a member access.
  static func isName(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, first == UInt8(ascii: ".") || first.isNameStart else { return false }
    guard !["true", "false", "nil"].contains(where: { text.elementsEqual($0.utf8) }) else { return false }
    return text.allSatisfy { $0.isNamePart || $0 == UInt8(ascii: ".") }
  }

  /// Returns whether all brackets in a stretch, or after its first tokens, are balanced within it.
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
  /// Nil for a subscript, and if the text does not show a name.
  var callee: String?
  /// Whether the callee is named as a member of anything but the standard library.
  var isMember = false
  /// The offset at which it begins.
  var firstArgument: Int
  /// The number of commas between its arguments up to the place.
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
      // The end of a callee that is a closure call, a subscript or a generic type.
      if ")]?!>".utf8.contains(code.last(before)), code.tokens[before].kind != .string { return }
      return nil
    }
    guard code.isToken(bracket, "(") else { return }
    callee = name
    guard code.isMember(before), let dot = code.previous(before) else { return }
    isMember = !code.isToken(code.previous(dot), "Swift")
  }
}

extension PartlyRanReason {
  /// Returns the reason for a stretch in C and related languages.
  static func reasonInC(_ place: DeadPlace) -> PartlyRanReason? {
    let code = place.code
    if place.isContinued { return nil }
    if let first = place.tokens.first, code.isCase(first) { return .caseBody }
    guard let before = place.before else { return nil }
    if let side = rightSide(place), side == .rightSide("&&") || side == .rightSide("||") { return side }
    if code.isToken(before, "("), code.isToken(code.previous(before), "if") { return .unreachedCondition }
    // If the condition was not reached, nothing is known about it.
    if code.isToken(before, ")"), place.isDead(code.tokens[before].start - 1) != false { return nil }
    if let first = place.tokens.first, code.isToken(first, "{") { return OpenedBlock(first, in: code).reason }
    let line = code.tokens(in: place.line.lowerBound..<place.dead.lowerBound)
    guard line.contains(before), let first = line.first else { return nil }
    if code.isToken(before, "?") { return .choice }
    if code.isToken(before, ")") { return statement(behind: before, in: code) }
    guard code.isToken(before, ":") else { return nil }
    if code.isCase(first) { return .caseBody }
    return first == before || line.contains { code.isToken($0, "?") } ? .choice : nil
  }

  /// Returns the reason for a statement without braces after a parenthesis, by the word before the parenthesis.
  private static func statement(behind parenthesis: Int, in code: SourceCode) -> PartlyRanReason? {
    guard let opening = code.tokens[parenthesis].partner, let word = code.previous(opening) else { return nil }
    switch code.word(word) {
    case "if": return .statement
    case "for", "while": return .loopBody
    default: return nil
    }
  }
}

extension PartlyRanReason {
  /// Returns why the end of a line was not reached; nil if the text does not show it.
  ///
  /// - Parameter line: the line number, from 1.
  static func atEnd(ofLine line: Int, in code: SourceCode) -> PartlyRanReason? {
    let range = code.range(ofLine: line)
    guard code.isSwift, range.count <= HighlightedSource.longestLine else { return nil }
    let reason = code.token(before: range.upperBound).flatMap { after($0, in: code) }
    // With several conditions, it would be unclear which one is meant.
    let isPlain = code.tokens(in: range).count { code.isToken($0, "if") } < 2
    return reason == .afterCondition && !isPlain ? .afterStatement : reason
  }

  /// Returns the reason why a stretch that begins where something else ends was not reached.
  static func afterEnd(_ place: DeadPlace) -> PartlyRanReason? {
    guard let before = place.before else { return nil }
    if let first = place.tokens.first, place.code.isToken(first, "while"), place.code.endsRepeat(first) {
      return .afterRepeat
    }
    return place.isAttached ? after(before, in: place.code) : nil
  }

  private static func after(_ end: Int, in code: SourceCode) -> PartlyRanReason? {
    switch code.tokens[end].kind {
    case .closing where code.isToken(end, "}"):
      guard let opening = code.tokens[end].partner else { return nil }
      switch OpenedBlock(opening, in: code).reason {
      case .condition, .elseCondition: return leaves(opening..<end, in: code) ? .afterCondition : nil
      case .guardFailed: return .afterGuard
      case .closure, .choice, .rightSide: return tries(upTo: end, in: code) ? .thrown : nil
      case .loopBody, .otherwise, .caught: return leaves(opening..<end, in: code) ? .afterStatement : nil
      default: return nil
      }
    case .comment, .opening, .interpolation: return nil
    case .sign where !"!?".utf8.contains(code.last(end)): return nil
    default: return tries(upTo: end, in: code) ? .thrown : nil
    }
  }

  /// Returns whether a word in a block may leave it.
  ///
  /// After a block that cannot be left, a zero means nothing: result builders never count that place.
  private static func leaves(_ block: Range<Int>, in code: SourceCode) -> Bool {
    block.contains { code.tokens[$0].isWord && wordsThatLeave.contains(code.word($0)) }
  }

  private static let wordsThatLeave: Set = [
    "return", "throw", "try", "break", "continue", "fallthrough", "fatalError", "preconditionFailure", "exit", "abort",
  ]

  /// Returns whether the statement that ends with a token contains a `try` that propagates its error, outside any
  /// bracket that is closed before that end.
  private static func tries(upTo end: Int, in code: SourceCode) -> Bool {
    var walk = BackwardTokens(code, before: end + 1)
    var following: Int?
    repeat {
      while let token = walk.next() {
        if let following, code.startsStatement(following) { return false }
        if code.isToken(token, ";") { return false }
        if code.isToken(token, "try"), let next = code.byte(behind: token), !"?!".utf8.contains(next) { return true }
        following = token
      }
      following = walk.enclosing
      walk.leaveBracket()
    } while following.map { !code.isToken($0, "{") } ?? false
    return false
  }
}

extension PartlyRanReason {
  /// Returns the operator before a place if it seems to evaluate its right side lazily.
  static func rightSide(_ place: DeadPlace) -> PartlyRanReason? {
    place.before.flatMap { rightSide(of: $0, in: place.code) }
  }

  private static func rightSide(of sign: Int, in code: SourceCode) -> PartlyRanReason? {
    let range = code.tokens[sign].range
    guard code.tokens[sign].kind == .sign, range.count > 1 else { return nil }
    // A custom operator: surrounded by blanks, and neither part of the language nor a plain standard-library operator.
    let isOwn =
      code.isApart(before: range.lowerBound) && code.isApart(behind: range.upperBound) && !code.isToken(sign, "->")
      && code.last(sign) != UInt8(ascii: "=")
    return isOwn || isLazy(sign, in: code) ? .rightSide(String(decoding: code.bytes[range], as: UTF8.self)) : nil
  }

  private static func isLazy(_ sign: Int, in code: SourceCode) -> Bool {
    ["??", "&&", "||"].contains { code.isToken(sign, $0) }
  }

  /// Returns the operator in a stretch that began on an earlier line, if nothing else can begin on the line.
  ///
  /// In result builders, the code before a loop is also dead in the loop's head.
  static func hiddenRightSide(_ place: DeadPlace) -> PartlyRanReason? {
    guard !place.text.contains(where: { "{}:\"".utf8.contains($0) }), place.after.first == UInt8(ascii: "{") else {
      return nil
    }
    let found = place.tokens.filter { isLazy($0, in: place.code) }
    return found.count == 1 ? rightSide(of: found[0], in: place.code) : nil
  }

  /// Returns the reason for a stretch after the sign of a conditional expression or a case.
  static func afterMark(_ place: DeadPlace) -> PartlyRanReason? {
    guard let sign = place.before else { return nil }
    if place.code.isChoice(sign) { return .choice }
    return place.code.isToken(sign, ":") && !place.code.endsLabel(sign) ? afterColon(sign, in: place.code) : nil
  }

  /// Returns whether a colon belongs to a conditional expression or to a case; nil if it ends a label or begins a type.
  private static func afterColon(_ colon: Int, in code: SourceCode) -> PartlyRanReason? {
    var walk = BackwardTokens(code, before: colon)
    var colons = 1
    while let token = walk.next() {
      if code.isToken(token, ";") || code.isToken(token, "=") { return nil }
      if code.isCase(token), !code.isMember(token) { return .caseBody }
      if code.isToken(token, ":") { colons += 1 }
      if code.isChoice(token) { colons -= 1 }
      if colons == 0 { return .choice }
    }
    return nil
  }

  /// Returns the reason for a stretch after an equals sign.
  static func value(_ place: DeadPlace) -> PartlyRanReason? {
    let code = place.code
    guard let sign = place.before, code.isToken(sign, "=") else { return nil }
    if isName(place.text) { return .named }
    var walk = BackwardTokens(code, before: sign)
    var following: Int?
    while let token = walk.next() {
      if let following, code.startsStatement(following) { return nil }
      if code.isToken(token, ";") { return nil }
      if code.isToken(token, "let") || code.isToken(token, "var") { return .initialValue }
      following = token
    }
    // In `_ = f()`, an argument is a statement.
    guard let bracket = walk.enclosing, code.last(bracket) == UInt8(ascii: "("),
      !code.isToken(code.previous(sign), "_")
    else { return nil }
    return .defaultValue
  }
}
