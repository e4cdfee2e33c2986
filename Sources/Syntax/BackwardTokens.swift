/// Walks the tokens of code backwards on one level: of what stands in brackets, only the opening one comes.
package struct BackwardTokens {
  /// No statement is followed further than that many tokens.
  package static let longest = 2000

  private let code: SourceCode
  private var position: Int
  private var rest = BackwardTokens.longest
  /// The bracket that is open around the tokens, once all of them have come.
  package private(set) var enclosing: Int?

  /// - Parameter index: of the token behind the first one.
  package init(_ code: SourceCode, before index: Int) {
    self.code = code
    position = index
  }

  /// Whether there are more tokens than anybody follows.
  package var isCut: Bool { rest == 0 }

  /// The index of the token before the last one; nil behind an open bracket, and at the beginning of the source.
  package mutating func next() -> Int? {
    guard rest > 0, enclosing == nil, let previous = code.previous(position) else { return nil }
    rest -= 1
    guard !code.tokens[previous].isOpening else {
      enclosing = previous
      return nil
    }
    position = code.tokens[previous].isClosing ? code.tokens[previous].partner ?? previous : previous
    return position
  }

  /// Goes on in front of the bracket around the tokens.
  package mutating func leaveBracket() {
    position = enclosing ?? position
    enclosing = nil
  }
}

extension SourceCode {
  private static let wordsThatFollow: Set = ["else", "where", "throws", "rethrows", "async", "in", "is", "as"]
  private static let wordsThatLead: Set = [
    "if", "guard", "while", "for", "where", "in", "is", "as", "try", "await", "return", "catch", "switch", "case",
    "let", "var", "func",
  ]

  /// Whether a token of Swift is the first of a statement, or of a part of one that its line break ends.
  package func startsStatement(_ index: Int) -> Bool {
    guard tokens[index].startsLine else { return false }
    switch tokens[index].kind {
    case .sign: if ".?:&|=+*/<>,".utf8.contains(first(index)) { return false }
    case .name, .keyword, .type: if Self.wordsThatFollow.contains(word(index)) { return false }
    default: break
    }
    guard let above = previous(index) else { return true }
    switch tokens[above].kind {
    case .sign:
      if last(above) == UInt8(ascii: "?") { return !isChoice(above) && !isToken(above, "??") }
      return !isToken(above, "->") && !",=&|+-*/<.".utf8.contains(last(above))
    case .opening, .interpolation: return false
    case .name, .keyword, .type: return !Self.wordsThatLead.contains(word(above))
    default: return true
    }
  }

  /// Whether a token is the question mark of a conditional expression.
  package func isChoice(_ index: Int) -> Bool { isToken(index, "?") && isApart(before: tokens[index].start) }
}
