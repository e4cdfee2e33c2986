/// Reads numbers out of bytes, the lowest byte first, and stays inside of them.
struct BinaryReader {
  let input: String
  let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  /// - Parameter input: what is read, as it fits behind "Cannot read".
  init(_ bytes: ArraySlice<UInt8>, input: String) {
    self.bytes = bytes
    self.input = input
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position >= bytes.endIndex }

  /// A number of so many bytes, at most eight.
  mutating func number(_ count: Int) throws(ParsingError) -> UInt64 {
    guard count <= bytes.endIndex - position else { throw error("it ends too early") }
    var result: UInt64 = 0
    for index in stride(from: position + count - 1, through: position, by: -1) {
      result = result << 8 | UInt64(bytes[index])
    }
    position += count
    return result
  }

  mutating func word() throws(ParsingError) -> UInt64 { try number(8) }

  /// A number in groups of seven bits, the lowest first (https://dwarfstd.org/doc/DWARF5.pdf, 7.6).
  mutating func shortNumber() throws(ParsingError) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = try number(1)
      result |= (byte & 127) << shift
      if byte < 128 { return result }
    }
    throw error("a number has more than 64 bits")
  }

  /// The same where it counts or names something, so that no sum of a few is too large.
  mutating func shortCount(atMost limit: Int = Int(Int32.max)) throws(ParsingError) -> Int {
    let number = try shortNumber()
    guard number <= UInt64(limit) else { throw error("the number \(number) is too large") }
    return Int(number)
  }

  mutating func take(_ count: Int) throws(ParsingError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.endIndex - position else { throw error("it ends too early") }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Goes on to where the distance from the beginning is a multiple of a number.
  mutating func align(to unit: Int) {
    let over = (position - bytes.startIndex) % unit
    if over > 0 { position = min(position + unit - over, bytes.endIndex) }
  }

  mutating func skipZeros() {
    while position < bytes.endIndex, bytes[position] == 0 { position += 1 }
  }

  func error(_ reason: String) -> ParsingError {
    ParsingError(input, at: position - bytes.startIndex, reason: reason)
  }
}
