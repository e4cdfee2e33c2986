extension SwiftLexer {
  // MARK: - Strings

  /// Lexes a string literal; `start` is its first byte, and the position is at its first quote.
  mutating func string(start: Int, hashes: Int) {
    let isTriple = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
    // `#"""#` is a single-line literal that contains one quote.
    let isMultiline = isTriple && (hashes == 0 || !closesOnLine(from: position + 1, hashes: hashes))
    position += isMultiline ? 3 : 1
    continueString(OpenString(hashes: hashes, isMultiline: isMultiline), start: start)
  }

  /// Lexes the rest of a literal, up to its end or its next interpolation.
  mutating func continueString(_ string: OpenString, start: Int) {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        if skipClosingQuote(of: string) { return emit(.string, from: start, isOperand: true) }
      case UInt8(ascii: "\\"):
        let escape = position
        guard skipEscape(in: string) else { continue }
        if escape > start { list.append(.string, start..<escape) }
        list.open(.interpolation, escape..<position, UInt8(ascii: "("))
        openStrings.append(
          OpenString(hashes: string.hashes, isMultiline: string.isMultiline, brackets: list.open.count))
        return passed(isOperand: false)
      case _ where byte.isNewline && !string.isMultiline: return endUnclosed(start)
      default: position += 1
      }
    }
    endUnclosed(start)
  }

  private mutating func endUnclosed(_ start: Int) {
    list.isWhole = false
    if position > start { list.append(.string, start..<position) }
    passed(isOperand: true)
  }

  /// Skips a quote and anything that belongs to it. Returns whether it closed the literal.
  private mutating func skipClosingQuote(of string: OpenString) -> Bool {
    if string.isMultiline {
      guard peek(1) == UInt8(ascii: "\""), peek(2) == UInt8(ascii: "\"") else {
        position += 1
        return false
      }
      let count = min(string.hashes, hashes(at: position + 3))
      guard count == string.hashes else {
        // A fourth quote may begin the closing delimiter, so skip only one.
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

  /// Skips a backslash and anything that belongs to it. Returns whether it began an interpolation.
  private mutating func skipEscape(in string: OpenString) -> Bool {
    let count = string.hashes == 0 ? 0 : min(string.hashes, hashes(at: position + 1))
    position += 1 + count
    guard count == string.hashes, let next = peek() else { return false }
    if next == UInt8(ascii: "(") {
      position += 1
      return true
    }
    if !next.isNewline { position += 1 }
    return false
  }

  /// Returns whether a quote with at least this many number signs follows on the line.
  private mutating func closesOnLine(from index: Int, hashes count: Int) -> Bool {
    if index >= closingQuotes.end { closingQuotes = quotes(from: index) }
    let next = closingQuotes.found.drop { $0.index < index }
    closingQuotes.found = next
    return next.first.map { $0.hashes >= count } ?? false
  }

  /// Finds the quotes up to the end of the line that are followed by more number signs than every later quote.
  private func quotes(from start: Int) -> ClosingQuotes {
    var found: [(index: Int, hashes: Int)] = []
    var index = start
    while index < bytes.count, !bytes[index].isNewline {
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

  // MARK: - Regular expressions

  /// Returns the end of the slash-delimited regex literal that begins at an index, or nil if the slash is an operator.
  /// Rules: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0354-regex-literals.md
  mutating func regexEnd(from start: Int) -> Int? {
    guard start >= noRegexBefore, start + 1 < bytes.count, !bytes[start + 1].isBlank else { return nil }
    var index = start + 1
    var depth = 0
    var isInClass = false
    while index < bytes.count, !bytes[index].isNewline {
      switch bytes[index] {
      case UInt8(ascii: "/"):
        // A literal neither ends with whitespace nor is empty.
        guard index > start + 1, !bytes[index - 1].isBlank else {
          // A literal begun by an escaped slash on the way would end here too.
          noRegexBefore = index
          return nil
        }
        return index + 1
      case UInt8(ascii: "\\") where index + 1 < bytes.count && !bytes[index + 1].isNewline: index += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "(") where !isInClass: depth += 1
      case UInt8(ascii: ")") where !isInClass:
        depth -= 1
        if depth < 0 {
          noRegexBefore = index
          return nil
        }
      default: break
      }
      index += 1
    }
    noRegexBefore = index
    return nil
  }

  /// Lexes a regex literal with slashes and number signs; `start` is its first byte, and the position is at its slash.
  mutating func extendedRegex(start: Int, hashes count: Int) {
    position += 1
    let first = skipBlanks(from: position)
    let isMultiline = first == bytes.count || bytes[first].isNewline
    var isClosed = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte.isNewline, !isMultiline { break }
      position += 1
      if byte == UInt8(ascii: "\\"), let next = peek(), !next.isNewline {
        position += 1
      } else if byte == UInt8(ascii: "/") {
        let found = min(count, hashes(at: position))
        position += found
        isClosed = found == count
        if isClosed { break }
      }
    }
    if !isClosed { list.isWhole = false }
    emit(.regex, from: start, isOperand: true)
  }

  // MARK: - Numbers

  /// Lexes an integer or floating-point literal, excluding the sign.
  mutating func number() {
    let start = position
    let isMember = isMember(at: start)
    if bytes[start] == UInt8(ascii: "0"), !isMember {
      switch peek(1) {
      case UInt8(ascii: "x"): return hexadecimal(start: start)
      case UInt8(ascii: "b"), UInt8(ascii: "o"):
        position += 2
        skipName()
        return emit(.number, from: start, isOperand: true)
      default: break
      }
    }
    skipDigits(\.isDigit)
    // The members in `pair.0.1` are not a fraction.
    if !isMember {
      if peek() == UInt8(ascii: "."), let next = peek(1), next.isDigit {
        position += 1
        skipDigits(\.isDigit)
      }
      skipExponent(UInt8(ascii: "e"), UInt8(ascii: "E"))
    }
    skipName()
    emit(.number, from: start, isOperand: true)
  }

  /// Lexes a hexadecimal number. A fraction counts only if it has an exponent, as in `0x1.8p3`.
  private mutating func hexadecimal(start: Int) {
    position += 2
    skipDigits(Self.isHexadecimalDigit)
    let whole = position
    if peek() == UInt8(ascii: "."), let next = peek(1), Self.isHexadecimalDigit(next) {
      position += 1
      skipDigits(Self.isHexadecimalDigit)
    }
    let fraction = position
    skipExponent(UInt8(ascii: "p"), UInt8(ascii: "P"))
    if position == fraction { position = whole }
    skipName()
    emit(.number, from: start, isOperand: true)
  }

  private mutating func skipExponent(_ lower: UInt8, _ upper: UInt8) {
    guard let letter = peek(), letter == lower || letter == upper else { return }
    var digit = 1
    if peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") { digit = 2 }
    guard let next = peek(digit), next.isDigit else { return }
    position += digit
    skipDigits(\.isDigit)
  }

  @inline(__always)
  private mutating func skipDigits(_ isDigit: (UInt8) -> Bool) {
    while let byte = peek(), isDigit(byte) || byte == UInt8(ascii: "_") { position += 1 }
  }

  private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    byte.isDigit || (byte | 0x20) &- UInt8(ascii: "a") < 6
  }
}
