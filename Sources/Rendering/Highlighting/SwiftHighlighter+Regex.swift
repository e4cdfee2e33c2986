extension SwiftHighlighter {
  /// The end of the regex literal between slashes that begins at an index; nil when the slash is an operator.
  /// Rules: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0354-regex-literals.md
  mutating func regexEnd(from start: Int) -> Int? {
    guard start >= noRegexBefore, start + 1 < bytes.count, !Self.isBlank(bytes[start + 1]) else { return nil }
    var index = start + 1
    var depth = 0
    var isInClass = false
    while index < bytes.count, !Self.isNewline(bytes[index]) {
      switch bytes[index] {
      case UInt8(ascii: "/"):
        // A literal neither ends with a blank nor is empty.
        guard index > start + 1, !Self.isBlank(bytes[index - 1]) else {
          // What an escaped slash on the way could begin would end here, too.
          noRegexBefore = index
          return nil
        }
        return index + 1
      case UInt8(ascii: "\\") where index + 1 < bytes.count && !Self.isNewline(bytes[index + 1]): index += 1
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

  /// A regex literal between slashes with number signs; `start` is its first byte, the position is on its slash.
  mutating func extendedRegex(start: Int, hashes count: Int) {
    position += 1
    let first = skipBlanks(from: position)
    let isMultiline = first == bytes.count || Self.isNewline(bytes[first])
    while position < bytes.count {
      let byte = bytes[position]
      if Self.isNewline(byte), !isMultiline { break }
      position += 1
      if byte == UInt8(ascii: "\\"), let next = peek(), !Self.isNewline(next) {
        position += 1
      } else if byte == UInt8(ascii: "/") {
        let found = min(count, hashes(at: position))
        position += found
        if found == count { break }
      }
    }
    emit(.regex, from: start)
    passed(UInt8(ascii: "/"), isOperand: true)
  }
}
