/// A cursor over an LLVM bitstream: nested blocks, and the records in them.
///
/// The format is that of <https://llvm.org/docs/BitCodeFormat.html>. Every length is checked against the end of the
/// file before it is used, and blocks nest no deeper than `deepest`, so that no file can trap or exhaust the reader.
struct Bitstream {
  /// A record, with its code, its integers and its bytes, if it has any.
  struct Record {
    var code: UInt64
    var operands: [UInt64] = []
    var blob: ArraySlice<UInt8> = []
  }

  enum Item {
    /// The beginning of a block, whose items follow up to `end`, unless it is skipped.
    case block(UInt64)
    case record(Record)
    /// The end of the innermost block, or of the file if no block is open.
    case end
  }

  private struct Scope {
    var idWidth: Int
    var abbreviations: [Abbreviation]
    /// The position of the first bit after the block.
    var end: Int
  }

  private static let deepest = 32
  private var reader: BitReader
  private var scopes: [Scope] = []
  /// The abbreviations that blocks with an identifier start with.
  private var known: [UInt64: [Abbreviation]] = [:]
  private var topLevel: Scope

  /// Checks that the file begins with the given magic bytes.
  init(_ bytes: [UInt8], magic: StaticString) throws(BitstreamFault) {
    reader = BitReader(bytes)
    topLevel = Scope(idWidth: 2, abbreviations: [], end: bytes.count &* 8)
    guard !bytes.isEmpty else { throw BitstreamFault(reason: "it is empty") }
    let expected = magic.withUTF8Buffer(Array.init)
    guard bytes.starts(with: expected) else {
      throw BitstreamFault(reason: "it does not begin with '\(magic)'")
    }
    try reader.skip(expected.count * 8)
  }

  mutating func next() throws(BitstreamFault) -> Item {
    while true {
      if scopes.isEmpty, reader.isAtEnd { return .end }
      let scope = scopes.last ?? topLevel
      switch try reader.fixed(scope.idWidth) {
      case 0:
        guard !scopes.isEmpty else { throw .malformed("the end of a block that never began", at: reader.byte) }
        try reader.align()
        scopes.removeLast()
        return .end
      case 1:
        let block = try enter()
        guard block == 0 else { return .block(block) }
        try readBlockInfo()
      case 2:
        let abbreviation = try Abbreviation(from: &reader)
        if scopes.isEmpty {
          topLevel.abbreviations.append(abbreviation)
        } else {
          scopes[scopes.count - 1].abbreviations.append(abbreviation)
        }
      case let id:
        return .record(try record(id, in: scope))
      }
    }
  }

  /// Skips the rest of the block that was entered last.
  mutating func skipBlock() throws(BitstreamFault) {
    guard let scope = scopes.popLast() else { return }
    try reader.skip(scope.end - reader.position)
  }

  private mutating func enter() throws(BitstreamFault) -> UInt64 {
    let block = try reader.variable(8)
    let idWidth = try reader.count(4)
    try reader.align()
    let bits = Int(try reader.fixed(32)) * 32
    guard (2...32).contains(idWidth) else { throw .malformed("identifiers of \(idWidth) bits", at: reader.byte) }
    guard scopes.count < Self.deepest else { throw .malformed("blocks nested too deeply", at: reader.byte) }
    guard bits <= reader.remaining else { throw .cutShort(at: topLevel.end / 8) }
    scopes.append(Scope(idWidth: idWidth, abbreviations: known[block] ?? [], end: reader.position + bits))
    return block
  }

  /// Reads the block that defines other blocks' abbreviations; its records name the block that each definition is for.
  private mutating func readBlockInfo() throws(BitstreamFault) {
    var subject: UInt64?
    while let scope = scopes.last {
      switch try reader.fixed(scope.idWidth) {
      case 0:
        try reader.align()
        scopes.removeLast()
        return
      case 1:
        _ = try enter()
        try skipBlock()
      case 2:
        let abbreviation = try Abbreviation(from: &reader)
        guard let subject else { throw .malformed("an abbreviation for no block", at: reader.byte) }
        known[subject, default: []].append(abbreviation)
      case let id:
        let record = try record(id, in: scope)
        if record.code == 1 { subject = record.operands.first }
      }
    }
  }

  private mutating func record(_ id: UInt64, in scope: Scope) throws(BitstreamFault) -> Record {
    if id == 3 {
      var record = Record(code: try reader.variable(6))
      for _ in 0..<(try reader.count(6)) { record.operands.append(try reader.variable(6)) }
      return record
    }
    guard id >= 4, id - 4 < UInt64(scope.abbreviations.count) else {
      throw .malformed("a record of the unknown shape \(id)", at: reader.byte)
    }
    return try scope.abbreviations[Int(id - 4)].record(from: &reader)
  }
}

/// The layout of a record in a bitstream.
///
/// See <https://llvm.org/docs/BitCodeFormat.html>, "Abbreviations".
struct Abbreviation {
  private enum Operand {
    case literal(UInt64)
    case fixed(Int)
    case variable(Int)
    case character
  }

  /// The possible last part of a record.
  private enum Tail {
    case none
    case array(Operand)
    case blob
  }

  private var operands: [Operand] = []
  private var tail = Tail.none

  /// Reads a definition whose introducing identifier has already been read.
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

  /// Reads the encoding of a scalar. An operand of zero bits is a zero, except in an array, where it would let a few
  /// bytes describe any length.
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

  /// The 64 characters that six bits can encode.
  private static let characters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._".utf8)
}
