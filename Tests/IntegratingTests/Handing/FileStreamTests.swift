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
    try SessionReader(of: try stream(files), pieces: size).files(into: scratch.folder)
    for (path, text) in files { #expect(scratch.text(path) == text, "\(path)") }
    #expect(Set(scratch.folder.filesBeneath()) == Set(files.map(\.0)))
  }

  @Test("What comes behind the end of a stream is none of it")
  func behind() throws {
    let reader = SessionReader(of: try stream([("a", "1")]) + (try ["more"].jsonLine))
    try reader.files(into: scratch.folder)
    #expect(scratch.folder.filesBeneath() == ["a"])
    #expect(try reader.value([String].self) == ["more"])
  }

  @Test("A file of the disk keeps its bytes and whether it can be executed")
  func disk() throws {
    try scratch.folder.write("#!/bin/sh\n", to: "tool")
    chmod(scratch.file("tool"), 0o755)
    var bytes: [UInt8] = []
    try FileStream.write("bin/tool", from: scratch.file("tool"), isExecutable: true) { bytes += $0 }
    try FileStream.writeEnd { bytes += $0 }
    try SessionReader(of: bytes).files(into: try scratch.folder.folder("there").create())
    #expect(scratch.text("there/bin/tool") == "#!/bin/sh\n")
    #expect(access(scratch.file("there/bin/tool"), X_OK) == 0)
  }

  @Test("A stream that was cut is not complete")
  func cut() throws {
    let bytes = try stream([("a", "12345")])
    for count in 0..<bytes.count {
      let folder = try scratch.folder.folder("\(count)").create()
      #expect(throws: IntegratingError.self) { try SessionReader(of: Array(bytes.prefix(count))).files(into: folder) }
    }
  }

  @Test(
    "A path that leads elsewhere is refused, and so is one that comes twice",
    arguments: ["../a", "/etc/passwd", "a/../../b", "a//b", "./a", "a/", "a\u{0}b"])
  func hostile(path: String) throws {
    let inner = try scratch.folder.folder("inner").create()
    #expect(throws: IntegratingError.self) {
      try SessionReader(of: try stream([(path, "1")])).files(into: inner)
    }
    #expect(inner.names() == [])
    #expect(!FileStream.isInner(path))
    #expect(throws: IntegratingError.self) {
      try SessionReader(of: try stream([("a", "1"), ("a", "2")])).files(into: inner)
    }
  }

  @Test("What is no stream is told as such")
  func damaged() throws {
    let reader = SessionReader(of: Array("Welcome to Debian!\n".utf8))
    let error = #expect(throws: IntegratingError.self) { try reader.files(into: scratch.folder) }
    #expect(
      error?.description
        == "cannot read the files that another machine sent: the stream is damaged. Check that both run the same martlet."
    )
  }
}
