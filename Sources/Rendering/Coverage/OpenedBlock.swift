/// What a brace opens, by the statement that it stands in: read backwards from the brace, over lines if need be.
///
/// The keyword that is nearest to the brace says what the block is, unless a parenthesis is open in between. Where the
/// statement has no such keyword, the block is a trailing closure.
struct OpenedBlock {
  /// No statement is followed further than that many words and signs.
  static let longest = 2000

  private let source: HighlightedSource
  private var text: BackwardText
  /// The item that was read last, which follows in the text; nil as long as that is the brace.
  private var following: BackwardText.Item?
  private var depth = 0
  private var isElse = false
  private var assigns = false
  private var declares = false
  /// How many colons outside of all brackets have no question mark yet, if one of them stands right before the brace.
  private var colons = 0
  private var isPattern = false
  /// Whether the block is that of an `else if` whose condition the compiler counts no runs of.
  private(set) var mayBeUnreached = false

  init(at brace: Int, in source: HighlightedSource) {
    self.source = source
    text = BackwardText(source, before: brace)
  }

  /// Nil where the text does not say it plainly.
  mutating func reason() -> PartlyRanReason? {
    for _ in 0..<Self.longest {
      guard let item = text.next() else { return end }
      switch item {
      case .lineBreak:
        if depth == 0, !Self.goesOn(from: text, to: following, in: source) { return end }
        continue
      case .word(let range):
        if depth == 0, let reason = keyword(range) { return reason }
      case .literal: break
      case .sign(let sign, let offset):
        if let reason = bracket(sign) { return reason }
        if depth == 0, let reason = self.sign(sign, at: offset) { return reason }
      }
      following = item
    }
    return isElse ? .otherwise : nil
  }

  /// What it is when the statement begins here.
  private var end: PartlyRanReason? {
    if isElse { return .otherwise }
    guard following != nil, source.isSwift, !(declares && !assigns) else { return .block }
    return .closure
  }

  /// The reason when a bracket is open around the brace.
  private mutating func bracket(_ sign: UInt8) -> PartlyRanReason? {
    switch sign {
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
    case UInt8(ascii: "("), UInt8(ascii: "["):
      depth -= 1
      if depth < 0 { return source.isSwift ? .closure : .block }
    case UInt8(ascii: "{"):
      depth -= 1
      if depth < 0 { return end }
    default: break
    }
    return nil
  }

  private mutating func sign(_ sign: UInt8, at offset: Int) -> PartlyRanReason? {
    switch sign {
    case UInt8(ascii: ";"): return end
    case UInt8(ascii: ","):
      // The colon was that of a key in a dictionary.
      if colons > 0 { return .closure }
      isPattern = true
    case UInt8(ascii: "="): if PartlyRanReason.isAssignment(offset, in: source) { assigns = true }
    case UInt8(ascii: ":"):
      let mayChoose = source.isSwift && (following == nil || colons > 0)
      if mayChoose, !PartlyRanReason.isLabel(endingAt: offset, in: source) { colons += 1 }
    case UInt8(ascii: "?")
    where source.hasBlank(before: offset) && !source.bytes[(offset + 1)...].starts(with: "?".utf8):
      if following == nil || colons == 1 { return .choice }
      if colons > 0 { colons -= 1 }
    default: break
    }
    return nil
  }

