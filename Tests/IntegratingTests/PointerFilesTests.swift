import Testing

@testable import Integrating

@Suite("Files that Git LFS keeps elsewhere")
struct PointerFilesTests {
  private static let pointer = """
    version https://git-lfs.github.com/spec/v1
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
    size 12345

    """

  @Test("are found where pointers were checked out, and not where the files themselves are")
  func found() throws {
    let scratch = try Scratch()
    try scratch.folder.folder("Tests/Resources").create()
    try scratch.folder.write("*.png filter=lfs diff=lfs merge=lfs -text\n", to: ".gitattributes")
    for name in ["Tests/Resources/b.png", "a.png"] { try scratch.folder.write(Self.pointer, to: name) }
    try scratch.folder.write("\u{89}PNG", to: "fetched.png")
    try scratch.folder.write(Self.pointer + String(repeating: "x", count: 1024), to: "long.txt")
    #expect(PointerFiles.paths(in: scratch.folder) == ["Tests/Resources/b.png", "a.png"])
  }

  @Test("are not looked for in a repository that does not use it")
  func unused() throws {
    let scratch = try Scratch()
    try scratch.folder.write(Self.pointer, to: "a.png")
    #expect(PointerFiles.paths(in: scratch.folder).isEmpty)
    try scratch.folder.write("*.sh eol=lf\n", to: ".gitattributes")
    #expect(PointerFiles.paths(in: scratch.folder).isEmpty)
  }
}
