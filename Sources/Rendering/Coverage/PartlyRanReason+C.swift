import Syntax

extension PartlyRanReason {
  /// What a stretch of C and its relatives is.
  static func reasonInC(_ place: DeadPlace) -> PartlyRanReason? {
    let code = place.code
    if place.isContinued { return nil }
    if let first = place.tokens.first, code.isCase(first) { return .caseBody }
    guard let before = place.before else { return nil }
    if let side = rightSide(place), side == .rightSide("&&") || side == .rightSide("||") { return side }
    if code.isToken(before, "("), code.isToken(code.previous(before), "if") { return .unreachedCondition }
    // Of a condition that was not reached, nothing is known.
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

  /// What a stretch behind a parenthesis is, by the word before that: a statement without braces.
  private static func statement(behind parenthesis: Int, in code: SourceCode) -> PartlyRanReason? {
    guard let opening = code.tokens[parenthesis].partner, let word = code.previous(opening) else { return nil }
    switch code.word(word) {
    case "if": return .statement
    case "for", "while": return .loopBody
    default: return nil
    }
  }
}
