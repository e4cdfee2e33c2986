package import Model

/// A source divided into lines and tokens.
package struct SourceCode: Sendable {
  package let bytes: [UInt8]
  package let language: SourceLanguage
  /// The tokens in ascending order, without overlaps.
  package let tokens: [Token]
  package let lines: SourceLines
  /// Whether every bracket, literal and comment is closed, so that the tokens are those the compiler sees.
  package let isWhole: Bool

  package init(_ bytes: [UInt8], path: String) { self.init(bytes, in: SourceLanguage(path: path)) }

  package init(_ bytes: [UInt8], in language: SourceLanguage) {
    self.bytes = bytes
    self.language = language
    lines = SourceLines(bytes)
    let found =
      switch bytes.count < UInt32.max ? language : .other {
      case .swift: SwiftLexer.tokens(in: bytes)
      case .c: CLexer.tokens(in: bytes)
      case .other: TokenList(reserving: 0)
      }
    tokens = found.tokens
    isWhole = found.isWhole && found.open.isEmpty
  }

  package var isSwift: Bool { language == .swift }

  // MARK: - Lines

  /// Returns the bytes of a line, counting from 1, without its line break; empty if there is no such line.
  package func range(ofLine line: Int) -> Range<Int> {
    guard let whole = lines[line] else { return 0..<0 }
    var end = whole.upperBound
    if end > whole.lowerBound, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > whole.lowerBound, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return whole.lowerBound..<end
  }

  /// Returns those of the given lines that contain only comments or whitespace.
  ///
  /// Comments are recognized in Swift and the C family; in other languages only blank lines are found.
  package func silent(_ lines: [Int]) -> Set<Int> { Set(lines.filter { !holdsCode($0) { !$0.isBlank } }) }

  /// Returns whether a line contains more than whitespace, punctuation and comments.
  package func hasWords(_ line: Int) -> Bool { holdsCode(line) { $0.isNamePart } }

  /// Returns whether a line contains a byte of some kind outside all comments.
  private func holdsCode(_ line: Int, _ isWanted: (UInt8) -> Bool) -> Bool {
    let whole = range(ofLine: line)
    var position = whole.lowerBound
    for token in tokens[firstToken(endingAfter: position)...] {
      guard token.start < whole.upperBound else { break }
      guard token.kind == .comment else { continue }
      if token.start > position, bytes[position..<token.start].contains(where: isWanted) { return true }
      position = max(position, token.range.upperBound)
    }
    return position < whole.upperBound && bytes[position..<whole.upperBound].contains(where: isWanted)
  }

  // MARK: - Tokens

  /// Returns the index of the first token that ends after an offset, or the number of tokens if none does.
  package func firstToken(endingAfter offset: Int) -> Int {
    tokens.partitioningIndex { $0.range.upperBound > offset }
  }

  /// Returns the tokens that begin in a range of bytes.
  package func tokens(in stretch: Range<Int>) -> Range<Int> {
    let first = tokens.partitioningIndex { $0.start >= stretch.lowerBound }
    return first..<max(first, tokens.partitioningIndex { $0.start >= stretch.upperBound })
  }

  /// Returns the code token that ends at or before an offset.
  package func token(before offset: Int) -> Int? { previous(firstToken(endingAfter: offset)) }

  /// Returns the code token before another one.
  package func previous(_ index: Int) -> Int? {
    var index = index - 1
    while index >= 0, tokens[index].kind == .comment { index -= 1 }
    return index >= 0 ? index : nil
  }

  /// Returns the code token after another one.
  package func next(_ index: Int) -> Int? {
    var index = index + 1
    while index < tokens.count, tokens[index].kind == .comment { index += 1 }
    return index < tokens.count ? index : nil
  }

  package func text(_ index: Int) -> ArraySlice<UInt8> { bytes[tokens[index].range] }

  /// Returns the text of a word, attribute or directive without its leading sign.
  package func word(_ index: Int) -> String {
    String(decoding: text(index).drop { "#@".utf8.contains($0) }, as: UTF8.self)
  }

  package func first(_ index: Int) -> UInt8 { bytes[tokens[index].start] }

  package func last(_ index: Int) -> UInt8 { bytes[tokens[index].range.upperBound - 1] }

  package func byte(behind index: Int) -> UInt8? { bytes[tokens[index].range.upperBound...].first }

  /// Returns whether a token exists and has this text.
  package func isToken(_ index: Int?, _ text: StaticString) -> Bool {
    guard let index else { return false }
    let range = tokens[index].range
    return range.count == text.utf8CodeUnitCount
      && text.withUTF8Buffer { text in text.indices.allSatisfy { bytes[range.lowerBound + $0] == text[$0] } }
  }

  /// Returns whether an offset is preceded by whitespace, a line break or nothing.
  package func isApart(before offset: Int) -> Bool {
    offset == 0 || bytes[offset - 1].isBlank || bytes[offset - 1].isNewline
  }

  /// Returns whether an offset is followed by whitespace, a line break or nothing.
  package func isApart(behind offset: Int) -> Bool {
    offset >= bytes.count || bytes[offset].isBlank || bytes[offset].isNewline
  }

  // MARK: - Comments

  /// The comments that begin with two slashes.
  package var lineComments: some Sequence<Token> {
    tokens.lazy.filter { $0.kind == .comment && bytes[$0.range].starts(with: "//".utf8) }
  }
}

