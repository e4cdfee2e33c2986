extension PartlyRanReason {
  /// What a stretch is that stands where the argument of a call does: its caller makes it only when it needs it.
  static func argument(_ place: DeadPlace) -> PartlyRanReason? {
    let (text, source) = (place.text, place.source)
    if let name = calleeBefore(place) {
      return text.count == 1 ? .defaultArgument(name) : isBalanced(text.dropFirst()) ? .argument(name) : nil
    }
    guard place.after.first.map({ ",)]".utf8.contains($0) }) ?? true, isBalanced(text) else { return nil }
    guard case .sign(let sign, let offset) = source.item(before: place.dead.lowerBound) else { return nil }
    let isLabelled = sign == UInt8(ascii: ":") && isLabel(endingAt: offset, in: source)
    guard "(,[".utf8.contains(sign) || isLabelled else { return nil }
    if isFunction(text) { return .passedFunction }
    guard let call = openCall(before: place.dead.lowerBound, in: source) else { return nil }
    guard let callee = call.callee else { return isLabelled ? .argument(nil) : nil }
    if !call.isMember, ["precondition", "assert"].contains(callee) {
      return isMessage(of: call, in: place) ? .message(callee) : .argument(callee)
    }
    return isName(text) ? .named : .argument(callee)
  }

  /// Whether the argument is what a check of the standard library says before it stops the program.
  private static func isMessage(of call: OpenCall, in place: DeadPlace) -> Bool {
    // An optimised build leaves out the condition, too.
    call.commas == 1 && !call.tries && place.isDead(call.firstArgument) == false
  }

  private struct OpenCall {
    /// Nil for a subscript, and where the text does not show a name.
    var callee: String?
    /// Whether the callee is named as a member of something, other than the standard library.
    var isMember = false
    var firstArgument: Int
    /// How many commas stand between its arguments.
    var commas: Int
    /// Whether an argument may throw.
    var tries: Bool
  }

  /// The call or subscript whose bracket is open at an offset.
  private static func openCall(before end: Int, in source: HighlightedSource) -> OpenCall? {
    var text = BackwardText(source, before: end)
    var (depth, commas, tries) = (0, 0, false)
    for _ in 0..<longestWalk {
      switch text.next() {
      case .word(let range): if source.bytes[range].elementsEqual("try".utf8) { tries = true }
      case .sign(let sign, let offset):
        switch sign {
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
        case UInt8(ascii: "("), UInt8(ascii: "["):
          depth -= 1
          if depth < 0 { return call(openedAt: offset, commas: commas, tries: tries, in: source) }
        case UInt8(ascii: "{"):
          depth -= 1
          if depth < 0 { return nil }
        case UInt8(ascii: ","): if depth == 0 { commas += 1 }
        case UInt8(ascii: ";"): if depth == 0 { return nil }
        default: break
        }
      case .literal, .lineBreak: break
      case nil: return nil
      }
    }
    return nil
  }

  private static func call(openedAt bracket: Int, commas: Int, tries: Bool, in source: HighlightedSource) -> OpenCall? {
    guard !source.hasBlank(before: bracket) else { return nil }
    var call = OpenCall(firstArgument: source.codeStart(from: bracket + 1), commas: commas, tries: tries)
    // An interpolation.
    if bracket > 0, "\\#".utf8.contains(source.bytes[bracket - 1]) { return call }
    var text = BackwardText(source, before: bracket)
    switch text.next() {
    case .word(let range):
      if keywords.contains(where: { source.bytes[range].elementsEqual($0.utf8) }) { return nil }
      guard source.bytes[bracket] == UInt8(ascii: "(") else { return call }
      call.callee = String(decoding: source.bytes[range], as: UTF8.self)
      guard case .sign(UInt8(ascii: "."), let dot) = text.next(), dot == range.lowerBound - 1 else { return call }
      guard case .word(let owner) = text.nextOnAnyLine(), source.bytes[owner].elementsEqual("Swift".utf8) else {
        call.isMember = true
        return call
      }
      return call
    case .sign(let sign, _): return ")]?!>".utf8.contains(sign) ? call : nil
    case .literal, .lineBreak, nil: return nil
    }
  }

  /// Words before a parenthesis that is not a call's.
  private static let keywords = [
    "if", "guard", "while", "for", "in", "is", "as", "let", "var", "try", "await", "return", "case", "switch", "where",
    "throw", "else",
  ]

  /// The function whose parenthesis begins the stretch, as what is left out of a call does.
  private static func calleeBefore(_ place: DeadPlace) -> String? {
    guard place.text.first == UInt8(ascii: "("), place.isAttached,
      case .word(let range) = place.source.item(before: place.dead.lowerBound),
      !keywords.contains(where: { place.source.bytes[range].elementsEqual($0.utf8) })
    else { return nil }
    return String(decoding: place.source.bytes[range], as: UTF8.self)
  }

  /// Whether a colon ends the label of an argument, which may be a closure behind another one; a conditional expression
  /// has a question mark before its words.
  static func isLabel(endingAt colon: Int, in source: HighlightedSource) -> Bool {
    var text = BackwardText(source, before: colon)
    guard case .word(let label) = text.next(), label.upperBound == colon,
      case .sign(let sign, _) = text.nextOnAnyLine()
    else { return false }
    let isDefault = source.bytes[label].elementsEqual("default".utf8)
    return "(,[".utf8.contains(sign) || (sign == UInt8(ascii: "}") && !isDefault)
  }

  /// Whether a text can only be a function: an operator, a key path, or a name with labels.
  private static func isFunction(_ text: ArraySlice<UInt8>) -> Bool {
    if text.first == UInt8(ascii: "\\") || text.allSatisfy({ "=!<>~+-*/%&|^?.".utf8.contains($0) }) { return true }
    guard let open = text.firstIndex(of: UInt8(ascii: "(")), text.last == UInt8(ascii: ")") else { return false }
    let labels = text[(open + 1)...].dropLast().filter { !SwiftHighlighter.isBlank($0) }
    return isName(text[..<open]) && labels.last == UInt8(ascii: ":")
      && labels.allSatisfy { SwiftHighlighter.isName($0) || $0 == UInt8(ascii: ":") }
  }

  /// Whether a text is the name of something, or of a member of it.
  static func isName(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, first == UInt8(ascii: ".") || SwiftHighlighter.isNameStart(first) else {
      return false
    }
    guard !["true", "false", "nil"].contains(where: { text.elementsEqual($0.utf8) }) else { return false }
    return text.allSatisfy { SwiftHighlighter.isName($0) || $0 == UInt8(ascii: ".") }
  }

  /// Whether every bracket that a text opens is closed in it, and the other way round.
  private static func isBalanced(_ text: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var isQuoted = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case _ where isQuoted: break
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      if depth < 0 { return false }
    }
    return depth == 0
  }
}
