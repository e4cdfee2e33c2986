extension PartlyRanReason {
  /// The end of a block is looked for in so many bytes.
  private static let longestBlock = 2000

  /// What the block that begins at an offset is.
  static func block(at brace: Int, in source: HighlightedSource) -> PartlyRanReason? {
    var block = OpenedBlock(at: brace, in: source)
    let reason = block.reason()
    guard source.isSwift, reason == .condition || reason == .loopBody || reason == .caught else { return reason }
    // A closure in the condition is named after the same keyword: only what follows its end tells it from the body.
    if !isLastOfLine(brace, in: source) {
      guard let end = closing(of: brace, in: source) else { return .block }
      guard isBody(endingAt: end, in: source) else { return .closure }
    }
    return block.mayBeUnreached ? .elseCondition : reason
  }

  /// Whether nothing but a comment follows a brace on its line, as is never so of a closure in a condition.
  private static func isLastOfLine(_ brace: Int, in source: HighlightedSource) -> Bool {
    guard let next = source.bytes[(brace + 1)...].firstIndex(where: { !SwiftHighlighter.isBlank($0) }) else {
      return true
    }
    return SwiftHighlighter.isNewline(source.bytes[next]) || source.bytes[next...].starts(with: "//".utf8)
  }

  /// The brace that closes a block; nil where it stands too far below.
  private static func closing(of brace: Int, in source: HighlightedSource) -> Int? {
    var depth = 0
    var index = brace
    let end = min(source.bytes.count, brace + longestBlock)
    var token = source.firstToken(endingAfter: brace)
    while index < end {
      while token < source.tokens.count, source.tokens[token].range.upperBound <= index { token += 1 }
      if token < source.tokens.count, source.tokens[token].range.lowerBound <= index,
        [.comment, .string, .regex].contains(source.tokens[token].kind)
      {
        index = source.tokens[token].range.upperBound
        continue
      }
      if source.bytes[index] == UInt8(ascii: "{") { depth += 1 }
      if source.bytes[index] == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return index }
      }
      index += 1
    }
    return nil
  }

  /// Whether a statement, or the part of it that the block is, ends with the block.
  private static func isBody(endingAt brace: Int, in source: HighlightedSource) -> Bool {
    let index = source.codeStart(from: brace + 1)
    let isNextLine = source.bytes[brace..<index].contains(where: SwiftHighlighter.isNewline)
    let rest = source.bytes[index...]
    guard let next = rest.first else { return true }
    if "{,".utf8.contains(next) || begins(rest, word: "where") { return false }
    return isNextLine || "};".utf8.contains(next)
      || ["else", "catch", "case", "default", "while"].contains { begins(rest, word: $0) }
  }

  /// Where the block begins that a brace closes; nil where that is too far above.
  static func opening(of brace: Int, in source: HighlightedSource) -> Int? {
    var text = BackwardText(source, before: brace)
    var depth = 1
    for _ in 0..<OpenedBlock.longest {
      guard let item = text.next() else { return nil }
      guard case .sign(let sign, let offset) = item else { continue }
      if sign == UInt8(ascii: "}") { depth += 1 }
      if sign == UInt8(ascii: "{") { depth -= 1 }
      if depth == 0 { return offset }
    }
    return nil
  }
}

extension HighlightedSource {
  /// The offset of the first byte that is neither blank nor part of a comment, from an offset on.
  func codeStart(from offset: Int) -> Int {
    var index = offset
    var token = firstToken(endingAfter: offset)
    while index < bytes.count {
      while token < tokens.count, tokens[token].range.upperBound <= index { token += 1 }
      if token < tokens.count, tokens[token].kind == .comment, tokens[token].range.lowerBound <= index {
        index = tokens[token].range.upperBound
      } else if SwiftHighlighter.isBlank(bytes[index]) || SwiftHighlighter.isNewline(bytes[index]) {
        index += 1
      } else {
        break
      }
    }
    return index
  }
}
