extension SwiftHighlighter {
  /// A comment, a regex literal or an operator.
  mutating func slash() {
    switch peek(1) {
    case UInt8(ascii: "/"): lineComment()
    case UInt8(ascii: "*"): blockComment()
    default:
      let start = position
      if !followsOperand || isFirstOnLine, let end = regexEnd(from: start) {
        position = end
        emit(.regex, from: start)
        passed(UInt8(ascii: "/"), isOperand: true)
      } else {
        operatorRun()
      }
    }
  }

  mutating func lineComment() {
    let start = position
    position = lineEnd(from: start)
    emit(.comment, from: start)
  }

  /// Block comments nest.
  private mutating func blockComment() {
    let start = position
    position += 2
    var depth = 1
    while depth > 0, position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else {
        position += 1
      }
    }
    emit(.comment, from: start)
  }

  /// A run of operator characters; `!` and `?` right behind an operand stand alone.
  mutating func operatorRun() {
    let start = position
    let isLeftBound = followsOperand && start > 0 && bytes[start - 1] > UInt8(ascii: " ")
    let first = bytes[start]
    position += 1
    if isLeftBound, first == UInt8(ascii: "!") || first == UInt8(ascii: "?") {
      return passed(first, isOperand: true)
    }
    while let byte = peek(), Self.isOperator(byte) {
      if byte == UInt8(ascii: "/") {
        let next = peek(1)
        if next == UInt8(ascii: "/") || next == UInt8(ascii: "*") { break }
        if !isLeftBound, regexEnd(from: position) != nil { break }
      }
      position += 1
    }
    let isRightBound = peek().map { $0 > UInt8(ascii: " ") && !Self.closes($0) } ?? false
    passed(bytes[position - 1], isOperand: isLeftBound && !isRightBound)
  }

  private static func isOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "!"), UInt8(ascii: "*"),
      UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "|"),
      UInt8(ascii: "^"), UInt8(ascii: "~"), UInt8(ascii: "?"), UInt8(ascii: "."), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  private static func closes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ";"),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
