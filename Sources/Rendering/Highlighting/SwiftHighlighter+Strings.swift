extension SwiftHighlighter {
  /// A string literal; `start` is its first byte, the position is on its first quote.
  mutating func string(start: Int, hashes: Int) {
    let isTriple = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
    // `#"""#` is a single-line literal that holds one quote.
    let isMultiline = isTriple && (hashes == 0 || !closesOnLine(from: position + 1, hashes: hashes))
    position += isMultiline ? 3 : 1
    continueString(OpenString(hashes: hashes, isMultiline: isMultiline), start: start)
  }

  /// The rest of a literal up to its end or its next interpolation.
  mutating func continueString(_ string: OpenString, start: Int) {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        if skipClosingQuote(of: string) { return endString(start: start) }
      case UInt8(ascii: "\\"):
        if skipEscape(in: string) {
          emit(.string, from: start)
          openStrings.append(OpenString(hashes: string.hashes, isMultiline: string.isMultiline))
          openBrackets.append(UInt8(ascii: "("))
          return passed(UInt8(ascii: "("), isOperand: false)
        }
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if !string.isMultiline { return endString(start: start) }
        position += 1
      default: position += 1
      }
    }
    endString(start: start)
  }

  private mutating func endString(start: Int) {
    emit(.string, from: start)
    passed(UInt8(ascii: "\""), isOperand: true)
  }

  /// Passes a quote, and what belongs to it; whether it closed the literal.
  private mutating func skipClosingQuote(of string: OpenString) -> Bool {
    if string.isMultiline {
      guard peek(1) == UInt8(ascii: "\""), peek(2) == UInt8(ascii: "\"") else {
        position += 1
        return false
      }
      let count = min(string.hashes, hashes(at: position + 3))
      guard count == string.hashes else {
        // A fourth quote may begin the closing delimiter, so only one is passed.
        position += count > 0 ? 3 + count : 1
        return false
      }
      position += 3 + count
      return true
    }
    let count = string.hashes == 0 ? 0 : min(string.hashes, hashes(at: position + 1))
    position += 1 + count
    return count == string.hashes
  }

  /// Passes a backslash, and what belongs to it; whether it began an interpolation.
  private mutating func skipEscape(in string: OpenString) -> Bool {
    let count = string.hashes == 0 ? 0 : min(string.hashes, hashes(at: position + 1))
    position += 1 + count
    guard count == string.hashes, let next = peek() else { return false }
    if next == UInt8(ascii: "(") {
      position += 1
      return true
    }
    if !Self.isNewline(next) { position += 1 }
    return false
  }

  /// Whether a quote with that many number signs follows on the line.
  private mutating func closesOnLine(from index: Int, hashes count: Int) -> Bool {
    if index >= closingQuotes.end { closingQuotes = quotes(from: index) }
    let next = closingQuotes.found.drop { $0.index < index }
    closingQuotes.found = next
    return next.first.map { $0.hashes >= count } ?? false
  }

  /// The quotes up to the end of the line behind which more number signs stand than behind every later one.
  private func quotes(from start: Int) -> ClosingQuotes {
    var found: [(index: Int, hashes: Int)] = []
    var index = start
    while index < bytes.count, !Self.isNewline(bytes[index]) {
      guard bytes[index] == UInt8(ascii: "\"") else {
        index += 1
        continue
      }
      let count = hashes(at: index + 1)
      while let last = found.last, last.hashes <= count { found.removeLast() }
      found.append((index, count))
      index += 1 + count
    }
    return ClosingQuotes(end: index, found: found[...])
  }
}
