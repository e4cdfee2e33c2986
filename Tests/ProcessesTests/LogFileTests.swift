import Glibc
import Processes
import Testing

@Suite("A log")
struct LogFileTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func log(head: Int, tail: Int, _ pieces: [String]) throws -> String {
    let log = try LogFile(path: scratch.file("log"), limit: .init(head: head, tail: tail))
    for piece in pieces { try log.append(piece) }
    try log.close()
    return String(decoding: try scratch.read("log"), as: UTF8.self)
  }

  @Test("keeps everything that fits", arguments: [["abcdefghij"], ["abcde", "fghij"], ["abcdefg", "", "h", "ij"]])
  func fits(pieces: [String]) throws {
    #expect(try log(head: 6, tail: 4, pieces) == "abcdefghij")
    #expect(try log(head: 10, tail: 0, pieces) == "abcdefghij")
    #expect(try log(head: 0, tail: 10, pieces) == "abcdefghij")
    #expect(try log(head: 100, tail: 100, pieces) == "abcdefghij")
  }

  @Test(
    "keeps the beginning and the end of more, and says how much it cut",
    arguments: [
      ["abcdefghijklmnop"], ["abc", "defg", "hijklmnop"], ["abcdefghijk", "lm", "n", "o", "p"],
      "abcdefghijklmnop".map(String.init),
    ])
  func cut(pieces: [String]) throws {
    #expect(
      try log(head: 4, tail: 5, pieces)
        == "abcd\n[Martlet cut 7 bytes here. This log keeps the first 4 and the last 5 bytes.]\nlmnop")
    #expect(
      try log(head: 4, tail: 0, pieces)
        == "abcd\n[Martlet cut 12 bytes here. This log keeps the first 4 and the last 0 bytes.]\n")
    #expect(
      try log(head: 0, tail: 1, pieces)
        == "[Martlet cut 15 bytes here. This log keeps the first 0 and the last 1 bytes.]\np")
  }

  @Test("does not add an empty line before its note")
  func lineBreak() throws {
    #expect(
      try log(head: 2, tail: 2, ["a\n", "bcd\n"])
        == "a\n[Martlet cut 2 bytes here. This log keeps the first 2 and the last 2 bytes.]\nd\n")
  }

  @Test("knows whether its last line goes on, also of what it cut")
  func midLine() throws {
    let log = try LogFile(path: scratch.file("log"), limit: .init(head: 2, tail: 0))
    #expect(!log.isMidLine)
    for (piece, isMidLine) in [("a", true), ("", true), ("b\n", false), ("", false), ("c", true)] {
      try log.append(piece)
      #expect(log.isMidLine == isMidLine)
    }
    try log.close()
  }

  @Test("has its beginning in the file at once, and nothing beside it")
  func live() throws {
    let log = try LogFile(path: scratch.file("log"), limit: .init(head: 3, tail: 3))
    try log.append("abcde")
    #expect(try scratch.read("log") == Array("abc".utf8))
    #expect(try shell("ls \"$1\"", [scratch.path]).output().text == "log\n")
    #expect(log.byteCount == 5)
    #expect(log.cutBytes == 0)
    try log.append("fgh")
    #expect(log.cutBytes == 2)
  }

  @Test("bounds fifty megabytes of a program's output")
  func large() throws {
    let log = try LogFile(path: scratch.file("log"), limit: .init(head: 1000, tail: 1_000_000))
    _ = try shell("echo begin; head -c 50000000 /dev/zero; echo end")
      .run(limits: Limits(), cancellation: Cancellation()) { try log.append($0.bytes) }
    try log.close()
    #expect(log.byteCount == 50_000_010)
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
    let note = "\n[Martlet cut 48999010 bytes here. This log keeps the first 1000 and the last 1000000 bytes.]\n"
    // Compared outside, since a failed expectation would look for the difference of millions of elements.
    let expected = Array("begin\n".utf8) + zeros(994) + Array(note.utf8) + zeros(999_996) + Array("end\n".utf8)
    let isExact = try scratch.read("log") == expected
    #expect(isExact)
  }

  @Test("that cannot be created says what to do")
  func missingFolder() throws {
    let error = try #require(throws: ProcessError.self) { try LogFile(path: "/no/such/folder/log") }
    #expect(error.code == .log)
    #expect(
      error.description
        == "Could not create the log “/no/such/folder/log”: no such file or directory. Create the folder that it "
        + "belongs in, and run it again.")
  }

  @Test("on a full disk ends the run and says so")
  func fullDisk() throws {
    let log = try LogFile(path: "/dev/full")
    let error = try #require(throws: ProcessError.self) {
      try shell("echo a; exec sleep 1000").run(limits: Limits(), cancellation: Cancellation()) {
        try log.append($0.bytes)
      }
    }
    #expect(
      error.description
        == "Could not write the log “/dev/full”: no space left on device. Make room on that disk, and run it again.")
  }
}
