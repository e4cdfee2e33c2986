struct BitstreamFault: Error {
  /// The reason, as a clause about the file.
  let reason: String
  /// The place of the fault, in bytes from 0; nil if it concerns the whole file.
  var byte: Int?

  static func cutShort(at byte: Int) -> BitstreamFault {
    BitstreamFault(reason: "it ends too early", byte: byte)
  }

  static func malformed(_ what: String, at byte: Int) -> BitstreamFault {
    BitstreamFault(reason: "it has \(what)", byte: byte)
  }
}

/// A reader of integers of any width from bytes, lowest bit first.
///
/// The encodings are those of <https://llvm.org/docs/BitCodeFormat.html>, "Primitives". Nothing is read beyond the end.
struct BitReader {
  private let bytes: [UInt8]
  private let bitCount: Int
  /// The position of the next bit, counted from 0.
  private(set) var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    bitCount = bytes.count &* 8
  }

  var remaining: Int { bitCount - position }
  var isAtEnd: Bool { position == bitCount }
  var byte: Int { position / 8 }

  /// Reads an integer of up to 64 bits.
  mutating func fixed(_ width: Int) throws(BitstreamFault) -> UInt64 {
    guard (0...64).contains(width) else { throw .malformed("an integer of \(width) bits", at: byte) }
    guard width <= remaining else { throw .cutShort(at: bytes.count) }
    var value: UInt64 = 0
    var filled = 0
    while filled < width {
      let offset = position & 7
      let taken = min(8 - offset, width - filled)
      let bits = UInt64(bytes[position >> 3] >> UInt8(offset)) & ((1 << UInt64(taken)) - 1)
      value |= bits << UInt64(filled)
      filled += taken
      position += taken
    }
    return value
  }

  /// Reads an integer in chunks of `width` bits, where the highest bit of each says whether another one follows.
  mutating func variable(_ width: Int) throws(BitstreamFault) -> UInt64 {
    guard (2...32).contains(width) else { throw .malformed("an integer in chunks of \(width) bits", at: byte) }
    let more: UInt64 = 1 << UInt64(width - 1)
    var value: UInt64 = 0
    var shift = 0
    while true {
      let chunk = try fixed(width)
      guard shift < 64 else { throw .malformed("an integer longer than 64 bits", at: byte) }
      value |= (chunk & (more - 1)) << UInt64(shift)
      if chunk & more == 0 { return value }
      shift += width - 1
    }
  }

  /// Reads a length or an identifier, which must not exceed the number of remaining bits.
  mutating func count(_ width: Int) throws(BitstreamFault) -> Int {
    let value = try variable(width)
    guard value <= UInt64(remaining) else { throw .cutShort(at: bytes.count) }
    return Int(value)
  }

  /// Skips to the next multiple of 32 bits.
  mutating func align() throws(BitstreamFault) {
    try skip((32 - position % 32) % 32)
  }

  mutating func skip(_ bits: Int) throws(BitstreamFault) {
    guard bits >= 0, bits <= remaining else { throw .cutShort(at: bytes.count) }
    position += bits
  }

  /// Reads whole bytes; the reader must be aligned.
  mutating func blob(_ count: Int) throws(BitstreamFault) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining / 8 else { throw .cutShort(at: bytes.count) }
    let start = position / 8
    position += count * 8
    return bytes[start..<start + count]
  }
}
