import Model

extension SourceCode {
  /// Returns the place of the only `await` in the body of the first function that is declared on or after a line; nil
  /// where there may be another place at which the function waits for a task.
  ///
  /// The column is in bytes, counted from 1.
  package func onlyAwait(inFunctionAt line: Int) -> (line: Int, column: Int)? {
    guard isSwift, isWhole, let start = lines[line]?.lowerBound else { return nil }
    let rest = tokens.partitioningIndex { $0.start >= start }..<tokens.count
    guard let keyword = rest.first(where: { isToken($0, "func") }),
      let opening = (keyword..<tokens.count).first(where: { isToken($0, "{") }), let closing = tokens[opening].partner
    else { return nil }
    let body = opening..<closing
    let awaits = body.filter { isToken($0, "await") }
    // What `async let` begins is also waited for where its scope ends.
    guard awaits.count == 1, !body.contains(where: { isToken($0, "async") }) else { return nil }
    let offset = tokens[awaits[0]].start
    let number = lines.line(of: offset)
    return lines[number].map { (number, offset - $0.lowerBound + 1) }
  }
}
