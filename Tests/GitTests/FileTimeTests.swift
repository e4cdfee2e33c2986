import Testing

@testable import Git

@Suite("The time of a content")
struct FileTimeTests {
  private static let path = RelativePath("A.swift")

  @Test("Two contents never share a whole second, and every time lies between 1987 and 2021")
  func seconds() throws {
    var random = Random(state: 42)
    var last: FileTime?
    for _ in 0..<20_000 {
      let digits = (0..<40).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" }
      let time = FileTime(of: try #require(ObjectID(hexadecimal: String(digits))), at: Self.path, beside: nil)
      #expect(time.seconds >= 1 << 29 && time.seconds < 1 << 29 + 1 << 30)
      #expect(time.nanoseconds >= 0 && time.nanoseconds < 1_000_000_000)
      #expect(time.seconds != last?.seconds)
      last = time
    }
  }

  @Test("Contents that differ in one letter differ in the second")
  func edits() {
    let text = Array("let answer = 42\n".utf8)
    var seen: Set<Int> = []
    for position in text.indices {
      for byte in UInt8(32)..<127 where byte != text[position] {
        var edited = text
        edited[position] = byte
        #expect(seen.insert(FileTime(of: ObjectID(hashing: edited), at: Self.path, beside: nil).seconds).inserted)
      }
    }
    #expect(seen.count == text.count * 94 + 1)
  }

  @Test("The same content has the same time on every machine and in every release")
  func fixed() throws {
    let id = ObjectID(hashing: Array("hello\n".utf8))
    #expect(id.hexadecimal == "ce013625030ba8dba906f756967f9e9ca394464a")
    #expect(FileTime(of: id, at: Self.path, beside: nil) == FileTime(seconds: 1400917385, nanoseconds: 346063067))
  }

  /// A small generator, so that the test is the same each time; see https://en.wikipedia.org/wiki/Xorshift.
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }
}
