import FoundationEssentials
import Glibc
import Testing

@testable import Integrating

@Suite("Files on their way between machines")
struct FileStreamTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func stream(_ files: [(String, String)], isWhole: Bool = true) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for (path, text) in files { try FileStream.write(path, Array(text.utf8)) { bytes += $0 } }
    if isWhole { try FileStream.writeEnd { bytes += $0 } }
    return bytes
  }

  @Test("Every file arrives whole, however the stream is cut into pieces", arguments: [1, 2, 7, 100_000])
  func pieces(size: Int) throws {
    let files = [
      ("a", "1\n2"), ("empty", ""), ("deep/er/b", "{}\n\n"), ("deep/c", String(repeating: "x", count: 1000)),
    ]
    let bytes = try stream(files)
    let reader = FileStreamReader(into: scratch.folder)
    for start in stride(from: 0, to: bytes.count, by: size) {
      try reader.take(bytes[start..<min(start + size, bytes.count)])
    }
    #expect(reader.isComplete)
    for (path, text) in files { #expect(scratch.text(path) == text, "\(path)") }
    #expect(reader.paths == Set(files.map(\.0)))
  }

  @Test("What comes behind the end of a stream is none of it")
  func behind() throws {
    let reader = FileStreamReader(into: scratch.folder)
    let bytes = try stream([("a", "1")]) + Array("more\n".utf8)
    #expect(try reader.take(bytes[...]) == Array("more\n".utf8)[...])
    #expect(reader.isComplete && reader.paths == ["a"])
  }

  @Test("A file of the disk keeps its bytes and whether it can be executed")
  func disk() throws {
    try scratch.folder.write("#!/bin/sh\n", to: "tool")
    chmod(scratch.file("tool"), 0o755)
    let reader = FileStreamReader(into: try scratch.folder.folder("there").create())
    try FileStream.write("bin/tool", from: scratch.file("tool"), isExecutable: true) { try reader.take($0[...]) }
    try FileStream.writeEnd { try reader.take($0[...]) }
    #expect(scratch.text("there/bin/tool") == "#!/bin/sh\n")
    #expect(access(scratch.file("there/bin/tool"), X_OK) == 0)
  }

  @Test("A stream that was cut is not complete")
  func cut() throws {
    let bytes = try stream([("a", "12345")])
    for count in 0..<bytes.count {
      let reader = FileStreamReader(into: try scratch.folder.folder("\(count)").create())
      try reader.take(bytes.prefix(count))
      #expect(!reader.isComplete)
    }
  }

  @Test(
    "A path that leads elsewhere is refused, and so is one that comes twice",
    arguments: ["../a", "/etc/passwd", "a/../../b", "a//b", "./a", "a/", "a\u{0}b"])
  func hostile(path: String) throws {
    let inner = try scratch.folder.folder("inner").create()
    #expect(throws: IntegratingError.self) {
      try FileStreamReader(into: inner).take(try stream([(path, "1")])[...])
    }
    #expect(inner.names() == [])
    #expect(!FileStream.isInner(path))
    #expect(throws: IntegratingError.self) {
      try FileStreamReader(into: inner).take(try stream([("a", "1"), ("a", "2")])[...])
    }
  }

  @Test("What is no stream is told as such")
  func damaged() throws {
    let reader = FileStreamReader(into: scratch.folder)
    let error = #expect(throws: IntegratingError.self) { try reader.take(Array("Welcome to Debian!\n".utf8)[...]) }
    #expect(
      error?.description
        == "cannot read the files that another machine sent: the stream is damaged. Check that both run the same martlet."
    )
  }
}
