/// A reader of JSON (https://www.rfc-editor.org/rfc/rfc8259) from front to back that does not build a tree.
///
/// The caller requests what it expects next, and skips what it does not know. Every byte is treated as hostile: nothing
/// traps, and every fault is thrown with its offset. Invalid UTF-8 inside strings is repaired.
package struct JSONScanner {
  let bytes: ByteBuffer
  private let input: String
  private let depthLimit: Int
  private var depth = 0
  /// The offset of the next byte to read.
  package internal(set) var position = 0

  /// - Parameter input: a description of the bytes for error messages.
  package init(_ bytes: [UInt8], input: String, depthLimit: Int = 64) {
    self.bytes = ByteBuffer(bytes)
    self.input = input
    self.depthLimit = depthLimit
  }

  /// Returns an error at the current or another position.
  package func error(_ reason: String, at offset: Int? = nil) -> ParsingError {
    ParsingError(input, at: offset ?? position, reason: reason)
  }

  /// Returns the next byte that is not white space, without consuming it.
  package mutating func peek() throws -> UInt8 {
    guard skipBlanks() else { throw error("the text ends too early") }
    return bytes[position]
  }

  /// Returns false if nothing else is left.
  private mutating func skipBlanks() -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return true }
      position &+= 1
    }
    return false
  }

  /// Checks that nothing but white space is left.
  package mutating func finish() throws {
    guard skipBlanks() else { return }
    throw error("expected the end, found \(Self.quoted(bytes[position]))")
  }
}

extension JSONScanner {
  /// Reads an object; `member` must consume exactly the value of the key that it receives.
  @inline(__always)
  package mutating func readObject(_ member: (inout JSONScanner, Key) throws -> Void) throws {
    try open(UInt8(ascii: "{"), "an object")
    defer { depth &-= 1 }
    guard try peek() != UInt8(ascii: "}") else { return position &+= 1 }
    while true {
      _ = try peek()
      let key = Key(bytes: bytes, token: try scanString())
      try expect(UInt8(ascii: ":"), "a colon")
      try member(&self, key)
      guard try continues(until: UInt8(ascii: "}")) else { return }
    }
  }

  /// Reads an array; `element` must consume exactly one value.
  @inline(__always)
  package mutating func readArray(_ element: (inout JSONScanner) throws -> Void) throws {
    try open(UInt8(ascii: "["), "an array")
    defer { depth &-= 1 }
    guard try peek() != UInt8(ascii: "]") else { return position &+= 1 }
    while true {
      try element(&self)
      guard try continues(until: UInt8(ascii: "]")) else { return }
    }
  }

  /// Skips the next value, whatever it is.
  package mutating func skipValue() throws {
    switch try peek() {
    case UInt8(ascii: "{"): try readObject { scanner, _ in try scanner.skipValue() }
    case UInt8(ascii: "["): try readArray { scanner in try scanner.skipValue() }
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try readBool()
    case UInt8(ascii: "n"): try expectWord("null")
    default: _ = try scanNumber()
    }
  }

  private mutating func open(_ byte: UInt8, _ what: String) throws {
    try expect(byte, what)
    guard depth < depthLimit else { throw error("it is nested more than \(depthLimit) levels deep") }
    depth &+= 1
  }

  /// Reads the separator after a value; returns true after a comma, false after the closing bracket.
  private mutating func continues(until end: UInt8) throws -> Bool {
    let byte = try peek()
    guard byte == UInt8(ascii: ",") || byte == end else {
      throw error("expected a comma or \(Self.quoted(end)), found \(Self.quoted(byte))")
    }
    position &+= 1
    return byte != end
  }

  private mutating func expect(_ byte: UInt8, _ what: String) throws {
    let found = try peek()
    guard found == byte else { throw error("expected \(what), found \(Self.quoted(found))") }
    position &+= 1
  }

  /// Returns a byte as it appears in error messages.
  static func quoted(_ byte: UInt8) -> String {
    guard (0x21...0x7E).contains(byte) else { return "byte 0x\(String(byte, radix: 16, uppercase: true))" }
    return "'\(Character(Unicode.Scalar(byte)))'"
  }
}