  /// What the word says that the block is; nil when that is not known yet.
  private mutating func keyword(_ range: Range<Int>) -> PartlyRanReason? {
    // The label of an argument.
    if case .sign(UInt8(ascii: ":"), _) = following { return nil }
    if ["available", "unavailable"].contains(source.word(range)) { isPattern = true }
    // A member, a directive, or an escaped name.
    if range.lowerBound > 0, ".#@`$".utf8.contains(source.bytes[range.lowerBound - 1]) { return nil }
    let isNext = following == nil
    switch source.word(range) {
    case "else":
      guard isNext else { return .block }
      isElse = true
    case "guard": return isElse ? .guardFailed : source.isSwift ? .closure : .block
    case "if":
      if case .word(let range) = source.item(before: range.lowerBound), source.word(range) == "else" {
        mayBeUnreached = isPattern
      }
      return isElse ? .otherwise : .condition
    case _ where isElse: return nil
    case "for": return .loopBody
    case "while": return endsRepeat ? .closure : .loopBody
    case "catch": return .caught
    case "repeat" where isNext: return .loopBody
    case "defer" where isNext: return .deferred
    case "do" where isNext, "get" where isNext, "set" where isNext, "willSet" where isNext, "didSet" where isNext,
      "_read" where isNext, "_modify" where isNext, "switch":
      return .block
    case "func", "init", "deinit", "subscript": return .function
    case _ where isAccessor(range): return .block
    case "class", "struct", "enum", "extension", "actor", "protocol": return .block
    case "let", "var": (declares, isPattern) = (true, true)
    case "case", "default", "return", "throw":
      // The declaration was part of a pattern.
      (declares, isPattern) = (false, true)
    default: break
    }
    return nil
  }

  /// Whether a word heads an accessor, such as `set(new)` or `get throws`, as which it is coloured.
  private func isAccessor(_ range: Range<Int>) -> Bool {
    let token = source.firstToken(endingAfter: range.lowerBound)
    return token < source.tokens.count && source.tokens[token].kind == .keyword
      && source.tokens[token].range == range && Self.accessors.contains(source.word(range))
  }

  private static let accessors: Set = [
    "get", "set", "willSet", "didSet", "_read", "_modify", "borrow", "mutate", "unsafeAddress",
  ]

  // MARK: - Lines

  private static let wordsThatFollow: Set = ["else", "where", "throws", "rethrows", "async", "in", "is", "as"]
  private static let wordsThatLead: Set = [
    "if", "guard", "while", "for", "where", "in", "is", "as", "try", "await", "return", "catch", "switch", "case",
    "let",
    "var", "func",
  ]

  /// Whether a statement goes on across a line break.
  ///
  /// - Parameters:
  ///   - text: what is above the break.
  ///   - following: what is first below it; nil for a brace.
  static func goesOn(from text: BackwardText, to following: BackwardText.Item?, in source: HighlightedSource) -> Bool {
    switch following {
    // A brace on a line of its own belongs to what stands above it.
    case nil: return true
    case .sign(let sign, _): if ".?:&|=+*/<>,".utf8.contains(sign) { return true }
    case .word(let range): if wordsThatFollow.contains(source.word(range)) { return true }
    case .literal, .lineBreak: break
    }
    var text = text
    switch text.nextOnAnyLine() {
    case .sign(UInt8(ascii: "?"), let offset):
      return source.hasBlank(before: offset) || source.bytes[offset - 1] == UInt8(ascii: "?")
    case .sign(UInt8(ascii: ">"), let offset): return offset > 0 && source.bytes[offset - 1] == UInt8(ascii: "-")
    case .sign(let sign, _): return ",=([{&|+-*/<.".utf8.contains(sign)
    case .word(let range): return wordsThatLead.contains(source.word(range))
    case .literal, .lineBreak, nil: return false
    }
  }

  // MARK: - Repeat

  /// Whether the word that was read last is the `while` behind the block of a `repeat`.
  private var endsRepeat: Bool {
    var text = text
    guard source.isSwift, case .sign(UInt8(ascii: "}"), let brace) = text.nextOnAnyLine(),
      let opening = PartlyRanReason.opening(of: brace, in: source)
    else { return false }
    return Self.isRepeat(opening, in: source)
  }

  /// Whether a brace opens the block of a `repeat`.
  static func isRepeat(_ brace: Int, in source: HighlightedSource) -> Bool {
    guard case .word(let range) = source.item(before: brace) else { return false }
    return source.bytes[range].elementsEqual("repeat".utf8)
  }
}

extension HighlightedSource {
  fileprivate func word(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
