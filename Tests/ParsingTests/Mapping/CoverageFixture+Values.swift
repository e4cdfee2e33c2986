import Testing

@testable import Parsing

extension CoverageFixture {
  /// What `program` calls the code that makes a value, where it lies there, and how that reads.
  static let (valueSymbol, valueAddress, readableValue) = (
    "$s4Shop5limit_WZ", UInt64(0x1230), "one-time initialization function for limit"
  )

  /// A program that has the mapping of a package, and code that makes a value: one symbol of those that it has is turned
  /// into that, and another one into data if that is asked for.
  static func program(_ package: String = "Conditionals", data: String? = nil) throws -> [UInt8] {
    var program = try bytes("\(package)-mapping.elf")
    let sections = try ObjectSections(program, input: "a program")
    // The first symbol is always empty.
    let entry = try #require(sections[".symtab"].first).lowerBound + 24
    let names = try #require(sections[".strtab"].first).lowerBound
    func rename(_ entry: Int, _ name: String, _ kind: UInt8) {
      let start = names + number(in: program, at: entry, 4)
      let text = Array(name.utf8) + [0]
      program.replaceSubrange(start..<start + text.count, with: text)
      program[entry + 4] = kind
    }
    rename(entry, valueSymbol, 2)
    // Behind it is another one.
    if let data { rename(entry + 24, data, 1) }
    for index in 0..<8 { program[entry + 8 + index] = UInt8(truncatingIfNeeded: valueAddress >> (8 * index)) }
    return program
  }

  private static func number(in bytes: [UInt8], at start: Int, _ length: Int) -> Int {
    bytes[start..<start + length].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension ObserverRecord {
  /// A record of a word of the first counters that grew.
  static func counted(_ word: Int, by growth: UInt64 = 1) -> ObserverRecord {
    func short(_ number: UInt64) -> [UInt8] {
      stride(from: 0, to: 35, by: 7).map { UInt8(truncatingIfNeeded: number >> $0 & 127 | 128) } + [0]
    }
    return ObserverRecord(kind: .counted, bytes: ([0] + short(UInt64(word)) + short(growth))[...])
  }

  /// A record of a value that begins to be made, or ceases to.
  static func value(
    _ kind: Kind, at address: UInt64 = CoverageFixture.valueAddress, in path: String = "/build/Shop.xctest"
  ) -> ObserverRecord {
    func bytes(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    return ObserverRecord(kind: kind, bytes: (bytes(address) + bytes(UInt64(path.utf8.count)) + path.utf8)[...])
  }
}
