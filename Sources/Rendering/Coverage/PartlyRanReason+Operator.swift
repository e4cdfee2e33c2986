extension PartlyRanReason {
  /// No statement is followed further than that many words and signs.
  static let longestWalk = 500

  private static let operatorSigns = Set("=!<>~+-*/%&|^?.".utf8)

  /// The operator that stands before an offset, if it seems to evaluate its right side only at need.
  static func rightSide(before offset: Int, in source: HighlightedSource) -> PartlyRanReason? {
    guard case .sign(let sign, let end) = source.item(before: offset) else { return nil }
    if "?&|".utf8.contains(sign), isDoubled(sign, at: end, in: source) {
      return .rightSide(String(decoding: [sign, sign], as: UTF8.self))
    }
    return ownOperator(endingAt: end, in: source).map { .rightSide($0) }
  }

  /// An operator with blanks around it that is none of the language or of the standard library's plain ones.
  private static func ownOperator(endingAt end: Int, in source: HighlightedSource) -> String? {
    var start = end + 1
    while start > 0, end - start < 10, operatorSigns.contains(source.bytes[start - 1]) { start -= 1 }
    let signs = source.bytes[start..<max(start, end + 1)]
    let next = source.bytes[(end + 1)...].first
    let isApart = next.map { SwiftHighlighter.isBlank($0) || SwiftHighlighter.isNewline($0) } ?? false
    guard signs.count > 1, isApart, source.hasBlank(before: start), signs.last != UInt8(ascii: "="),
      !signs.elementsEqual("->".utf8), !signs.starts(with: "//".utf8)
    else { return nil }
    return String(decoding: signs, as: UTF8.self)
  }

  /// Whether a sign and the one before it are an operator, and not part of a longer one.
  private static func isDoubled(_ sign: UInt8, at end: Int, in source: HighlightedSource) -> Bool {
    func isOperator(_ index: Int) -> Bool {
      source.bytes.indices.contains(index)
        && (operatorSigns.contains(source.bytes[index]) || source.bytes[index] >= 0x80)
    }
    // What follows an operator without a blank may begin with a dot, as in `a ??.b`.
    let follows = isOperator(end + 1) && source.bytes[end + 1] != UInt8(ascii: ".")
    return end > 0 && source.bytes[end - 1] == sign && !isOperator(end - 2) && !follows
  }

  /// The operator in a stretch that has begun above its line, if that is all that can begin on the line.
  ///
  /// Where result builders are used, what is before a loop is dead in the loop's head, too.
  static func hiddenRightSide(_ place: DeadPlace) -> PartlyRanReason? {
    let range = place.dead
    guard !place.text.contains(where: { "{}:\"".utf8.contains($0) }), place.after.first == UInt8(ascii: "{") else {
      return nil
    }
    var found: PartlyRanReason?
    for index in range where "?&|".utf8.contains(place.source.bytes[index]) {
      guard isDoubled(place.source.bytes[index], at: index, in: place.source) else { continue }
      if found != nil { return nil }
      found = rightSide(before: index + 1, in: place.source)
    }
    return found
  }

  /// What follows the sign of a conditional expression or a case.
  static func afterMark(_ place: DeadPlace) -> PartlyRanReason? {
    let source = place.source
    guard case .sign(let sign, let offset) = source.item(before: place.dead.lowerBound) else { return nil }
    if sign == UInt8(ascii: "?") { return source.hasBlank(before: offset) ? .choice : nil }
    return sign == UInt8(ascii: ":") && !isLabel(endingAt: offset, in: source) ? afterColon(offset, in: source) : nil
  }

  /// Whether a colon belongs to a conditional expression or to a case; nil where it ends a label or begins a type.
  private static func afterColon(_ colon: Int, in source: HighlightedSource) -> PartlyRanReason? {
    var text = BackwardText(source, before: colon)
    var (depth, colons) = (0, 1)
    for _ in 0..<longestWalk {
      switch text.next() {
      case .word(let range):
        guard depth == 0, range.lowerBound == 0 || source.bytes[range.lowerBound - 1] != UInt8(ascii: ".") else {
          continue
        }
        if ["case", "default"].contains(where: { source.bytes[range].elementsEqual($0.utf8) }) { return .caseBody }
      case .sign(let sign, let offset):
        switch sign {
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
          depth -= 1
          if depth < 0 { return nil }
        case UInt8(ascii: ";"), UInt8(ascii: "="):
          if depth == 0, sign != UInt8(ascii: "=") || isAssignment(offset, in: source) { return nil }
        case UInt8(ascii: ":"): if depth == 0 { colons += 1 }
        case UInt8(ascii: "?") where depth == 0 && source.hasBlank(before: offset) && !isCoalescing(offset, in: source):
          colons -= 1
          if colons == 0 { return .choice }
        default: break
        }
      case .literal, .lineBreak: break
      case nil: return nil
      }
    }
    return nil
  }

  private static func isCoalescing(_ offset: Int, in source: HighlightedSource) -> Bool {
    source.bytes[(offset + 1)...].first == UInt8(ascii: "?")
  }

  /// Whether an equals sign is not part of a longer operator.
  static func isAssignment(_ offset: Int, in source: HighlightedSource) -> Bool {
    let isAfter = offset > 0 && operatorSigns.contains(source.bytes[offset - 1])
    let isBefore = offset + 1 < source.bytes.count && operatorSigns.contains(source.bytes[offset + 1])
    // `= .a` is an assignment all the same.
    return !isAfter && (!isBefore || source.bytes[offset + 1] == UInt8(ascii: "."))
  }
}

extension HighlightedSource {
  /// Whether a blank, a line break or nothing stands before an offset.
  func hasBlank(before offset: Int) -> Bool {
    offset == 0 || SwiftHighlighter.isBlank(bytes[offset - 1]) || SwiftHighlighter.isNewline(bytes[offset - 1])
  }
}
