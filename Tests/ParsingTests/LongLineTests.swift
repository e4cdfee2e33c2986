import Testing

@testable import Parsing

@Suite("Lines of any length")
struct LongLineTests {
  private func lines(_ text: [UInt8], chunk: Int, limit: Int) -> [[UInt8]] {
    var splitter = LineSplitter(limit: limit)
    var lines: [[UInt8]] = []
    for start in stride(from: 0, to: text.count, by: chunk) {
      lines += splitter.consume(text[start..<min(start + chunk, text.count)])
    }
    return lines + [splitter.finish()].compactMap(\.self)
  }

  @Test("However the bytes arrive, the beginning and the end of a long line stay", arguments: [1, 2, 3, 7, 64, 1000])
  func chunks(chunk: Int) {
    let text = Array("ab\n\n0123456789\n\(String(repeating: "x", count: 99))yz\nlast".utf8)
    #expect(
      lines(text, chunk: chunk, limit: 8).map { String(decoding: $0, as: UTF8.self) } == [
        "ab", "", "0123 … 2 bytes left out … 6789", "xxxx … 93 bytes left out … xxyz", "last",
      ])
  }

  @Test("A sequence that is no block of memory is read all the same")
  func sequence() {
    var splitter = LineSplitter(limit: 8)
    var lines: [[UInt8]] = []
    lines += splitter.consume(Swift.sequence(first: UInt8(8)) { $0 < 12 ? $0 + 1 : nil })
    #expect(lines == [[8, 9]])
    #expect(splitter.finish() == [11, 12])
  }

  @Test("Something is found last, wherever it lies")
  func finding() {
    let bytes = Array("abcabc".utf8)
    #expect(bytes.lastIndex(of: Array("bc".utf8)) == 4)
    #expect(bytes.lastIndex(of: Array("cb".utf8)) == nil)
  }
}
