/// Reads JSON (https://www.rfc-editor.org/rfc/rfc8259) from the front to the back without building a tree.
///
/// The caller names what it expects next, and skips what it does not know. Every byte is treated as hostile: nothing
/// traps, everything wrong is thrown with its offset. Invalid UTF-8 inside strings is repaired.
package struct JSONScanner {
  let bytes: ByteBuffer
  private let input: String
  private let depthLimit: Int
  private var depth = 0
  /// The offset of the next byte to be read.
  package internal(set) var position = 0

  /// - Parameter input: what the bytes are, for the text of errors.
  package init(_ bytes: [UInt8], input: String, depthLimit: Int = 64) {
    self.init(bytes[...], input: input, depthLimit: depthLimit)
  }

  /// Reads a stretch of bytes; offsets count from its beginning.
  init(_ bytes: ArraySlice<UInt8>, input: String, depthLimit: Int = 64) {
    self.bytes = ByteBuffer(bytes)
    self.input = input
    self.depthLimit = depthLimit
  }

  /// An error at the present position, or at another one.
  package func error(_ reason: String, at offset: Int? = nil) -> ParsingError {
    ParsingError(input, at: offset ?? position, reason: reason)
  }

  /// The next byte that is not blank, not consumed.
  package mutating func peek() throws -> UInt8 {
    guard skipBlanks() else { throw error("the text ends too early") }
    return bytes[position]
  }

  /// False when nothing else is left.
  private mutating func skipBlanks() -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return true }
      position &+= 1
    }
    return false
  }

  /// Makes sure that nothing but blanks is left.
  package mutating func finish() throws {
    guard skipBlanks() else { return }
    throw error("expected the end, found \(Self.quoted(bytes[position]))")
  }
}

// MARK: - Objects, arrays and the rest

extension JSONScanner {
  /// Reads an object; `member` must consume exactly the value of the key it is given.
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

  /// Passes over the next value, whatever it is.
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

  /// After a value: true past a comma, false past the closing bracket.
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

  /// A byte as it stands in the text of an error.
  static func quoted(_ byte: UInt8) -> String {
    guard (0x21...0x7E).contains(byte) else { return "byte 0x\(String(byte, radix: 16, uppercase: true))" }
    return "'\(Character(Unicode.Scalar(byte)))'"
  }
}
