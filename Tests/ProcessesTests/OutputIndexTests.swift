import FoundationEssentials
import Testing

@testable import Processes

@Suite("The index of a log")
struct OutputIndexTests {
  private func lines(_ path: String) throws -> [String] {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("tells of each piece when it came, from where, and its place and length")
  func pieces() throws {
    let scratch = try Scratch()
    let index = try OutputIndex(path: scratch.file("index"))
    try index.note(5, of: nil, at: .zero, offset: 0)
    try index.note(10, of: .standardOutput, at: .microseconds(3400), offset: 5)
    try index.note(7, of: .standardOutput, at: .microseconds(3900), offset: 15)
    try index.note(1, of: .standardError, at: .microseconds(3950), offset: 22)
    try index.note(2, of: .standardOutput, at: .seconds(61), offset: 23)
    try index.close()
    #expect(
      try lines(scratch.file("index")) == [
        "0\town\t0\t5", "3\tout\t5\t17", "3\terr\t22\t1", "61000\tout\t23\t2",
      ])
  }
}
