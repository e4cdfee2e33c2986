/// An iterator that goes backward over the tokens of code at a single level: of a bracketed group, only the opening
/// bracket is returned.
package struct BackwardTokens {
  /// The most tokens to follow in a statement.
  private static let longest = 2000

  private let code: SourceCode
  private var position: Int
  private var rest = BackwardTokens.longest
  /// The opening bracket that encloses the tokens, once all of them have been returned.
  package private(set) var enclosing: Int?

  /// - Parameter index: The index after that of the first token to return.
  package init(_ code: SourceCode, before index: Int) {
    self.code = code
    position = index
  }

  /// Whether the limit on tokens has been reached.
  package var isCut: Bool { rest == 0 }

  /// Returns the index of the preceding token, or nil after an opening bracket and at the beginning of the source.
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

  /// Continues before the enclosing bracket.
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

  /// Returns whether a Swift token begins a statement, or a part of one that ends at a line break.
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

  /// Returns whether a token is the question mark of a conditional expression.
  package func isChoice(_ index: Int) -> Bool { isToken(index, "?") && isApart(before: tokens[index].start) }
}
