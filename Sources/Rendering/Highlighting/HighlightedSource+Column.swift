import Syntax

extension HighlightedSource {
  /// Returns the markup of a line, counted from 1, in which the word or sign at a column is marked.
  ///
  /// - Parameter column: in bytes, counted from 1; nothing is marked if it is nil or beyond the line.
  func html(ofLine line: Int, marking column: Int?) -> SafeHTML {
    let whole = range(ofLine: line)
    guard let column, column >= 1, whole.count <= Self.longestLine, column <= whole.count else {
      return html(ofLine: line)
    }
    let start = characterStart(whole.lowerBound + column - 1)
    var end = start + 1
    while end < whole.upperBound, bytes[end] & 0xC0 == 0x80 || bytes[start].isNamePart && bytes[end].isNamePart {
      end += 1
    }
    var html = SafeHTML()
    append(whole.lowerBound..<start, to: &html)
    html.append("<mark>")
    append(start..<end, to: &html)
    html.append("</mark>")
    append(end..<whole.upperBound, to: &html)
    return html
  }
}
