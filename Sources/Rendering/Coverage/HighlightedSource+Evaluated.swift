import Model

extension HighlightedSource {
  /// The first byte in a part of a line that belongs to something which is evaluated where it stands.
  ///
  /// Blanks, comments, closing punctuation, labels and the signs between two operands say nothing of themselves, and what
  /// stands between a block and the next one of its statement (`else`, `catch` with its pattern) is not what the compiler
  /// counts there.
  /// - Parameters:
  ///   - part: within the line.
  ///   - line: the bytes of the whole line.
  /// - Returns: nil where nothing of the kind is in the part.
  func evaluatedStart(in part: Range<Int>, ofLine line: Range<Int>) -> Int? {
    var index = part.lowerBound
    var token = firstToken(endingAfter: index)
    while index < part.upperBound {
      while token < tokens.count, tokens[token].range.upperBound <= index { token += 1 }
      let current = token < tokens.count && tokens[token].range.lowerBound <= index ? tokens[token] : nil
      if let current, current.kind == .comment || continues(current, at: index) {
        index = current.range.upperBound
      } else if let end = current == nil ? signEnd(at: index) ?? labelEnd(in: index..<part.upperBound) : nil {
        index = end
      } else {
        return isSilent(index..<part.upperBound, first: current, ofLine: line) ? nil : index
      }
    }
    return nil
  }

  /// Whether a token is the rest of a string behind what is interpolated, or its text is cut at an offset.
  private func continues(_ token: SourceToken, at offset: Int) -> Bool {
    guard token.kind == .string else { return false }
    return offset > token.range.lowerBound || bytes[offset] == UInt8(ascii: ")")
  }

  // MARK: - What is passed over

  /// Where a sign ends that closes something or stands between two operands; nil at everything else.
  private func signEnd(at offset: Int) -> Int? {
    let byte = bytes[offset]
    if SwiftHighlighter.isBlank(byte) || ")]},;:".utf8.contains(byte) { return offset + 1 }
    let signs = "=!<>~+-*/%&|^?".utf8
    var end = offset
    while end < bytes.count, signs.contains(bytes[end]) || bytes[end] == UInt8(ascii: ".") { end += 1 }
    guard bytes[offset..<end].contains(where: signs.contains) else { return nil }
    let isBinary = end == bytes.count || SwiftHighlighter.isBlank(bytes[end]) || SwiftHighlighter.isNewline(bytes[end])
    if isBinary { return end }
    // That of an optional, which is what ends in front of it.
    let isPostfix = "!?".utf8.contains(byte) && offset > 0 && ")]}".utf8.contains(bytes[offset - 1])
    return isPostfix ? offset + 1 : nil
  }

  /// Where the label of an argument or of a statement ends that a part begins with, its colon included.
  private func labelEnd(in part: Range<Int>) -> Int? {
    guard SwiftHighlighter.isNameStart(bytes[part.lowerBound]),
      let end = bytes[part].firstIndex(where: { !SwiftHighlighter.isName($0) })
    else { return nil }
    return bytes[end] == UInt8(ascii: ":") ? end + 1 : nil
  }

  // MARK: - Heads of statements

  /// Whether a part begins with what ends the statement before it.
  func beginsStatement(in part: Range<Int>) -> Bool {
    let first = bytes[part].first { !SwiftHighlighter.isBlank($0) }
    return first == UInt8(ascii: ";") || first == UInt8(ascii: "}")
  }

  /// Whether a word is in a part behind which conditions or patterns stand that are evaluated more or less often than
  /// what is around the statement.
  func holdsHead(in part: Range<Int>) -> Bool {
    tokens[firstToken(endingAfter: part.lowerBound)...].prefix { $0.range.lowerBound < part.upperBound }
      .contains { token in
        token.kind == .keyword && ["while", "else", "catch"].contains { holds($0, in: token.range) }
      }
  }

  // MARK: - What says nothing

  private static let betweenBlocks = ["else", "catch", "while", "do", "repeat", "defer"]
  private static let declaring = [
    "func", "subscript", "init", "deinit", "struct", "class", "enum", "actor", "protocol", "extension", "typealias",
  ]

  /// - Parameters:
  ///   - first: the token that the part begins with.
  private func isSilent(_ part: Range<Int>, first: SourceToken?, ofLine line: Range<Int>) -> Bool {
    if bytes[part.lowerBound] == UInt8(ascii: "{") { return part.upperBound == line.upperBound && opensOnly(part) }
    if let first, first.kind == .keyword {
      if Self.betweenBlocks.contains(where: { holds($0, in: first.range) }) { return true }
      // A variable without a value is only declared.
      if holds("let", in: first.range) || holds("var", in: first.range) {
        return !bytes[part].contains(UInt8(ascii: "="))
      }
    }
    return tokens[firstToken(endingAfter: part.lowerBound)...].prefix { $0.range.lowerBound < part.upperBound }
      .contains { token in
        token.kind == .keyword && !isMember(token) && Self.declaring.contains { holds($0, in: token.range) }
      }
  }

  /// Whether nothing but a comment or the head of a closure follows a brace: the lines below tell the count.
  private func opensOnly(_ part: Range<Int>) -> Bool {
    var end = part.upperBound
    let inner = tokens[firstToken(endingAfter: part.lowerBound)...].prefix { $0.range.lowerBound < part.upperBound }
    if let last = inner.last, last.kind == .comment { end = last.range.lowerBound }
    while end > part.lowerBound + 1, SwiftHighlighter.isBlank(bytes[end - 1]) { end -= 1 }
    let isHead = inner.last { $0.kind == .keyword }.map { $0.range.upperBound == end && holds("in", in: $0.range) }
    return end == part.lowerBound + 1 || isHead ?? false
  }

  private func isMember(_ token: SourceToken) -> Bool {
    token.range.lowerBound > 0 && bytes[token.range.lowerBound - 1] == UInt8(ascii: ".")
  }

  private func holds(_ word: String, in range: Range<Int>) -> Bool { bytes[range].elementsEqual(word.utf8) }
}
