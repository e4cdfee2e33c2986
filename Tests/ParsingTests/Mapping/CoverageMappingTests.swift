import Model
import Testing

@testable import Parsing

@Suite("The coverage mapping of a program")
struct CoverageMappingTests {
  private static let packages = ["Conditionals", "Headers"]

  @Test("With its counters it says what llvm-cov says of files, functions, regions and branches", arguments: packages)
  func counts(package: String) throws {
    var mapped = MappedPrograms()
    try mapped.add(image: CoverageFixture.bytes("\(package)-mapping.elf"))
    var totals = CounterTotals()
    try totals.add(CoverageFixture.bytes("\(package).profraw"))
    let own = mapped.export(totals)
    let told = try CoverageFixture.export("\(package)-mapping")
    #expect(told.files.count > 2)
    #expect(own.files.map(\.name) == told.files.map(\.name))
    for (one, other) in zip(own.files, told.files) {
      #expect(Array(own.segments[one.segments]) == Array(told.segments[other.segments]), "\(one.name)")
      #expect(one.summary == other.summary, "\(one.name)")
      #expect(Array(own.conditions[one.conditions]) == Array(told.conditions[other.conditions]), "\(one.name)")
    }
    #expect(functions(of: own) == functions(of: told))
  }

  private struct ToldRegion: Hashable {
    var file: String
    var kind: CoverageExport.Kind
    var span: CoverageRegion
  }

  private struct ToldFunction: Hashable {
    var symbol: String
    var count: UInt64
    var file: String?
    var regions: [ToldRegion]
  }

  private func functions(of export: CoverageExport) -> Set<ToldFunction> {
    Set(
      export.functions.map { function in
        ToldFunction(
          symbol: function.symbol, count: function.count, file: function.file.map { export.names[$0] },
          regions: export.regions[function.regions].map {
            ToldRegion(file: export.names[$0.file], kind: $0.kind, span: $0.span)
          })
      })
  }

  @Test("What is cut off or damaged is refused or read in part, and never read past", arguments: packages)
  func damage(package: String) throws {
    let program = try CoverageFixture.bytes("\(package)-mapping.elf")
    let counters = try CoverageFixture.bytes("\(package).profraw")
    for length in stride(from: 0, to: program.count, by: 499) {
      _ = try? CoverageMapping(Array(program.prefix(length)))
    }
    for length in stride(from: 0, to: counters.count, by: 499) { _ = try? RawProfile(Array(counters.prefix(length))) }
    for index in stride(from: 0, to: program.count, by: 251) {
      var changed = program
      changed[index] ^= 0xFF
      _ = try? CoverageMapping(changed)
    }
    for index in stride(from: 0, to: counters.count, by: 251) {
      var changed = counters
      changed[index] ^= 0xFF
      _ = try? RawProfile(changed)
    }
  }

  @Test("What is no program, and no profile, is refused in words")
  func foreign() {
    #expect(throws: ParsingError.self) { try CoverageMapping(Array("#!/bin/sh\n".utf8)) }
    do {
      _ = try RawProfile(Array("not a profile".utf8))
      Issue.record("it was read")
    } catch {
      #expect(
        "\(error)"
          == "Cannot read the counters of a test process at byte 8: they are no raw profile of LLVM. If the tool ended normally, its format is new to Martlet; please report it."
      )
    }
  }

  @Test("A newer format is told as such")
  func newer() throws {
    var counters = try CoverageFixture.bytes("Conditionals.profraw")
    counters[8] = 11
    do {
      _ = try RawProfile(counters)
      Issue.record("it was read")
    } catch {
      #expect(
        "\(error)"
          == "Cannot read the counters of a test process: their format is version 11, and Martlet knows versions 8 to 10. Use a newer Martlet, or leave 'map' out of the bot's coverage."
      )
    }
  }

  @Test("Names are hashed as in the vectors of RFC 1321")
  func names() {
    let vectors: [(String, UInt64)] = [
      ("", 0x04b2_008f_d98c_1dd4), ("a", 0xa8b6_f1c0_b975_c10c), ("message digest", 0x8d93_b77c_7d69_6bf9),
      (String(repeating: "1234567890", count: 8), 0x55c9_e32b_a2f4_ed57),
    ]
    for (text, hash) in vectors { #expect(MD5.name(of: Array(text.utf8)) == hash, "\(text)") }
  }
}
