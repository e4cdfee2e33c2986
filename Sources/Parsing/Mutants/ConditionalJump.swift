import Model

/// A conditional jump of a function, for x86-64 processors.
package struct ConditionalJump: Hashable, Sendable {
  /// Counted from where the program is loaded.
  package var address: UInt64
  /// The address of its function.
  package var function: UInt64
  /// The code of the opposite jump and its address; nil if that would not be the opposite of a condition.
  package var opposite: (address: UInt64, code: MutantCode)? {
    isOpposable ? (opcodeAddress, MutantCode(replacement: .negation, bytes: [opcode ^ 1].hexadecimal)) : nil
  }

  private var opcode: UInt8
  private var opcodeAddress: UInt64
  private var isOpposable: Bool

  /// Reads the jumps in what `llvm-objdump -d` prints, ascending.
  ///
  /// Jumps around a trap, which guard arithmetic, and those behind a call that may throw are decided by no condition of
  /// the source, and left out.
  package static func read(_ output: [UInt8]) -> [ConditionalJump] {
    var listing = JumpListing()
    for line in output.split(separator: UInt8(ascii: "\n")) {
      if let row = MachineRow(line) {
        listing.add(row)
      } else if let function = MachineRow.function(line) {
        listing.function = function
      }
    }
    return listing.jumps.filter { !listing.leadsToTrap($0.target) && !listing.leadsToTrap($0.end) }.map(\.jump)
  }

  /// - Parameter compared: the instruction that set the flags.
  fileprivate init?(_ row: MachineRow, after compared: MachineRow?, in function: UInt64) {
    // A jump has one byte of code and one of distance, or two and four.
    let isLong = row.bytes.first == 0x0f
    let code = row.bytes.dropFirst(isLong ? 1 : 0).first ?? 0
    guard code & 0xf0 == (isLong ? 0x80 : 0x70) else { return nil }
    self.function = function
    (address, opcode, opcodeAddress) = (row.address, code, row.address + (isLong ? 1 : 0))
    // Two jumps, one by the parity, decide whether floating-point numbers are equal.
    isOpposable = compared != nil && code & 0x0e != 0x0a
  }
}

/// An instruction, as a line such as `3bb6: 7d 1d` with a tab, the name, another tab and the operands.
private struct MachineRow {
  var address: UInt64
  private var digits: ArraySlice<UInt8>
  var name: ArraySlice<UInt8>
  var operands: ArraySlice<UInt8>

  init?(_ line: ArraySlice<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let tab = line[colon...].firstIndex(of: UInt8(ascii: "\t")),
      let address = Self.number(line[..<colon].drop { $0 == UInt8(ascii: " ") })
    else { return nil }
    self.address = address
    digits = line[(colon + 1)..<tab]
    let text = line[(tab + 1)...]
    name = text.prefix { $0 != UInt8(ascii: "\t") }
    operands = text[name.endIndex...].dropFirst()
  }

  /// Returns the address of a function whose rows follow: it precedes the name, which stands in angle brackets.
  static func function(_ line: ArraySlice<UInt8>) -> UInt64? {
    line.last == UInt8(ascii: ":") ? number(line.prefix { $0 != UInt8(ascii: " ") }) : nil
  }

  var bytes: [UInt8] {
    digits.split(separator: UInt8(ascii: " ")).map { UInt8(truncatingIfNeeded: Self.number($0) ?? 0) }
  }

  func isNamed(_ names: String...) -> Bool { names.contains { name.starts(with: $0.utf8) } }

  /// The address that a jump leads to; nil if it is computed.
  var target: UInt64? {
    operands.starts(with: "0x".utf8) ? Self.number(operands.dropFirst(2).prefix { $0 > UInt8(ascii: " ") }) : nil
  }

  /// Whether it looks at the register in which functions return errors.
  var isAboutError: Bool { operands.contains("%r12".utf8) }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for byte in digits {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return digits.isEmpty ? nil : value
  }
}

/// The jumps found so far, with what is needed to tell where they lead.
private struct JumpListing {
  /// The address of the function that the next rows belong to.
  var function: UInt64 = 0
  private(set) var jumps: [(jump: ConditionalJump, target: UInt64, end: UInt64)] = []
  private var traps: Set<UInt64> = []
  private var ways: [UInt64: UInt64] = [:]
  /// The instruction that set the flags, if it compares.
  private var compared: MachineRow?

  mutating func add(_ row: MachineRow) {
    if row.isNamed("ud2") { traps.insert(row.address) }
    if row.isNamed("j") {
      guard let target = row.target else { return }
      if row.isNamed("jmp") {
        ways[row.address] = target
      } else if compared?.isAboutError != true, let jump = ConditionalJump(row, after: compared, in: function) {
        jumps.append((jump, target, row.address + UInt64(row.bytes.count)))
      }
    } else if row.isNamed("cmp", "test", "sub", "ucomis", "comis") {
      compared = row
    } else if !row.isNamed("mov", "lea", "set", "push", "pop", "nop") {
      compared = nil
    }
  }

  /// Whether there is a trap at an address, or only a way to one.
  func leadsToTrap(_ address: UInt64) -> Bool {
    var place = address
    for _ in 0..<3 {
      guard let next = ways[place] else { break }
      place = next
    }
    return traps.contains(place)
  }
}
