/// A cursor over an LLVM bitstream: blocks that nest, and the records in them.
///
/// The format is that of <https://llvm.org/docs/BitCodeFormat.html>. Every length is checked against the end of the
/// file before it is used, and blocks nest no deeper than `deepest`, so that no file can trap or exhaust the reader.
struct Bitstream {
  /// One record: what it is, its integers, and its bytes if it has any.
  struct Record {
    var code: UInt64
    var operands: [UInt64] = []
    var blob: ArraySlice<UInt8> = []
  }

  /// What the cursor found.
  enum Item {
    /// A block begins; its items follow up to `end`, unless it is skipped.
    case block(UInt64)
    case record(Record)
    /// The innermost block ends, or the file, where no block is open.
    case end
  }

  private struct Scope {
    var idWidth: Int
    var abbreviations: [Abbreviation]
    /// The bit after the block.
    var end: Int
  }

  private static let deepest = 32
  private var reader: BitReader
  private var scopes: [Scope] = []
  /// The abbreviations that blocks of an identifier begin with.
  private var known: [UInt64: [Abbreviation]] = [:]
  private var topLevel: Scope

  /// Checks the four bytes that the file must begin with.
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

  /// The next item in file order.
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

  /// Moves behind the block that was entered last.
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

  /// Reads the block that gives other blocks their abbreviations; its records name the block that is meant.
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
