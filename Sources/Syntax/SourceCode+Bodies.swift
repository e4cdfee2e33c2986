package import Model

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
