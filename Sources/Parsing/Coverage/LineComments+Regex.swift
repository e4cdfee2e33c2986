extension LineComments {
  /// The words behind which a value begins, so that a slash behind them divides nothing.
  private static let wordsBeforeValue: Set<ArraySlice<UInt8>> = Set(
    """
    associatedtype class deinit enum extension fileprivate func import init inout internal let operator precedencegroup \
    private protocol public rethrows static struct subscript typealias var break case catch continue default defer do else \
    fallthrough for guard if in repeat return switch throw where while as await is throws try
    """.utf8.split(separator: UInt8(ascii: " ")).map { ArraySlice(Array($0)) })

  /// Passes a token of Swift.
  mutating func passSwift(_ byte: UInt8, canBeginRegex: Bool) {
    switch byte {
    case _ where Self.isName(byte): passWord()
    case UInt8(ascii: "\""): openString(hashes: 0)
    case UInt8(ascii: "#"): passNumberSign()
    case UInt8(ascii: "/"):
      if canBeginRegex, let end = regexEnd(from: position) {
        position = end
        followsOperand = true
      } else {
        passOperator()
      }
    case UInt8(ascii: "@"):
      repeat {
        position += 1
        skipName()
      } while peek() == UInt8(ascii: ".") && peek(1).map(Self.isNameStart) == true
      followsOperand = false
    case UInt8(ascii: "`"): passEscapedName()
    case UInt8(ascii: "("), UInt8(ascii: ")"): passParenthesis(byte)
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
      UInt8(ascii: "\\"), UInt8(ascii: "'"), 0x7F:
      position += 1
      followsOperand = false
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      position += 1
      followsOperand = true
    default: passOperator()
    }
  }

  private mutating func passWord() {
    let start = position
    skipName()
    let word = source[start..<position]
    let isMember = source[..<start].last == UInt8(ascii: ".") && source[..<start].dropLast().last != UInt8(ascii: ".")
    let isKeyword = Self.wordsBeforeValue.contains(word) && (!isMember || word.elementsEqual("init".utf8))
    followsOperand = !isKeyword
  }

  /// A name between grave accents, which may hold slashes; ends with its line.
  private mutating func passEscapedName() {
    let end = source[(position + 1)...].firstIndex { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "\n") }
    followsOperand = end.map { source[$0] == UInt8(ascii: "`") } ?? false
    position = followsOperand ? (end ?? position) + 1 : position + 1
  }

  private mutating func passNumberSign() {
    let count = hashes(at: position)
    position += count
    switch peek() {
    case UInt8(ascii: "\""): openString(hashes: count)
    case UInt8(ascii: "/"): passExtendedRegex(hashes: count)
    default:
      // `#if`, `#expect`
      if count == 1, let byte = peek(), Self.isNameStart(byte) { skipName() }
      followsOperand = false
    }
  }

  /// A run of operator characters; `!` and `?` right behind an operand stand alone.
  private mutating func passOperator() {
    let first = source[position]
    let isLeftBound = followsOperand && source[..<position].last.map { $0 > UInt8(ascii: " ") } == true
    position += 1
    if isLeftBound, first == UInt8(ascii: "!") || first == UInt8(ascii: "?") { return }
    while let byte = peek(), "=-+!*%<>&|^~?./".utf8.contains(byte) {
      if byte == UInt8(ascii: "/") {
        if let next = peek(1), next == UInt8(ascii: "/") || next == UInt8(ascii: "*") { break }
        if !isLeftBound, regexEnd(from: position) != nil { break }
      }
      position += 1
    }
    let isRightBound = peek().map { $0 > UInt8(ascii: " ") && !")]},;:".utf8.contains($0) } ?? false
    followsOperand = isLeftBound && !isRightBound
  }

  // MARK: - Regular expressions

  /// The end of the regular expression between slashes that begins at an index; nil when the slash is an operator.
  /// Rules: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0354-regex-literals.md
  private mutating func regexEnd(from start: Int) -> Int? {
    guard start >= noRegexBefore, start + 1 < source.count, !Self.isBlank(source[start + 1]) else { return nil }
    var (index, depth, isInClass) = (start + 1, 0, false)
    while index < source.count, !Self.isLineBreak(source[index]) {
      switch source[index] {
      case UInt8(ascii: "/"):
        // It neither ends with a blank nor is empty.
        if index > start + 1, !Self.isBlank(source[index - 1]) { return index + 1 }
        depth = -1
      case UInt8(ascii: "\\") where index + 1 < source.count && !Self.isLineBreak(source[index + 1]): index += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "(") where !isInClass: depth += 1
      case UInt8(ascii: ")") where !isInClass: depth -= 1
      default: break
      }
      if depth < 0 { break }
      index += 1
    }
    // What an escaped slash on the way could begin would end here, too.
    noRegexBefore = index
    return nil
  }

  /// One with number signs, whose slash is at the position; it goes over lines when nothing stands behind that slash.
  private mutating func passExtendedRegex(hashes count: Int) {
    var index = position + 1
    let first = source[index...].first { !Self.isBlank($0) }
    let isMultiline = first.map(Self.isLineBreak) ?? true
    while index < source.count, isMultiline || !Self.isLineBreak(source[index]) {
      let byte = source[index]
      index += 1
      if byte == UInt8(ascii: "\\"), index < source.count, !Self.isLineBreak(source[index]) {
        index += 1
      } else if byte == UInt8(ascii: "/") {
        let found = min(count, hashes(at: index))
        index += found
        if found == count { break }
      }
    }
    pass(to: index)
    followsOperand = true
  }

  private static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}
