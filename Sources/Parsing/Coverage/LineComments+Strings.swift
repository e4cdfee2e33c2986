extension LineComments {
  /// How many number signs stand at an index.
  func hashes(at index: Int) -> Int {
    var end = index
    while end < source.count, source[end] == UInt8(ascii: "#") { end += 1 }
    return end - index
  }

  /// Opens the string whose first quote is at the position.
  mutating func openString(hashes count: Int) {
    let quote = source[position]
    let isTriple = isSwift && peek(1) == quote && peek(2) == quote
    // `#"""#` is a string of one line that holds a quote.
    let isMultiline = isTriple && (count == 0 || !closesOnLine(from: position + 1, hashes: count))
    position += isMultiline ? 3 : 1
    strings.append(OpenString(quote: quote, hashes: count, isMultiline: isMultiline))
    followsOperand = true
  }

  private func closesOnLine(from start: Int, hashes count: Int) -> Bool {
    var index = start
    while index < source.count, source[index] != UInt8(ascii: "\n") {
      if source[index] == UInt8(ascii: "\""), hashes(at: index + 1) >= count { return true }
      index += 1
    }
    return false
  }

  /// Passes a byte of a string, and what belongs to it.
  mutating func passInString(_ open: OpenString) {
    let byte = source[position]
    position += 1
    beginsLine = false
    if byte == UInt8(ascii: "\\"), hashes(at: position) >= open.hashes {
      position += open.hashes
      passEscaped()
    } else if byte == open.quote {
      if open.isMultiline {
        guard peek() == open.quote, peek(1) == open.quote, hashes(at: position + 2) >= open.hashes else { return }
        position += 2
      } else if hashes(at: position) < open.hashes {
        return
      }
      position += open.hashes
      strings.removeLast()
    }
  }

  /// What stands behind a backslash: in Swift perhaps an interpolation, in C perhaps a line break that is none.
  private mutating func passEscaped() {
    guard let next = peek() else { return }
    if isSwift {
      guard next != UInt8(ascii: "\n") else { return }
      if next == UInt8(ascii: "(") {
        strings[strings.count - 1].interpolation = 1
        followsOperand = false
      }
      position += 1
    } else {
      let isWindows = next == UInt8(ascii: "\r") && peek(1) == UInt8(ascii: "\n")
      pass(to: position + (isWindows ? 2 : 1))
    }
  }

  /// Counts the parentheses of an interpolation; the last one goes back to its string.
  mutating func passParenthesis(_ byte: UInt8) {
    position += 1
    followsOperand = byte == UInt8(ascii: ")")
    guard let last = strings.indices.last, let depth = strings[last].interpolation else { return }
    let now = depth + (byte == UInt8(ascii: "(") ? 1 : -1)
    strings[last].interpolation = now > 0 ? now : nil
  }

  // MARK: - C

  /// Passes code of the C family up to what can hold two slashes.
  mutating func passC(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): openString(hashes: 0)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      skipName()
      // The quote between the digits of a number opens nothing.
      while peek() == UInt8(ascii: "'"), let next = peek(1), Self.isName(next) {
        position += 1
        skipName()
      }
    case _ where Self.isNameStart(byte):
      let start = position
      skipName()
      let isRaw = ["R", "LR", "uR", "UR", "u8R"].contains { source[start..<position].elementsEqual($0.utf8) }
      if isRaw, peek() == UInt8(ascii: "\"") { passRawString() }
    default: position += 1
    }
  }

  /// A string of C++ in which nothing is escaped: `R"end(text)end"`. Without its parenthesis it is an ordinary one.
  private mutating func passRawString() {
    let longest = 16
    let text = source[(position + 1)...].prefix(longest + 1)
    guard let open = text.firstIndex(of: UInt8(ascii: "(")), !text[..<open].contains(UInt8(ascii: "\n")) else { return }
    let end = [UInt8(ascii: ")")] + text[..<open] + [UInt8(ascii: "\"")]
    var index = open + 1
    while index < source.count, !(source[index] == end[0] && source[index...].starts(with: end)) { index += 1 }
    pass(to: min(index + end.count, source.count))
  }
}