extension SourceCode {
  /// Returns the places at which the first function that is declared on or after a line may wait for a task, ascending:
  /// each `await` in its body, and each `async`, since what `async let` begins is also waited for where its scope ends.
  ///
  /// Columns are in bytes, counted from 1.
  package func awaits(inFunctionAt line: Int) -> [SourcePosition] {
    guard let body = body(ofFunctionAt: line) else { return [] }
    return body.filter { isToken($0, "await") || isToken($0, "async") }.map { lines.position(of: tokens[$0].start) }
  }

  /// Returns the lines of the body of the first function that is declared on or after a line, with its brackets; nil if
  /// there is none.
  package func bodyLines(ofFunctionAt line: Int) -> ClosedRange<Int>? {
    body(ofFunctionAt: line).map {
      lines.line(of: tokens[$0.lowerBound].start)...lines.line(of: tokens[$0.upperBound].start)
    }
  }

  /// Returns the last line of the loops that a line is in or begins; nil if it is in none.
  package func lastLine(ofLoopsAround line: Int) -> Int? {
    guard isSwift, isWhole else { return nil }
    return tokens.indices.compactMap { index -> Int? in
      guard tokens[index].kind == .keyword, Self.loops.contains(word(index)),
        lines.line(of: tokens[index].start) <= line, let body = body(ofLoopAt: index)
      else { return nil }
      let last = lines.line(of: tokens[body].start)
      return last >= line ? last : nil
    }.max()
  }

  private static let loops: Set = ["for", "while", "repeat"]

  /// Returns the closing brace of a loop's body; nil for the condition behind one.
  private func body(ofLoopAt keyword: Int) -> Int? {
    var index = next(keyword)
    while let token = index, !tokens[token].isClosing {
      if isToken(token, "{") { return tokens[token].partner }
      index = next(tokens[token].partner ?? token)
    }
    return nil
  }

  /// Returns the tokens from the opening bracket of a function's body up to the closing one.
  private func body(ofFunctionAt line: Int) -> Range<Int>? {
    guard isSwift, isWhole, let start = lines[line]?.lowerBound else { return nil }
    let rest = tokens.partitioningIndex { $0.start >= start }..<tokens.count
    guard let keyword = rest.first(where: { isToken($0, "func") }),
      let opening = (keyword..<tokens.count).first(where: { isToken($0, "{") }), let closing = tokens[opening].partner
    else { return nil }
    return opening..<closing
  }
}

/// A source language, as far as lexical rules are concerned.
package enum SourceLanguage: Sendable {
  case swift
  /// C, C++ and Objective-C, which share their comments and literals.
  case c
  /// A language whose rules are unknown, so its sources have no tokens.
  case other

  /// Determines the language by the file name extension, as build tools do.
  package init(path: String) {
    let suffix = SourceSuffix.suffix(of: path) ?? ""
    self = suffix == "swift" ? .swift : SourceSuffix.allOfC.contains(suffix) ? .c : .other
  }
}
