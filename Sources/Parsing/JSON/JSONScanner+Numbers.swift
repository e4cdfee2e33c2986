extension JSONScanner {
  /// Reads a whole number from 0 to 2^64 - 1.
  ///
  /// A fraction or an exponent is accepted when the value is whole all the same, such as `1e3`.
  package mutating func readUInt64() throws -> UInt64 {
    if let value = try readPlainDigits() { return value }
    let start = position
    let text = bytes.text(of: try scanNumber())
    guard let value = Double(text).flatMap(UInt64.init(exactly:)) else {
      throw error("expected a whole number of 0 or more, found \(text)", at: start)
    }
    return value
  }

  /// Reads a whole number that fits into `Int`, negative ones included.
  package mutating func readInt() throws -> Int {
    let start = position
    if let value = try readPlainDigits() {
      guard let whole = Int(exactly: value) else { throw error("the number \(value) is too large", at: start) }
      return whole
    }
    let text = bytes.text(of: try scanNumber())
    guard let value = Int(text) ?? Double(text).flatMap(Int.init(exactly:)) else {
      throw error("expected a whole number, found \(text)", at: start)
    }
    return value
  }

  /// Reads `true` or `false`.
  package mutating func readBool() throws -> Bool {
    switch try peek() {
    case UInt8(ascii: "t"):
      try expectWord("true")
      return true
    case UInt8(ascii: "f"):
      try expectWord("false")
      return false
    case let other: throw error("expected true or false, found \(Self.quoted(other))")
    }
  }

  /// Consumes one of the words `true`, `false` and `null`.
  mutating func expectWord(_ word: StaticString) throws {
    _ = try peek()
    let end = position &+ word.utf8CodeUnitCount
    guard end <= bytes.count, bytes.hasEqualBytes(position..<end, word) else {
      throw error("expected \(word)")
    }
    position = end
  }

  /// Consumes a number of any shape and says where it stands.
  mutating func scanNumber() throws -> Range<Int> {
    let first = try peek()
    let start = position
    if first == UInt8(ascii: "-") { position &+= 1 }
    guard skipDigits() else { throw error("expected a value, found \(Self.quoted(first))", at: start) }
    if next == UInt8(ascii: ".") {
      position &+= 1
      guard skipDigits() else { throw error("expected digits after the point") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position &+= 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position &+= 1 }
      guard skipDigits() else { throw error("expected digits in the exponent") }
    }
    return start..<position
  }

  /// Consumes a number that is digits and nothing else; nil, with at most blanks consumed, for every other value.
  private mutating func readPlainDigits() throws -> UInt64? {
    guard try peek() &- 0x30 < 10 else { return nil }
    var value: UInt64 = 0
    var index = position
    while index < bytes.count {
      let digit = bytes[index] &- 0x30
      guard digit < 10 else { break }
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = product.addingReportingOverflow(UInt64(digit))
      guard !isTooLarge, !overflows else { throw error("the number is larger than 64 bits can hold") }
      value = sum
      index &+= 1
    }
    if index < bytes.count, Self.continuesNumber(bytes[index]) { return nil }
    position = index
    return value
  }

  /// Reads an array of as many whole numbers as there is room for, written without blanks, as tools write them by the
  /// thousand. False, with nothing consumed, for everything else, which then is for `readArray` to read or to refuse.
  mutating func readPlainNumbers(_ numbers: inout [UInt64]) -> Bool {
    let length = bytes.with(position..<bytes.count) { text in
      numbers.withUnsafeMutableBufferPointer { Self.plainNumbers(text, into: $0) }
    }
    guard let length else { return false }
    position &+= length
    return true
  }

  /// The length of the array at the beginning of the text; nil where it is not as plain as that.
  private static func plainNumbers(
    _ text: UnsafeBufferPointer<UInt8>, into numbers: UnsafeMutableBufferPointer<UInt64>
  ) -> Int? {
    guard text.first == UInt8(ascii: "[") else { return nil }
    var index = 1
    for slot in numbers.indices {
      let start = index
      var value: UInt64 = 0
      while index < text.count {
        let digit = text[index] &- 0x30
        guard digit < 10 else { break }
        value = value &* 10 &+ UInt64(digit)
        index &+= 1
      }
      // Nineteen digits may be more than 64 bits can hold, and the text may end here.
      guard index > start, index &- start < 19, index < text.count else { return nil }
      let end = slot &+ 1 == numbers.count ? UInt8(ascii: "]") : UInt8(ascii: ",")
      guard text[index] == end else { return nil }
      numbers[slot] = value
      index &+= 1
    }
    return index
  }

  private static func continuesNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipDigits() -> Bool {
    let start = position
    while let byte = next, byte &- 0x30 < 10 { position &+= 1 }
    return position > start
  }
}
