import Model
import Syntax

extension SourceCode {
  /// Returns the first byte in a part of a line that belongs to code evaluated in place.
  ///
  /// Blanks, comments, closing punctuation, labels and signs between operands are not evaluated themselves, and the
  /// text between a block and the next one of its statement (`else`, or `catch` with its pattern) is not what the
  /// compiler counts there.
  /// - Parameters:
  ///   - part: a byte range within the line.
  ///   - line: the byte range of the whole line.
  /// - Returns: nil if nothing in the part is evaluated.
  func evaluatedStart(in part: Range<Int>, ofLine line: Range<Int>) -> Int? {
    var index = firstToken(endingAfter: part.lowerBound)
    while index < tokens.count, tokens[index].start < part.upperBound {
      if let next = indexBehindSilent(index, in: part) {
        index = next
      } else {
        let start = max(tokens[index].start, part.lowerBound)
        return isSilent(start..<part.upperBound, first: index, ofLine: line) ? nil : start
      }
    }
    return nil
  }

  /// Returns the index after a token that closes something, is between two operands or is a label; nil for all others.
  private func indexBehindSilent(_ index: Int, in part: Range<Int>) -> Int? {
    let token = tokens[index]
    let isCut = token.start < part.lowerBound
    switch token.kind {
    case .comment, .closing, .interpolation, .interpolationEnd: return index + 1
    // The remainder of the string after an interpolation.
    case .string: return isCut || index > 0 && tokens[index - 1].kind == .interpolationEnd ? index + 1 : nil
    case .name where token.range.upperBound < part.upperBound && byte(behind: index) == UInt8(ascii: ":"):
      return index + 2
    case .sign: return isCut ? index + 1 : indexBehindSilentSigns(index)
    default: return nil
    }
  }

  /// Returns the index after a separator, or after operators without blanks between them.
  private func indexBehindSilentSigns(_ index: Int) -> Int? {
    if ",;:".utf8.contains(first(index)) { return index + 1 }
    var end = index + 1
    while end < tokens.count, isOperator(end), tokens[end].start == tokens[end - 1].range.upperBound { end += 1 }
    let run = bytes[tokens[index].start..<tokens[end - 1].range.upperBound]
    guard run.contains(where: { "=!<>~+-*/%&|^?".utf8.contains($0) }) else { return nil }
    if isApart(behind: run.endIndex) { return end }
    // The `!` or `?` of an optional, which belongs to the expression that ends before it.
    return "!?".utf8.contains(first(index)) && index > 0 && tokens[index - 1].kind == .closing ? index + 1 : nil
  }

  // MARK: - Parts of lines

  /// Returns the bytes of the parts of a line, each with whether the compiler counts what is evaluated in it.
  ///
  /// - Parameter starts: where each begins, in bytes from 1, ascending, and whether a region does so, too.
  func parts(_ starts: [(column: Int, isEntry: Bool)], ofLine line: Range<Int>) -> [(
    range: Range<Int>, isCounted: Bool
  )] {
    func offset(_ column: Int) -> Int { line.lowerBound + min(column - 1, line.count) }
    /// Whether this is the head of a statement, where the compiler counts only the first condition.
    var isHead = false
    return starts.indices.map { index in
      let start = max(line.lowerBound, offset(starts[index].column))
      let end = max(start, index + 1 < starts.count ? offset(starts[index + 1].column) : line.upperBound)
      isHead = isHead && !beginsStatement(in: start..<end)
      let isCounted = starts[index].isEntry || !isHead
      isHead = isHead || holdsHead(in: start..<end)
      return (start..<end, isCounted)
    }
  }

  /// Returns whether a region that begins on a line holds all that is evaluated there.
  func isAllEvaluated(on line: Int, in region: CoverageRegion) -> Bool {
    let whole = range(ofLine: line)
    let ends = region.end.line > line ? [] : [(column: region.end.column, isEntry: false)]
    let parts = parts([(1, false), (region.start.column, true)] + ends, ofLine: whole)
    return parts.indices.allSatisfy { (evaluatedStart(in: parts[$0].range, ofLine: whole) != nil) == ($0 == 1) }
  }

  // MARK: - Heads of statements

  /// Returns whether a part begins with the end of the previous statement.
  func beginsStatement(in part: Range<Int>) -> Bool {
    guard let first = tokens(in: part).first else { return false }
    return isToken(first, ";") || isToken(first, "}")
  }

  /// Returns whether a part holds a keyword that introduces conditions or patterns evaluated more or less often than
  /// the code around the statement.
  func holdsHead(in part: Range<Int>) -> Bool {
    (firstToken(endingAfter: part.lowerBound)..<tokens(in: part).upperBound).contains { index in
      tokens[index].kind == .keyword && Self.heading.contains { isToken(index, $0) }
    }
  }

  private static let heading: [StaticString] = ["while", "else", "catch"]

  // MARK: - Parts that are not evaluated

  private static let betweenBlocks: [StaticString] = ["else", "catch", "while", "do", "repeat", "defer"]
  private static let declaring: [StaticString] = [
    "func", "subscript", "init", "deinit", "struct", "class", "enum", "actor", "protocol", "extension", "typealias",
  ]

  /// - Parameters:
  ///   - first: the first token of the part.
  private func isSilent(_ part: Range<Int>, first: Int, ofLine line: Range<Int>) -> Bool {
    if isToken(first, "{") { return part.upperBound == line.upperBound && opensOnly(part, first) }
    if tokens[first].kind == .keyword {
      if Self.betweenBlocks.contains(where: { isToken(first, $0) }) { return true }
      // A variable without a value is only declared.
      if isToken(first, "let") || isToken(first, "var") { return !bytes[part].contains(UInt8(ascii: "=")) }
    }
    // `.init` declares nothing.
    return tokens(in: part).contains { index in
      tokens[index].kind == .keyword && !isMember(index) && Self.declaring.contains { isToken(index, $0) }
    }
  }

  /// Returns whether nothing but a comment or the head of a closure follows a brace: the lines below show the count.
  private func opensOnly(_ part: Range<Int>, _ brace: Int) -> Bool {
    let last = tokens(in: part).last { tokens[$0].kind != .comment }
    return last == brace || last.map { tokens[$0].kind == .keyword && isToken($0, "in") } ?? false
  }
}
