extension PartlyRanReason {
  /// What a stretch of C and its relatives is; their comments are no tokens, so that less is certain than in Swift.
  static func plainReason(_ place: DeadPlace) -> PartlyRanReason? {
    let source = place.source
    if place.isContinued || isBehindComment(place) { return nil }
    let side = rightSide(before: place.dead.lowerBound, in: source)
    if side == .rightSide("&&") || side == .rightSide("||") { return side }
    let item = source.item(before: place.dead.lowerBound)
    if case .sign(UInt8(ascii: "("), let open) = item, beginsCondition(open, in: source) { return .unreachedCondition }
    // Of a condition that was not reached, nothing is known.
    if case .sign(UInt8(ascii: ")"), let end) = item, place.isDead(end - 1) != false { return nil }
    if place.text.first == UInt8(ascii: "{") { return block(at: place.dead.lowerBound, in: source) }
    if begins(place.text, word: "case") || begins(place.text, word: "default") { return .caseBody }
    let before = trimmed(source.bytes[place.line.lowerBound..<place.dead.lowerBound])
    if before.last == UInt8(ascii: "?") { return .choice }
    if before.last == UInt8(ascii: ")") { return statement(behind: place) }
    guard before.last == UInt8(ascii: ":") else { return nil }
    if begins(before, word: "case") || begins(before, word: "default") { return .caseBody }
    return before.count == 1 || before.contains(UInt8(ascii: "?")) ? .choice : nil
  }

  /// Whether a parenthesis opens the condition of an `if`.
  private static func beginsCondition(_ open: Int, in source: HighlightedSource) -> Bool {
    guard case .word(let range) = source.item(before: open) else { return false }
    return source.bytes[range].elementsEqual("if".utf8)
  }

  /// What a stretch behind a parenthesis is, by the word before that: a statement without braces.
  private static func statement(behind place: DeadPlace) -> PartlyRanReason? {
    var text = BackwardText(place.source, before: place.dead.lowerBound)
    var depth = 0
    for _ in 0..<longestWalk {
      guard case .sign(let sign, let offset) = text.next() else { continue }
      if sign == UInt8(ascii: ")") { depth += 1 }
      if sign == UInt8(ascii: "(") { depth -= 1 }
      guard depth == 0 else { continue }
      guard case .word(let range) = place.source.item(before: offset) else { return nil }
      switch String(decoding: place.source.bytes[range], as: UTF8.self) {
      case "if": return .statement
      case "for", "while": return .loopBody
      default: return nil
      }
    }
    return nil
  }

  /// Whether what stands before a stretch may be the text of a comment.
  private static func isBehindComment(_ place: DeadPlace) -> Bool {
    let above = place.source.firstByte(ofLineAbove: place.line.lowerBound)
    let text = place.source.bytes[above..<place.dead.lowerBound]
    return zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: "/") && "/*".utf8.contains($1) }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: SwiftHighlighter.isBlank)
    while let last = text.last, SwiftHighlighter.isBlank(last) { text.removeLast() }
    return text
  }
}

extension HighlightedSource {
  /// Where the line begins that stands above the one that begins at an offset; a very long one is cut.
  fileprivate func firstByte(ofLineAbove offset: Int) -> Int {
    var start = max(offset - 1, 0)
    while start > 0, offset - start < 1000, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return start
  }
}
