import Model
import Testing

@Suite("Search by bytes")
struct ByteSearchTests {
  @Test(
    "It finds the first place of an ASCII text, or none",
    arguments: [("a in b in c", " in ", 1), (" i in ", " in ", 2), ("aab", "ab", 1), ("é in ü", " in ", 2)])
  func found(text: String, wanted: String, offset: Int) throws {
    let range = try #require(text.firstRange(ofASCII: wanted))
    #expect(text[range] == wanted)
    #expect(text.utf8.distance(from: text.startIndex, to: range.lowerBound) == offset)
    #expect(text[range.upperBound...].firstRange(ofASCII: wanted).map { text[$0] } ?? wanted[...] == wanted)
  }

  @Test(
    "What is not there, or only begins at the end, is not found",
    arguments: [("abc", "x"), ("abc i", " in "), ("", "a"), ("a", "")])
  func missing(text: String, wanted: String) {
    #expect(text.firstRange(ofASCII: wanted) == nil)
  }

  @Test("Bytes are found from the beginning of a slice on, and nothing in nothing")
  func bytes() {
    let bytes = Array("abcabc".utf8)
    let wanted = Array("bc".utf8)
    #expect(bytes[...].firstRange(ofBytes: wanted) == 1..<3)
    #expect(bytes[2...].firstRange(ofBytes: wanted) == 4..<6)
    #expect(bytes[5...].firstRange(ofBytes: wanted) == nil)
    #expect(([] as [UInt8])[...].firstRange(ofBytes: wanted) == nil)
    #expect(bytes[...].firstRange(ofBytes: []) == nil)
  }
}
