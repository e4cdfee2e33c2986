import Model
import Parsing
import Testing

@Suite("Bitstream")
struct BitstreamTests {
  /// The reason for which a file with these contents is refused.
  private func reason(_ write: (inout BitWriter) -> Void) -> String? {
    do {
      _ = try SerializedDiagnostics.read(BitWriter.file(write), named: "x.dia", relativise: { _ in nil })
      return nil
    } catch {
      return error.reason
    }
  }

  @Test("Unknown blocks and records are passed over, wherever they are")
  func unknown() throws {
    let bytes = BitWriter.file { file in
      file.block(40) { $0.record(77, [1, 2, 3]) }
      file.block(8) {
        $0.block(41) { $0.record(2, []) }
        $0.record(1, [2])
        $0.record(99, [])
      }
      file.block(9) {
        $0.block(42) { _ in }
        $0.record(99, [5])
        $0.record(2, [3, 0, 0, 0, 0, 0, 0, 0])
      }
    }
    let found = try SerializedDiagnostics.read(bytes, named: "x.dia", relativise: { _ in nil })
    #expect(found.map(\.severity) == [.error])
    #expect(found.map(\.message) == [""])
  }

  @Test("A diagnostic must have a message, a known level and a known file")
  func incomplete() {
    #expect(reason { $0.block(9) { _ in } } == "one of its diagnostics has no message")
    #expect(reason { $0.block(9) { $0.record(2, [3]) } } == "one of its records is too short")
    #expect(
      reason { $0.block(9) { $0.record(2, [7, 0, 0, 0, 0, 0, 0, 0]) } }
        == "one of its diagnostics has the unknown level 7")
    #expect(
      reason { $0.block(9) { $0.record(2, [3, 1, 1, 1, 0, 0, 0, 0]) } }
        == "one of its diagnostics names no known file")
    #expect(reason { $0.block(9) { $0.record(6, [1]) } } == "one of its records is too short")
  }

  @Test("Lengths that reach beyond the end are refused before they are used")
  func longLengths() {
    #expect(reason { $0.block(9, words: 0xFFFF_FFFF) { _ in } } == "it ends too early")
    let manyOperands = reason {
      $0.block(9) {
        $0.id(3)
        $0.variable(2, 6)
        $0.variable(UInt64(Int.max), 6)
      }
    }
    #expect(manyOperands == "it ends too early")
  }

  @Test("Blocks may not nest without end")
  func deepNesting() {
    func nested(_ depth: Int, in writer: inout BitWriter) {
      writer.block(9) { if depth > 0 { nested(depth - 1, in: &$0) } }
    }
    #expect(reason { nested(200, in: &$0) } == "it has blocks nested too deeply")
  }

  @Test("An array whose elements take no bits is refused, for it could have any length")
  func emptyElements() {
    let found = reason {
      $0.block(9) {
        $0.id(2)
        $0.variable(3, 5)
        $0.fixed(1, 1)
        $0.variable(2, 8)
        $0.fixed(0, 1)
        $0.fixed(3, 3)
        $0.fixed(0, 1)
        $0.fixed(1, 3)
        $0.variable(0, 5)
      }
    }
    #expect(found == "it has an integer of 0 bits")
  }

  @Test("Integers wider than 64 bits, unknown shapes and stray ends are refused")
  func malformed() {
    let wide = reason {
      $0.block(9) {
        $0.id(3)
        for _ in 0..<30 { $0.fixed(0b100001, 6) }
      }
    }
    #expect(wide == "it has an integer longer than 64 bits")
    #expect(reason { $0.block(9) { $0.id(9) } } == "it has a record of the unknown shape 9")
    #expect(reason { $0.id(0) } == "it has the end of a block that never began")
    let lostAbbreviation = reason {
      $0.block(0) {
        $0.id(2)
        $0.variable(1, 5)
        $0.fixed(1, 1)
        $0.variable(2, 8)
      }
    }
    #expect(lostAbbreviation == "it has an abbreviation for no block")
  }
}
