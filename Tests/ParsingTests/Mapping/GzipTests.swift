import Parsing
import Testing

@Suite("Files as gzip writes them")
struct GzipTests {
  private let text = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })

  @Test("are expanded to what was compressed")
  func roundTrip() throws {
    #expect(Gzip.expand(try #require(Gzip.compress(text))) == text)
    #expect(Gzip.expand(try #require(Gzip.compress([]))) == [])
  }

  @Test("are refused if they end early, are none, or expand to too much")
  func damaged() throws {
    let compressed = try #require(Gzip.compress(text))
    #expect(Gzip.expand(Array(compressed.dropLast(9))) == nil)
    #expect(Gzip.expand(text) == nil)
    #expect(Gzip.expand([]) == nil)
    #expect(Gzip.expand(compressed, limit: 99_999) == nil)
    #expect(Gzip.expand(compressed, limit: 100_000) == text)
  }
}
