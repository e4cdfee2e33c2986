import Parsing
import Testing

@Suite("Damaged serialized diagnostics")
struct DamagedDiagnosticsTests {
  private static let names = DiagnosticFixture.names(in: "dia", suffix: ".dia")

  private func reason(_ bytes: [UInt8]) -> String? {
    do {
      _ = try SerializedDiagnostics.read(bytes, named: "Core.build/A.dia", relativise: { _ in nil })
      return nil
    } catch {
      return error.description
    }
  }

  @Test("An empty file is refused by name")
  func empty() {
    #expect(
      reason([]) == "Cannot read the diagnostics in 'Core.build/A.dia': it is empty. "
        + "Build again to have the file written anew.")
  }

  @Test("A file of another kind is refused")
  func otherKind() {
    #expect(
      reason(Array("#!/bin/sh".utf8)) == "Cannot read the diagnostics in 'Core.build/A.dia': it does not begin with "
        + "'DIAG'. Build again to have the file written anew.")
  }

  @Test("A file that was cut short is refused with the place")
  func cutShort() throws {
    let bytes = try DiagnosticFixture.bytes("dia/garden-Tools.dia")
    #expect(
      reason(Array(bytes.prefix(1000))) == "Cannot read the diagnostics in 'Core.build/A.dia' at byte 1000: "
        + "it ends too early. Build again to have the file written anew.")
  }

  @Test("A newer version of the format is refused")
  func newerVersion() {
    let bytes = BitWriter.file { file in
      file.block(8) { $0.record(1, [3]) }
    }
    #expect(
      reason(bytes) == "Cannot read the diagnostics in 'Core.build/A.dia': its format has version 3, newer than the "
        + "known 2. Build again to have the file written anew.")
  }

  @Test("No truncation traps", arguments: names)
  func truncations(name: String) throws {
    let bytes = try DiagnosticFixture.bytes("dia/\(name).dia")
    let whole = try DiagnosticFixture.serialized(name)
    for length in stride(from: 0, to: bytes.count, by: 13) {
      let cut = Array(bytes.prefix(length))
      // What is left may end between two blocks; then it says less, but nothing else.
      guard reason(cut) == nil else { continue }
      let found = try SerializedDiagnostics.read(cut, named: name, relativise: DiagnosticFixture.relative(to: nil))
      #expect(found == Array(whole.prefix(found.count)))
    }
  }

  @Test("No flipped bit traps", arguments: names)
  func bitFlips(name: String) throws {
    var bytes = try DiagnosticFixture.bytes("dia/\(name).dia")
    var refused = 0
    for bit in stride(from: 0, to: bytes.count * 8, by: 29) {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      if reason(bytes) != nil { refused += 1 }
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    #expect(refused > 0)
  }
}
