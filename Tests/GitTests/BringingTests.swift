import Foundation
import Git
import Model
import Testing

@Suite("A workspace for what is released")
struct BringingTests {
  @Test("keeps nothing that the commit does not have, ignored files first of all")
  func ignored() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.commit("First", ["a": "a", ".gitignore": "*.o\nout/\n", "b/c": "c"])
    var workspace = scratch.workspace()
    workspace.keepsIgnored = false
    let repository = try Repository(at: origin.path)
    _ = try repository.checkOut(commit, into: workspace)
    for name in ["x.o", "b/y.o", "new"] { try Data("x".utf8).write(to: URL(filePath: "\(workspace.folder)/\(name)")) }
    try FileManager.default.createDirectory(atPath: "\(workspace.folder)/out/deep", withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: "\(workspace.folder)/out/deep/z"))
    _ = try repository.checkOut(commit, into: workspace)
    #expect(try workspace.files().keys.sorted() == [".gitignore", "a", "b/c"])
  }

  @Test("is brought what another has, whatever stands in its place, until the next checkout")
  func bringing() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.commit("First", ["a": "a", "b": "b", "c/d": "d", "e/f": "f"])
    let repository = try Repository(at: origin.path)
    let (source, target) = (scratch.workspace("one"), scratch.workspace("two"))
    for workspace in [source, target] { _ = try repository.checkOut(commit, into: workspace) }
    func shell(_ script: String, in folder: String) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-ec", script]
      process.currentDirectoryURL = URL(filePath: folder)
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    try shell(
      "echo changed >a; rm b; mkdir -p new/deep; echo new >new/deep/g; ln -s a link; rm -r c; echo file >c",
      in: source.folder)
    try shell("ln -s /etc new", in: target.folder)
    try target.bring(["a", "b", "c", "c/d", "link", "new/deep/g", "none"], from: source)
    let files = try target.files()
    #expect(files.keys.sorted() == ["a", "c", "e/f", "link", "new/deep/g"])
    #expect(target.text("a") == "changed\n")
    #expect(target.text("new/deep/g") == "new\n")
    #expect(files["link"]?.kind == S_IFLNK)
    _ = try repository.checkOut(commit, into: target)
    #expect(try target.files().keys.sorted() == ["a", "b", "c/d", "e/f"])
  }
}
