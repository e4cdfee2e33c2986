package import Model

extension SourceCode {
  /// Returns the places at which the first function that is declared on or after a line may wait for a task, ascending:
  /// each `await` in its body, and each `async`, since what `async let` begins is also waited for where its scope ends.
  ///
  /// Columns are in bytes, counted from 1.
  package func awaits(inFunctionAt line: Int) -> [SourcePosition] {
    guard isSwift, isWhole, let start = lines[line]?.lowerBound else { return [] }
    let rest = tokens.partitioningIndex { $0.start >= start }..<tokens.count
    guard let keyword = rest.first(where: { isToken($0, "func") }),
      let opening = (keyword..<tokens.count).first(where: { isToken($0, "{") }), let closing = tokens[opening].partner
    else { return [] }
    return (opening..<closing).filter { isToken($0, "await") || isToken($0, "async") }.compactMap { token in
      let offset = tokens[token].start
      let number = lines.line(of: offset)
      return lines[number].map { SourcePosition(line: number, column: offset - $0.lowerBound + 1) }
    }
  }
}
