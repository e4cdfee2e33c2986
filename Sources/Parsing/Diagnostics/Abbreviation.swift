/// The shape of a record in a bitstream.
///
/// See <https://llvm.org/docs/BitCodeFormat.html>, "Abbreviations".
struct Abbreviation {
  private enum Operand {
    case literal(UInt64)
    case fixed(Int)
    case variable(Int)
    case character
  }

  /// What a record may end with.
  private enum Tail {
    case none
    case array(Operand)
    case blob
  }

  private var operands: [Operand] = []
  private var tail = Tail.none

  /// Reads a definition; the identifier that announces it has been read.
  init(from reader: inout BitReader) throws(BitstreamFault) {
    var left = try reader.count(5)
    while left > 0 {
      left -= 1
      if try reader.fixed(1) == 1 {
        operands.append(.literal(try reader.variable(8)))
        continue
      }
      switch try reader.fixed(3) {
      case 3:
        guard left == 1, try reader.fixed(1) == 0 else { throw .malformed("an array of no type", at: reader.byte) }
        tail = .array(try Self.scalar(try reader.fixed(3), from: &reader, mayBeEmpty: false))
        return
      case 5:
        guard left == 0 else { throw .malformed("a blob inside a record", at: reader.byte) }
        tail = .blob
        return
      case let encoding:
        operands.append(try Self.scalar(encoding, from: &reader, mayBeEmpty: true))
      }
    }
  }

  /// An operand of zero bits is a zero, except in an array, where it would let a few bytes stand for any length.
  private static func scalar(
    _ encoding: UInt64, from reader: inout BitReader, mayBeEmpty: Bool
  ) throws(BitstreamFault) -> Operand {
    if encoding == 4 { return .character }
    guard encoding == 1 || encoding == 2 else { throw .malformed("an unknown encoding \(encoding)", at: reader.byte) }
    let width = try reader.variable(5)
    if width == 0, mayBeEmpty { return .literal(0) }
    guard (1...64).contains(width) else { throw .malformed("an integer of \(width) bits", at: reader.byte) }
    return encoding == 1 ? .fixed(Int(width)) : .variable(Int(width))
  }

  /// Reads one record of this shape.
  func record(from reader: inout BitReader) throws(BitstreamFault) -> Bitstream.Record {
    var values: [UInt64] = []
    var blob: ArraySlice<UInt8> = []
    for operand in operands { values.append(try Self.value(of: operand, from: &reader)) }
    switch tail {
    case .none: break
    case .array(let element):
      for _ in 0..<(try reader.count(6)) { values.append(try Self.value(of: element, from: &reader)) }
    case .blob:
      let count = try reader.count(6)
      try reader.align()
      blob = try reader.blob(count)
      try reader.align()
    }
    guard let code = values.first else { throw .malformed("a record without a code", at: reader.byte) }
    return Bitstream.Record(code: code, operands: Array(values.dropFirst()), blob: blob)
  }

  private static func value(of operand: Operand, from reader: inout BitReader) throws(BitstreamFault) -> UInt64 {
    switch operand {
    case .literal(let value): value
    case .fixed(let width): try reader.fixed(width)
    case .variable(let width): try reader.variable(width)
    case .character: UInt64(Self.characters[Int(try reader.fixed(6))])
    }
  }

  /// The 64 characters that six bits can name.
  private static let characters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._".utf8)
}
