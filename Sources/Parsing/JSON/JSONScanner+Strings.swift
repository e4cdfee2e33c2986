extension JSONScanner {
  /// Reads a string, its escapes resolved; what is not valid text becomes U+FFFD.
  package mutating func readString() throws -> String {
    let found = try peek()
    guard found == UInt8(ascii: "\"") else { throw error("expected a string, found \(Self.quoted(found))") }
    return Self.text(of: try scanString(), in: bytes)
  }

  /// Reads a string, or null as nil.
  package mutating func readStringOrNull() throws -> String? {
    guard try peek() == UInt8(ascii: "n") else { return try readString() }
    try expectWord("null")
    return nil
  }

  /// Reads a string that is very often the same as the one before; nil when it is, which costs no copy.
  mutating func readString(unlessSameAs last: inout RepeatedString) throws -> String? {
    _ = try peek()
    let token = try scanString()
    if let range = last.range, !token.hasEscapes, bytes.hasEqualBytes(token.range, range) { return nil }
    last.range = token.hasEscapes ? nil : token.range
    return Self.text(of: token, in: bytes)
  }

  /// Where the string stands that was read last.
  struct RepeatedString {
    fileprivate var range: Range<Int>?
  }

  /// Where a string stands in the bytes, without its quotes.
  struct StringToken {
    var range: Range<Int>
    var hasEscapes: Bool
  }

  /// The key of a member; compared with a literal in place, without a copy.
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
