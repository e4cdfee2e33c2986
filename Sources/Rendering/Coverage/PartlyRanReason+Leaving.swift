import Syntax

extension PartlyRanReason {
  /// What kept a line's end from being reached; nil where the text does not say it.
  ///
  /// - Parameter line: from 1.
  static func atEnd(ofLine line: Int, in code: SourceCode) -> PartlyRanReason? {
    let range = code.range(ofLine: line)
    guard code.isSwift, range.count <= HighlightedSource.longestLine else { return nil }
    let reason = code.token(before: range.upperBound).flatMap { after($0, in: code) }
    // Of several conditions, it would not be clear which one is meant.
    let isPlain = code.tokens(in: range).count { code.isToken($0, "if") } < 2
    return reason == .afterCondition && !isPlain ? .afterStatement : reason
  }

  /// What kept a stretch from being reached that begins where something else ends.
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

  /// Whether a word in a block may be what leaves it.
  ///
  /// Behind a block that cannot be left, a zero means nothing: result builders never count what is there.
  private static func leaves(_ block: Range<Int>, in code: SourceCode) -> Bool {
    block.contains { code.tokens[$0].isWord && wordsThatLeave.contains(code.word($0)) }
  }

  private static let wordsThatLeave: Set = [
    "return", "throw", "try", "break", "continue", "fallthrough", "fatalError", "preconditionFailure", "exit", "abort",
  ]

  /// Whether a `try` that hands its error on stands in the statement that ends with a token, in no bracket that is closed
  /// before that end.
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
