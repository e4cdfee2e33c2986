extension SwiftHighlighter {
  /// An integer or a floating-point literal, the sign not included.
  mutating func number() {
    let start = position
    let isMember =
      start > 0 && bytes[start - 1] == UInt8(ascii: ".") && (start < 2 || bytes[start - 2] != UInt8(ascii: "."))
    if bytes[start] == UInt8(ascii: "0"), !isMember {
      switch peek(1) {
      case UInt8(ascii: "x"): return hexadecimal(start: start)
      case UInt8(ascii: "b"), UInt8(ascii: "o"):
        position += 2
        skipName()
        return endNumber(start: start)
      default: break
      }
    }
    skipDigits(Self.isDigit)
    // The members of `pair.0.1` are not a fraction.
    if !isMember {
      if peek() == UInt8(ascii: "."), let next = peek(1), Self.isDigit(next) {
        position += 1
        skipDigits(Self.isDigit)
      }
      skipExponent(UInt8(ascii: "e"), UInt8(ascii: "E"))
    }
    skipName()
    endNumber(start: start)
  }

  private mutating func endNumber(start: Int) {
    emit(.number, from: start)
    passed(UInt8(ascii: "0"), isOperand: true)
  }

  /// A fraction counts only with its exponent, as in `0x1.8p3`.
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
    endNumber(start: start)
  }

  private mutating func skipExponent(_ lower: UInt8, _ upper: UInt8) {
    guard let letter = peek(), letter == lower || letter == upper else { return }
    var digit = 1
    if peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") { digit = 2 }
    guard let next = peek(digit), Self.isDigit(next) else { return }
    position += digit
    skipDigits(Self.isDigit)
  }

  @inline(__always)
  private mutating func skipDigits(_ isDigit: (UInt8) -> Bool) {
    while let byte = peek(), isDigit(byte) || byte == UInt8(ascii: "_") { position += 1 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }

  private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6
  }
}
