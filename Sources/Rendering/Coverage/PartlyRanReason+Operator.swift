import Syntax

extension PartlyRanReason {
  /// The operator that stands before a place, if it seems to evaluate its right side only at need.
  static func rightSide(_ place: DeadPlace) -> PartlyRanReason? {
    place.before.flatMap { rightSide(of: $0, in: place.code) }
  }

  private static func rightSide(of sign: Int, in code: SourceCode) -> PartlyRanReason? {
    let range = code.tokens[sign].range
    guard code.tokens[sign].kind == .sign, range.count > 1 else { return nil }
    // One with blanks around it that is none of the language or of the standard library's plain ones.
    let isOwn =
      code.isApart(before: range.lowerBound) && code.isApart(behind: range.upperBound) && !code.isToken(sign, "->")
      && code.last(sign) != UInt8(ascii: "=")
    return isOwn || isLazy(sign, in: code) ? .rightSide(String(decoding: code.bytes[range], as: UTF8.self)) : nil
  }

  private static func isLazy(_ sign: Int, in code: SourceCode) -> Bool {
    ["??", "&&", "||"].contains { code.isToken(sign, $0) }
  }

  /// The operator in a stretch that has begun above its line, if that is all that can begin on the line.
  ///
  /// Where result builders are used, what is before a loop is dead in the loop's head, too.
  static func hiddenRightSide(_ place: DeadPlace) -> PartlyRanReason? {
    guard !place.text.contains(where: { "{}:\"".utf8.contains($0) }), place.after.first == UInt8(ascii: "{") else {
      return nil
    }
    let found = place.tokens.filter { isLazy($0, in: place.code) }
    return found.count == 1 ? rightSide(of: found[0], in: place.code) : nil
  }

  /// What follows the sign of a conditional expression or a case.
  static func afterMark(_ place: DeadPlace) -> PartlyRanReason? {
    guard let sign = place.before else { return nil }
    if place.code.isChoice(sign) { return .choice }
    return place.code.isToken(sign, ":") && !place.code.endsLabel(sign) ? afterColon(sign, in: place.code) : nil
  }

  /// Whether a colon belongs to a conditional expression or to a case; nil where it ends a label or begins a type.
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

  /// What a stretch behind an equals sign is.
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
