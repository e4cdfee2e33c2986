import Syntax

extension SourceCode {
  /// Returns the lines with an `await` in the body of the function that is declared at a line, ascending.
  func awaits(inFunctionAt line: Int) -> [Int] {
    var index: Int? = firstToken(endingAfter: range(ofLine: line).lowerBound)
    func skip(to text: StaticString) {
      while let token = index, token < tokens.count, !isToken(token, text) {
        // What stands in brackets, such as the arguments of an attribute, belongs to none of the braces.
        index = tokens[token].isOpening ? tokens[token].partner.flatMap(next) : next(token)
      }
    }
    skip(to: "func")
    skip(to: "{")
    guard let start = index, start < tokens.count, let end = tokens[start].partner, end > start else { return [] }
    return Set((start..<end).filter { isToken($0, "await") }.map { lines.line(of: tokens[$0].start) }).sorted()
  }
}
