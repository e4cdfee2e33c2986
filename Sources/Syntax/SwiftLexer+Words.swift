extension SwiftLexer {
  /// A name: a keyword, a type when it is capitalised, or plain.
  mutating func word() {
    let start = position
    skipName()
    let range = start..<position
    let isMember =
      start > 0 && bytes[start - 1] == UInt8(ascii: ".") && (start < 2 || bytes[start - 2] != UInt8(ascii: "."))
    if let role = keywords.role(of: bytes, range), isKeyword(role, range, isMember: isMember) {
      emit(.keyword, from: start, isOperand: role == .value)
    } else {
      emit(isCapitalised(range) ? .type : .name, from: start, isOperand: true)
    }
  }

  @inline(__always)
  mutating func skipName() {
    while position < bytes.count, bytes[position].isNamePart { position += 1 }
  }

  private func isCapitalised(_ range: Range<Int>) -> Bool {
    let first = bytes[range].first { $0 != UInt8(ascii: "_") } ?? 0
    return first &- UInt8(ascii: "A") < 26
  }

  // MARK: - Whether a word is a keyword where it stands

  private func isKeyword(_ role: SwiftKeywords.Role, _ range: Range<Int>, isMember: Bool) -> Bool {
    // Of the members, only `.self` and `.init` are keywords.
    if isMember { return bytes[range].elementsEqual("self".utf8) || bytes[range].elementsEqual("init".utf8) }
    let next = skipBlanks(from: range.upperBound)
    switch role {
    // Behind a comma in a list of conditions it begins the next one, whose type may be written.
    case .always: return !isInArguments || !isLabel(next)
    // Behind a comma in a list of patterns it is one of them.
    case .value: return innermost != UInt8(ascii: "(") || !isLabel(next)
    case .modifier: return isModifier(range, next: next) && !isLabel(next)
    case .accessor: return isAccessor(range, next: next)
    case .effect: return lastByte == UInt8(ascii: ")") || isWord("let", at: next) || isWord("throws", at: next)
    }
  }

  private var innermost: UInt8? { list.open.last?.byte }

  /// Whether the innermost bracket that is open is one of arguments or of parameters.
  private var isInArguments: Bool {
    innermost == UInt8(ascii: "(") || innermost == UInt8(ascii: "[")
  }

  /// Whether a word in front of `next` is an argument label or the outer name of a parameter.
  private func isLabel(_ next: Int) -> Bool {
    guard lastByte == UInt8(ascii: "(") || lastByte == UInt8(ascii: ","), next < bytes.count else { return false }
    if bytes[next] == UInt8(ascii: ":") { return true }
    guard bytes[next].isNameStart else { return false }
    let colon = skipBlanks(from: nameEnd(from: next))
    return colon < bytes.count && bytes[colon] == UInt8(ascii: ":")
  }

  private func isModifier(_ range: Range<Int>, next: Int) -> Bool {
    guard next < bytes.count else { return false }
    if bytes[next] == UInt8(ascii: "(") {
      return ["set)", "unsafe)", "safe)", "nonsending)", "any)"].contains { holds($0, at: next + 1) }
        || (next > range.upperBound && ["some", "any", "isolated"].contains { holds($0, at: range.lowerBound) })
    }
    guard next > range.upperBound else { return false }
    if bytes[next] == UInt8(ascii: "@") || bytes[next] == UInt8(ascii: "~") { return true }
    if bytes[next] == UInt8(ascii: "&") { return holds("yield", at: range.lowerBound) }
    guard bytes[next].isNameStart || bytes[next] == UInt8(ascii: "`") else { return false }
    return !["in", "is", "as", "else", "where"].contains { isWord($0, at: next) }
  }

  private func isAccessor(_ range: Range<Int>, next: Int) -> Bool {
    guard next < bytes.count, canHeadAccessor || isBehindAttribute else { return false }
    switch bytes[next] {
    case UInt8(ascii: "{"):
      // A closure behind a call names what it is given, at least as $0; a getter is given nothing.
      let first = skipBlanks(from: next + 1)
      return !holds("$", at: first) && !isWord("in", at: skipBlanks(from: nameEnd(from: first)))
    case UInt8(ascii: "("):
      let close = skipBlanks(from: nameEnd(from: skipBlanks(from: next + 1)))
      guard close < bytes.count, bytes[close] == UInt8(ascii: ")") else { return false }
      let brace = skipBlanks(from: close + 1)
      return brace < bytes.count && bytes[brace] == UInt8(ascii: "{")
    case UInt8(ascii: "}"): return holds("get", at: range.lowerBound) || holds("set", at: range.lowerBound)
    default: return ["set", "get", "async", "throws", "mutating", "nonmutating"].contains { isWord($0, at: next) }
    }
  }

  /// An accessor follows a line break, a brace, or one of `get`, `set`, `mutating`, `nonmutating`.
  private var canHeadAccessor: Bool {
    switch lastByte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"), UInt8(ascii: "t"), UInt8(ascii: "g"): true
    default: list.isFirstOnLine
    }
  }

  /// Whether an attribute, such as `@inline(__always)`, came last.
  private var isBehindAttribute: Bool {
    guard let last = list.tokens.last else { return false }
    guard last.kind == .closing, let opening = last.partner, opening > 0 else { return last.kind == .attribute }
    return list.tokens[opening - 1].kind == .attribute
  }

  /// The index of the first byte that is no blank; a line break is none.
  func skipBlanks(from index: Int) -> Int {
    var index = index
    while index < bytes.count, bytes[index].isBlank { index += 1 }
    return index
  }

  private func nameEnd(from index: Int) -> Int {
    var index = index
    while index < bytes.count, bytes[index].isNamePart { index += 1 }
    return index
  }

  private func holds(_ text: StaticString, at index: Int) -> Bool {
    text.withUTF8Buffer { text in
      index + text.count <= bytes.count && text.indices.allSatisfy { bytes[index + $0] == text[$0] }
    }
  }

  func isWord(_ text: StaticString, at index: Int) -> Bool {
    let end = index + text.utf8CodeUnitCount
    return holds(text, at: index) && (end >= bytes.count || !bytes[end].isNamePart)
  }
}
