import Model
import Testing

@testable import Parsing

@Suite("The coverage mapping of a program")
struct CoverageMappingTests {
  private static let packages = ["Conditionals", "Headers"]

  /// All that a process counted, as if it had begun at zero.
  private static func changes(in bytes: [UInt8], _ profile: RawProfile) -> [(word: Int, by: UInt64)] {
    profile.functions.flatMap(\.words).map { word in
      (word, (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[word * 8 + $1]) << (8 * UInt64($1)) })
    }.filter { $0.by > 0 }
  }

  @Test("Every region of every function that ran counts what llvm-cov says", arguments: packages)
  func counts(package: String) throws {
    let mapping = try CoverageMapping(CoverageFixture.bytes("\(package)-mapping.elf"))
    let bytes = try CoverageFixture.bytes("\(package).profraw")
    let profile = try RawProfile(bytes)
    let export = try CoverageFixture.export("\(package)-mapping")
    var told: Set<CountedRegion> = []
    for function in export.functions where function.count > 0 {
      for region in export.regions[function.regions] where region.kind == .code {
        told.insert(CountedRegion(file: export.names[region.file], region: region.span))
      }
    }
    var found: Set<CountedRegion> = []
    for (identity, counters) in profile.counts(Self.changes(in: bytes, profile)) {
      let function = try #require(mapping.functions[identity])
      for (region, count) in zip(function.regions, function.counts(counters)) where !region.isGap {
        let span = CoverageRegion(start: region.start, end: region.end, count: count)
        found.insert(CountedRegion(file: region.file, region: span))
      }
    }
    #expect(told.count > 10)
    #expect(told.subtracting(found) == [])
    // Of a function with a counter that ran though its body did not, llvm-cov counts nothing.
    #expect(found.subtracting(told).allSatisfy { $0.region.count == 0 })
  }

  private struct CountedRegion: Hashable {
    var file: String
    var region: CoverageRegion
  }

  @Test("What is cut off or damaged is refused or read in part, and never read past", arguments: packages)
  func damage(package: String) throws {
    let program = try CoverageFixture.bytes("\(package)-mapping.elf")
    let counters = try CoverageFixture.bytes("\(package).profraw")
    for length in stride(from: 0, to: program.count, by: 61) { _ = try? CoverageMapping(Array(program.prefix(length))) }
    for length in stride(from: 0, to: counters.count, by: 61) { _ = try? RawProfile(Array(counters.prefix(length))) }
    for index in stride(from: 0, to: program.count, by: 29) {
      var changed = program
      changed[index] ^= 0xFF
      _ = try? CoverageMapping(changed)
    }
    for index in stride(from: 0, to: counters.count, by: 29) {
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
