import FoundationEssentials
import Processes
import Testing

@testable import Integrating

@Suite("The toolchain")
struct ToolchainTests {
  @Test(
    "The version is the number behind the word",
    arguments: [
      ("Swift version 6.3.1 (swift-6.3.1-RELEASE)", 6, 3), ("Swift version 6.0 (swift-6.0-RELEASE)", 6, 0),
      ("Swift version 5.10.1 (swift-5.10.1-RELEASE)", 5, 10), ("Swift version 6.4-dev (LLVM 1a2b)", 6, 4),
      ("Apple Swift version 6.1.2 (swiftlang-6.1.2.1.1 clang-1700.0.13.3)", 6, 1), ("Swift version 7", 7, 0),
      ("", 0, 0), ("version", 0, 0), ("Swift version x.y", 0, 0), ("6.3.1", 0, 0),
      ("Swift version 99999999999999999999.1", 0, 1),
    ])
  func version(words: String, major: Int, minor: Int) {
    #expect(Toolchain.version(in: words) == Toolchain.Version(major: major, minor: minor))
  }

  @Test("Versions are compared by number, not by spelling")
  func order() {
    #expect(Toolchain.version(in: "version 5.10") < Toolchain.version(in: "version 6.0"))
    #expect(Toolchain.version(in: "version 6.2") < Toolchain.version(in: "version 6.10"))
    #expect(Toolchain.oldest.description == "6.0")
  }

  /// A toolchain that says what it is told to say, and counts how often it is asked.
  private func fake(_ scratch: Scratch, version: String, status: Int = 0) throws -> String {
    let bin = try scratch.folder.folder("bin").create()
    try bin.write("#!/bin/sh\nexit 1\n", to: "swift")
    let answer = #"{"compilerVersion": "\#(version)", "paths": {"runtimeResourcePath": "/nowhere/usr/lib/swift"}}"#
    try bin.write(
      "#!/bin/sh\necho asked >>\(scratch.file("asked"))\ncat <<'END'\n\(answer)\nEND\nexit \(status)\n", to: "swiftc")
    for name in ["swift", "swiftc"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bin.file(name))
    }
    return "\(bin.path):/usr/bin:/bin"
  }

  private func locate(_ searchPath: String, _ scratch: Scratch) throws -> Toolchain {
    try Toolchain.locate(
      searchPath: searchPath, memory: scratch.folder.folder("memory"), cancellation: Cancellation())
  }

  @Test("An unchanged compiler is asked once; a changed one again")
  func remembered() throws {
    let scratch = try Scratch()
    let path = try fake(scratch, version: "Swift version 6.2 (fake)")
    let toolchain = try locate(path, scratch)
    #expect(toolchain.name == "Swift version 6.2 (fake)")
    #expect(toolchain.programs == scratch.file("bin"))
    #expect(toolchain.program("llvm-cov") == scratch.file("bin/llvm-cov"))
    #expect(try locate(path, scratch) == toolchain)
    #expect(scratch.text("asked") == "asked\n")
    _ = try fake(scratch, version: "Swift version 6.3 (fake)")
    #expect(try locate(path, scratch).version == Toolchain.Version(major: 6, minor: 3))
  }

  @Test("A compiler that was rebuilt in place is another toolchain, though it says the same of itself")
  func rebuilt() throws {
    let scratch = try Scratch()
    let path = try fake(scratch, version: "Swift version 6.2 (fake)")
    let first = try locate(path, scratch)
    try scratch.folder.folder("bin").write("rebuilt", to: "swift-frontend")
    let second = try locate(path, scratch)
    #expect(second.name == first.name)
    #expect(second != first)
    #expect(try locate(path, scratch) == second)
  }

  @Test("A link that leads to another toolchain now is asked over")
  func otherLink() throws {
    let scratch = try Scratch()
    let path = try fake(scratch, version: "Swift version 6.2 (fake)")
    try FileManager.default.copyItem(atPath: scratch.file("bin"), toPath: scratch.file("B"))
    try scratch.link("now", to: scratch.file("bin"))
    let linked = path.replacing(scratch.file("bin"), with: scratch.file("now"))
    let first = try locate(linked, scratch)
    try FileManager.default.removeItem(atPath: scratch.file("now"))
    try scratch.link("now", to: scratch.file("B"))
    #expect(try locate(linked, scratch).stamp != first.stamp)
  }

  @Test("A damaged memory is asked over")
  func damagedMemory() throws {
    let scratch = try Scratch()
    let path = try fake(scratch, version: "Swift version 6.2 (fake)")
    _ = try locate(path, scratch)
    let memory = scratch.folder.folder("memory")
    for name in memory.names() { try memory.write("{", to: name) }
    #expect(try locate(path, scratch).version == Toolchain.Version(major: 6, minor: 2))
  }

  @Test("Too old a toolchain is refused, and nothing is remembered of it")
  func tooOld() throws {
    let scratch = try Scratch()
    let path = try fake(scratch, version: "Swift version 5.10 (fake)")
    #expect(
      throws: IntegratingError(
        .service,
        "the Swift toolchain at \(scratch.file("bin/swift")) is too old: it is Swift version 5.10 (fake), and Martlet works from Swift 6.0 on. Install a newer one (https://www.swift.org/install/linux/) and put its usr/bin folder first on PATH."
      )
    ) {
      try locate(path, scratch)
    }
    #expect(!scratch.folder.holds("memory"))
  }

  @Test("Nonsense instead of an answer is told, with what the compiler said")
  func nonsense() throws {
    let scratch = try Scratch()
    let bin = try scratch.folder.folder("bin").create()
    for name in ["swift", "swiftc"] {
      try bin.write("#!/bin/sh\necho 'cannot load libswift' >&2\nexit 127\n", to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bin.file(name))
    }
    #expect(
      throws: IntegratingError(
        .service,
        "cannot understand what \(bin.file("swiftc")) says about itself: cannot load libswift. Martlet works from Swift 6.0 on; install a newer toolchain and put it first on PATH."
      )
    ) {
      try locate("\(bin.path):/usr/bin:/bin", scratch)
    }
  }

  @Test("Without a swift on the search path the way to one is told")
  func missing() throws {
    let scratch = try Scratch()
    try scratch.folder.folder("empty/swift").create()
    #expect(
      throws: IntegratingError(
        .service,
        "no Swift toolchain: there is no 'swift' in any folder of PATH. Install Swift 6.0 or newer (https://www.swift.org/install/linux/) and put its usr/bin folder on PATH."
      )
    ) {
      try locate("\(scratch.file("empty")):/nowhere", scratch)
    }
  }
}