extension JSONScanner {
  /// Reads a whole number from 0 to 2^64 - 1.
  ///
  /// A fraction or an exponent is accepted if the value is nevertheless whole, as in `1e3`.
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

  /// Consumes a number of any form and returns its range.
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

  /// Consumes a number that consists only of digits; for any other value, returns nil with at most white space
  /// consumed.
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

extension JSONScanner {
  /// Reads a string and resolves its escapes; invalid text becomes U+FFFD.
  package mutating func readString() throws -> String {
    let found = try peek()
    guard found == UInt8(ascii: "\"") else { throw error("expected a string, found \(Self.quoted(found))") }
    return Self.text(of: try scanString(), in: bytes)
  }

  /// The range of a string in the bytes, without its quotes.
  struct StringToken {
    var range: Range<Int>
    var hasEscapes: Bool
  }

  /// The key of a member, which is compared with a literal in place, without a copy.
  package struct Key {
    let bytes: ByteBuffer
    let token: StringToken

    /// The key as text.
    package var text: String { JSONScanner.text(of: token, in: bytes) }

    package static func ~= (name: StaticString, key: Key) -> Bool {
      guard !key.token.hasEscapes else { return key.text == name.description }
      return key.bytes.hasEqualBytes(key.token.range, name)
    }
  }

  /// Consumes a string; `position` must be at its first quote.
  mutating func scanString() throws -> StringToken {
    guard bytes[position] == UInt8(ascii: "\"") else {
      throw error("expected a string, found \(Self.quoted(bytes[position]))")
    }
    let start = position &+ 1
    guard let quote = bytes.firstIndex(of: UInt8(ascii: "\""), in: start..<bytes.count) else {
      throw error("the text ends inside a string")
    }
    if bytes.firstIndex(of: UInt8(ascii: "\\"), in: start..<quote) == nil {
      position = quote &+ 1
      return StringToken(range: start..<quote, hasEscapes: false)
    }
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index &+= bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < bytes.count else { throw error("the text ends inside a string") }
    position = index &+ 1
    return StringToken(range: start..<index, hasEscapes: true)
  }

  static func text(of token: StringToken, in bytes: ByteBuffer) -> String {
    token.hasEscapes ? bytes.with(token.range) { JSONEscapes.resolved($0) } : bytes.text(of: token.range)
  }
}

/// The escapes of JSON strings (https://www.rfc-editor.org/rfc/rfc8259#section-7).
enum JSONEscapes {
  /// Returns the text of a raw string; unpaired surrogates and unknown escapes become U+FFFD.
  static func resolved(_ raw: UnsafeBufferPointer<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    var index = raw.startIndex
    while index < raw.endIndex {
      let byte = raw[index]
      index &+= 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      guard index < raw.endIndex else { break }
      let escape = raw[index]
      index &+= 1
      if escape == UInt8(ascii: "u") {
        append(codePoint(in: raw, at: &index), to: &result)
      } else {
        append(simple[escape] ?? replacement, to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  private static let simple: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
    UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
  ]

  private static func append(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
    result.append(contentsOf: String(Character(scalar)).utf8)
  }

  /// Returns the scalar of `\uXXXX` or of a surrogate pair; `index` is after the `u`, and moves past what was used.
  private static func codePoint(in raw: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Unicode.Scalar {
    guard let first = codeUnit(in: raw, at: index) else { return replacement }
    index &+= 4
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) ?? replacement }
    let isEscape = index &+ 1 < raw.endIndex && raw[index] == UInt8(ascii: "\\") && raw[index &+ 1] == UInt8(ascii: "u")
    guard isEscape, let second = codeUnit(in: raw, at: index &+ 2), UTF16.isTrailSurrogate(second) else {
      return replacement
    }
    index &+= 6
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private static func codeUnit(in raw: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16? {
    guard index &+ 4 <= raw.endIndex else { return nil }
    var value: UInt16 = 0
    for byte in raw[index..<index &+ 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
