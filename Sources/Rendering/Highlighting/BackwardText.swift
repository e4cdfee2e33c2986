/// Walks source text backwards, from an offset towards the beginning, word by word and sign by sign.
///
/// Comments and blanks are passed over. Where an interpolation begins or ends inside a string, there is a parenthesis.
struct BackwardText {
  enum Item: Hashable {
    case word(Range<Int>)
    /// A byte that is neither part of a word nor blank, by its offset.
    case sign(UInt8, at: Int)
    /// A string or a regular expression.
    case literal
    case lineBreak
  }

  private let source: HighlightedSource
  /// Everything before it is still to come.
  private var position: Int
  /// How many tokens may still come.
  private var tokenCount: Int
  /// The beginning of a piece of a string whose end was an item of its own.
  private var pending: Item?

  init(_ source: HighlightedSource, before offset: Int) {
    self.source = source
    position = offset
    tokenCount = source.firstToken(endingAfter: offset)
  }

  /// The item before the last one; nil at the beginning of the source.
  mutating func next() -> Item? {
    if let pending {
      self.pending = nil
      return pending
    }
    while position > 0 {
      if let token = tokenBefore {
        position = token.range.lowerBound
        if token.kind == .comment { continue }
        return token.kind == .string ? string(token.range) : .literal
      }
      let byte = source.bytes[position - 1]
      if SwiftHighlighter.isName(byte) { return word() }
      position -= 1
      if SwiftHighlighter.isNewline(byte) { return .lineBreak }
      if !SwiftHighlighter.isBlank(byte) { return .sign(byte, at: position) }
    }
    return nil
  }

  /// The token that ends at the position, if it is one whose text is no code.
  private var tokenBefore: SourceToken? {
    mutating get {
      while tokenCount > 0, source.tokens[tokenCount - 1].range.lowerBound >= position { tokenCount -= 1 }
      guard tokenCount > 0 else { return nil }
      let token = source.tokens[tokenCount - 1]
      guard token.range.upperBound >= position else { return nil }
      return [.comment, .string, .regex].contains(token.kind) ? token : nil
    }
  }

  private mutating func word() -> Item {
    let end = position
    while position > 0, SwiftHighlighter.isName(source.bytes[position - 1]) { position -= 1 }
    return .word(position..<end)
  }

  private mutating func string(_ range: Range<Int>) -> Item {
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    let closes = source.bytes[first] == UInt8(ascii: ")")
    guard source.bytes[last] == UInt8(ascii: "(") else {
      return closes ? .sign(UInt8(ascii: ")"), at: first) : .literal
    }
    if closes { pending = .sign(UInt8(ascii: ")"), at: first) }
    return .sign(UInt8(ascii: "("), at: last)
  }
}
