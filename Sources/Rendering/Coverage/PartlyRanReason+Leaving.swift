extension PartlyRanReason {
  /// What kept a line's end from being reached; nil where the text does not say it.
  ///
  /// - Parameter line: from 1.
  static func atEnd(ofLine line: Int, in source: HighlightedSource) -> PartlyRanReason? {
    let range = source.range(ofLine: line)
    guard source.isSwift, range.count <= HighlightedSource.longestLine else { return nil }
    let reason = after(range.upperBound, in: source)
    // Of several conditions, it would not be clear which one is meant.
    let isPlain = source.bytes[range].split { !SwiftHighlighter.isName($0) }.count { $0.elementsEqual("if".utf8) } < 2
    return reason == .afterCondition && !isPlain ? .afterStatement : reason
  }

  /// What kept a stretch from being reached that begins where something else ends.
  static func afterEnd(_ place: DeadPlace) -> PartlyRanReason? {
    let end = place.dead.lowerBound
    if begins(place.text, word: "while"), case .sign(UInt8(ascii: "}"), let brace) = place.source.item(before: end),
      let opening = opening(of: brace, in: place.source), OpenedBlock.isRepeat(opening, in: place.source)
    {
      return .afterRepeat
    }
    return place.isAttached ? after(end, in: place.source) : nil
  }

  private static func after(_ end: Int, in source: HighlightedSource) -> PartlyRanReason? {
    switch source.item(before: end) {
    case .sign(UInt8(ascii: "}"), let brace):
      guard let opening = opening(of: brace, in: source) else { return nil }
      switch block(at: opening, in: source) {
      case .condition, .elseCondition: return leaves(opening..<brace, in: source) ? .afterCondition : nil
      case .guardFailed: return .afterGuard
      case .closure, .choice, .rightSide: return tries(before: end, in: source) ? .thrown : nil
      case .loopBody, .otherwise, .caught: return leaves(opening..<brace, in: source) ? .afterStatement : nil
      default: return nil
      }
    case .word, .literal, .sign(UInt8(ascii: ")"), _), .sign(UInt8(ascii: "]"), _), .sign(UInt8(ascii: "!"), _),
      .sign(UInt8(ascii: "?"), _):
      return tries(before: end, in: source) ? .thrown : nil
    default: return nil
    }
  }

  /// Whether a word in a block may be what leaves it.
  ///
  /// Behind a block that cannot be left, a zero means nothing: result builders never count what is there.
  private static func leaves(_ block: Range<Int>, in source: HighlightedSource) -> Bool {
    guard block.count <= HighlightedSource.longestLine else { return false }
    return source.bytes[block].split { !SwiftHighlighter.isName($0) }.contains { word in
      wordsThatLeave.contains { word.elementsEqual($0.utf8) }
    }
  }

  private static let wordsThatLeave = [
    "return", "throw", "try", "break", "continue", "fallthrough", "fatalError", "preconditionFailure", "exit", "abort",
  ]

  /// Whether a `try` that hands its error on stands in the statement that ends at an offset, before that end.
  private static func tries(before end: Int, in source: HighlightedSource) -> Bool {
    var text = BackwardText(source, before: end)
    var following: BackwardText.Item?
    var (braces, brackets) = (0, 0)
    for _ in 0..<longestWalk {
      guard let item = text.next() else { return false }
      switch item {
      case .lineBreak:
        // The end may stand on a later line than its statement.
        let isInside = braces > 0 || brackets > 0 || following == nil
        if !isInside, !OpenedBlock.goesOn(from: text, to: following, in: source) { return false }
        continue
      case .sign(UInt8(ascii: "}"), _): braces += 1
      case .sign(UInt8(ascii: "{"), _):
        braces -= 1
        if braces < 0 { return false }
      case .sign(UInt8(ascii: ";"), _): if braces == 0 { return false }
      case .sign(UInt8(ascii: ")"), _), .sign(UInt8(ascii: "]"), _): brackets += braces == 0 ? 1 : 0
      case .sign(UInt8(ascii: "("), _), .sign(UInt8(ascii: "["), _): brackets -= braces == 0 ? 1 : 0
      case .word(let range):
        guard braces == 0, brackets <= 0, source.bytes[range].elementsEqual("try".utf8) else { break }
        // `try?` and `try!` hand nothing on.
        let next = source.bytes[range.upperBound...].first
        if next.map({ !"?!".utf8.contains($0) }) ?? false { return true }
      case .literal, .sign: break
      }
      following = item
    }
    return false
  }
}
