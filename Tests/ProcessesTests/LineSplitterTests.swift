import Processes
import Testing

@Suite("A line splitter")
struct LineSplitterTests {
  private func lines(_ pieces: [[UInt8]], limit: Int = 1000) -> [LineSplitter.Line] {
    var splitter = LineSplitter(limit: limit)
    var lines: [LineSplitter.Line] = []
    for piece in pieces { splitter.feed(piece[...]) { lines.append($0) } }
    splitter.finish { lines.append($0) }
    return lines
  }

  private func texts(_ lines: [LineSplitter.Line]) -> [String] {
    lines.map { String(decoding: $0.bytes, as: UTF8.self) + ($0.cut > 0 ? "+\($0.cut)" : "") }
  }

  @Test("gives the same lines however the bytes are cut", arguments: 1...12)
  func pieces(size: Int) {
    let bytes = Array("one\n\ntwo\r\nthree and \0\nlast".utf8)
    let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    #expect(texts(lines(pieces)) == ["one", "", "two\r", "three and \0", "last"])
    #expect(texts(lines(pieces, limit: 3)) == ["one", "", "two+1", "thr+8", "las+1"])
    #expect(texts(lines(pieces, limit: 0)) == ["+3", "", "+4", "+11", "+4"])
  }

  @Test("keeps bytes that are not text")
  func hostile() {
    #expect(lines([[0xff, 0xc3], [0x0a, 0x80]]).map { Array($0.bytes) } == [[0xff, 0xc3], [0x80]])
  }

  @Test("has no line after the last line feed, and none for nothing")
  func nothing() {
    #expect(lines([]).isEmpty)
    #expect(texts(lines([Array("a\n".utf8)])) == ["a"])
  }
}
