import Syntax

extension HighlightedSource {
  /// Returns the markup of a line, counted from 1, in which the word, sign or literal at a column is marked; of a macro all
  /// that is on the line, since a frame in what it expands to has its column. A column within a word is about the rest of the
  /// line, which is too long, for example.
  ///
  /// - Parameter column: in bytes, counted from 1; nothing is marked if it is nil or beyond the line.
  func html(ofLine line: Int, marking column: Int?) -> SafeHTML {
    let whole = range(ofLine: line)
    guard let column, column >= 1, whole.count <= Self.longestLine, column <= whole.count else {
      return html(ofLine: line)
    }
    let start = characterStart(whole.lowerBound + column - 1)
    let end = min(macroEnd(from: start) ?? literalEnd(from: start) ?? wordEnd(from: start, in: whole), whole.upperBound)
    var html = SafeHTML()
    append(whole.lowerBound..<start, to: &html)
    html.append("<mark>")
    append(start..<end, to: &html)
    html.append("</mark>")
    append(end..<whole.upperBound, to: &html)
    return html
  }

  private func wordEnd(from start: Int, in line: Range<Int>) -> Int {
    if start > line.lowerBound, bytes[start - 1].isNamePart, bytes[start].isNamePart { return line.upperBound }
    var end = start + 1
    while end < line.upperBound,
      bytes[end] & 0xC0 == 0x80 || bytes[start].isNamePart && bytes[end].isNamePart
        || Self.operators.contains(bytes[start]) && Self.operators.contains(bytes[end])
    {
      end += 1
    }
    return end
  }

  /// The characters of which operators consist.
  private static let operators = Set("/=-+!*%<>&|^~?".utf8)

  /// Returns the end of the text in quotation marks that begins at an offset; nil if none does.
  private func literalEnd(from start: Int) -> Int? {
    let index = code.firstToken(endingAfter: start)
    guard bytes[start] == UInt8(ascii: "\""), index < code.tokens.count, code.tokens[index].start == start,
      code.tokens[index].kind == .string
    else { return nil }
    return code.tokens[index].range.upperBound
  }

  /// Returns the end of the macro that begins at an offset, with its arguments; nil if none does.
  private func macroEnd(from start: Int) -> Int? {
    let token = code.firstToken(endingAfter: start)
    guard bytes[start] == UInt8(ascii: "#"), token < code.tokens.count, code.tokens[token].start == start else {
      return nil
    }
    let end = code.tokens[token].range.upperBound
    guard let bracket = code.next(token), code.isToken(bracket, "("), code.tokens[bracket].start == end else {
      return end
    }
    return code.tokens[bracket].partner.map { code.tokens[$0].range.upperBound } ?? end
  }
}
