/// Writes small LLVM bitstreams, without abbreviations unless told, to try what no compiler writes.
struct BitWriter {
  private var bits: [Bool] = []
  private var idWidth = 2

  /// A file that begins with `DIAG`.
  static func file(_ write: (inout BitWriter) -> Void) -> [UInt8] {
    var writer = BitWriter()
    for byte in "DIAG".utf8 { writer.fixed(UInt64(byte), 8) }
    write(&writer)
    return writer.bytes
  }

  var bytes: [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) }
    }
  }

  mutating func fixed(_ value: UInt64, _ width: Int) {
    for bit in 0..<width { bits.append(value >> UInt64(bit) & 1 == 1) }
  }

  mutating func variable(_ value: UInt64, _ width: Int) {
    let more: UInt64 = 1 << UInt64(width - 1)
    var rest = value
    while rest >= more {
      fixed(rest & (more - 1) | more, width)
      rest >>= UInt64(width - 1)
    }
    fixed(rest, width)
  }

  mutating func align() {
    while bits.count % 32 != 0 { bits.append(false) }
  }

  /// The identifier of an abbreviation or of what else may follow.
  mutating func id(_ value: UInt64) {
    fixed(value, idWidth)
  }

  mutating func block(_ number: UInt64, words: UInt64? = nil, _ write: (inout BitWriter) -> Void) {
    id(1)
    variable(number, 8)
    variable(4, 4)
    align()
    let length = bits.count
    fixed(0, 32)
    let outer = idWidth
    idWidth = 4
    write(&self)
    id(0)
    idWidth = outer
    align()
    let count = words ?? UInt64(bits.count - length - 32) / 32
    for bit in 0..<32 { bits[length + bit] = count >> UInt64(bit) & 1 == 1 }
  }

  mutating func record(_ code: UInt64, _ operands: [UInt64]) {
    id(3)
    variable(code, 6)
    variable(UInt64(operands.count), 6)
    for operand in operands { variable(operand, 6) }
  }
}
