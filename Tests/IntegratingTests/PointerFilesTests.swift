import Git
import Testing

@testable import Integrating

@Suite("Files that Git LFS keeps elsewhere")
struct PointerFilesTests {
  private static let pointer = """
    version https://git-lfs.github.com/spec/v1
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
    size 12345

    """
  private static let attributes = "*.png filter=lfs diff=lfs merge=lfs -text\n"

  private let scratch: Scratch
  private let checkout: Workspace

  init() throws {
    scratch = try Scratch()
    try scratch.folder.folder("origin").create()
    try scratch.shell("git init --quiet origin")
    try scratch.folder.folder("tree/Tests/Resources").create()
    checkout = Workspace(folder: scratch.file("tree"), state: scratch.file("state"))
  }

  private func paths(_ files: [String: String]) throws -> [String] {
    for (name, text) in files { try Folder(checkout.folder).write(text, to: name) }
    return try PointerFiles.paths(in: checkout, of: Repository(at: scratch.file("origin")))
  }

  @Test("are found where pointers were checked out, and not where the files themselves are")
  func found() throws {
    let found = try paths([
      ".gitattributes": Self.attributes, "Tests/Resources/b.png": Self.pointer, "a.png": Self.pointer,
      "fetched.png": "\u{89}PNG", "long.png": Self.pointer + String(repeating: "x", count: 1024),
    ])
    #expect(found == ["Tests/Resources/b.png", "a.png"])
  }

  @Test("are found by the attributes of their own folder, and a text that only looks like one is none")
  func nested() throws {
    let found = try paths([
      "Tests/.gitattributes": Self.attributes, "Tests/Resources/b.png": Self.pointer, "a.png": Self.pointer,
      "Tests/notes.txt": Self.pointer,
    ])
    #expect(found == ["Tests/Resources/b.png"])
  }

  @Test("are not those for which a folder undoes the attributes of the one around it")
  func undone() throws {
    let found = try paths([
      ".gitattributes": Self.attributes, "Tests/Resources/.gitattributes": "*.png -filter\n",
      "Tests/Resources/b.png": Self.pointer, "a.png": Self.pointer,
    ])
    #expect(found == ["a.png"])
  }

  @Test("are not looked for in a repository that does not use it")
  func unused() throws {
    #expect(try paths(["a.png": Self.pointer]).isEmpty)
    #expect(try paths([".gitattributes": "*.sh eol=lf\n"]).isEmpty)
  }
}
