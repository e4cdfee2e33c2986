extension PartlyRanReason {
  /// What a stretch behind an equals sign is.
  static func value(_ place: DeadPlace) -> PartlyRanReason? {
    let source = place.source
    guard case .sign(UInt8(ascii: "="), let offset) = source.item(before: place.dead.lowerBound),
      isAssignment(offset, in: source)
    else { return nil }
    if isName(place.text) { return .named }
    var text = BackwardText(source, before: offset)
    var following: BackwardText.Item?
    var depth = 0
    for _ in 0..<longestWalk {
      guard let item = text.next() else { return nil }
      switch item {
      case .lineBreak:
        if depth == 0, following != nil, !OpenedBlock.goesOn(from: text, to: following, in: source) { return nil }
        continue
      case .sign(let sign, _):
        switch sign {
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
        case UInt8(ascii: "("):
          depth -= 1
          if depth < 0 { return isWildcard(before: offset, in: source) ? nil : .defaultValue }
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth -= 1
          if depth < 0 { return nil }
        case UInt8(ascii: ";"), UInt8(ascii: ","): if depth == 0, sign == UInt8(ascii: ";") { return nil }
        default: break
        }
      case .word(let range):
        guard depth == 0 else { break }
        if ["let", "var"].contains(where: { source.bytes[range].elementsEqual($0.utf8) }) { return .initialValue }
      case .literal: break
      }
      following = item
    }
    return nil
  }

  /// Whether what is assigned to is `_`, as in an argument that is a statement.
  private static func isWildcard(before offset: Int, in source: HighlightedSource) -> Bool {
    guard case .word(let range) = source.item(before: offset) else { return false }
    return source.bytes[range].elementsEqual("_".utf8)
  }
}
