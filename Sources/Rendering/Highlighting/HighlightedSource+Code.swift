import Model

extension HighlightedSource {
  /// Those of some lines of a source on which only comments or blanks stand.
  ///
  /// Comments are known in Swift and in the C family; in other languages only blank lines are found.
  package static func silent(_ lines: [Int], in bytes: [UInt8], path: String) -> Set<Int> {
    let source = HighlightedSource(bytes, path: path)
    return Set(lines.filter { !source.holdsCode($0) { !SwiftHighlighter.isBlank($0) } })
  }

  /// Whether a line holds more than blanks, punctuation and comments.
  func hasWords(_ line: Int) -> Bool { holdsCode(line, SwiftHighlighter.isName) }

  /// Whether a byte of some kind stands on a line outside of all comments.
  private func holdsCode(_ line: Int, _ isWanted: (UInt8) -> Bool) -> Bool {
    let whole = range(ofLine: line)
    var position = whole.lowerBound
    for token in tokens[firstToken(endingAfter: position)...] {
      guard token.range.lowerBound < whole.upperBound else { break }
      guard token.kind == .comment else { continue }
      if token.range.lowerBound > position, bytes[position..<token.range.lowerBound].contains(where: isWanted) {
        return true
      }
      position = max(position, token.range.upperBound)
    }
    return position < whole.upperBound && bytes[position..<whole.upperBound].contains(where: isWanted)
  }
}
