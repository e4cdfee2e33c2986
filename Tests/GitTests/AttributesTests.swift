import Foundation
import Git
import Model
import Testing

@Suite("Attributes")
struct AttributesTests {
  @Test("Line endings and ident are as git checks them out")
  func filters() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let attributes = "*.txt eol=crlf\n*.swift text=auto\n*.bin -text\nid ident\nsub/*.txt eol=lf\n"
    let commit = try origin.commit(
      "One",
      [
        ".gitattributes": attributes, "!first.txt": "1\n", "a.txt": "1\n2\n", "b.swift": "let a = 1\n",
        "c.bin": "1\n", "id": "$Id$\n", "sub/d.txt": "1\n", "sub/e/.gitattributes": "* eol=crlf\n", "sub/e/!f": "1\n",
      ])
    let workspace = scratch.workspace()
    let repository = try Repository(at: origin.path)
    _ = try repository.checkOut(commit, into: workspace)
    try origin.git("worktree", "add", "--quiet", "--detach", "../expected", commit.rawValue)
    var expected = try FileState.all(in: "\(scratch.path)/expected").filter { $0.value.kind == S_IFREG }
    expected[".git"] = nil
    #expect(try workspace.files().mapValues(\.content) == expected.mapValues(\.content))
    #expect(workspace.text("a.txt") == "1\r\n2\r\n")
    #expect(workspace.text("id")?.hasPrefix("$Id: ") == true)
    #expect(try repository.checkOut(commit, into: workspace).written == [])
  }

  @Test("A change of attributes alone changes the files, and their times, and back")
  func changedAttributes() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let one = try origin.commit("One", ["a.txt": "1\n2\n", "b": "3"])
    let two = try origin.commit("Two", [".gitattributes": "*.txt eol=crlf\n"])
    let workspace = scratch.workspace()
    let repository = try Repository(at: origin.path)
    _ = try repository.checkOut(one, into: workspace)
    let first = try workspace.files()
    _ = try repository.checkOut(two, into: workspace)
    let second = try workspace.files()
    #expect(workspace.text("a.txt") == "1\r\n2\r\n")
    #expect(second["a.txt"]?.seconds != first["a.txt"]?.seconds)
    #expect(second["b"]?.time == first["b"]?.time)
    _ = try repository.checkOut(one, into: workspace)
    #expect(workspace.text("a.txt") == "1\n2\n")
    #expect(try workspace.files().mapValues(\.time) == first.mapValues(\.time))
  }

  @Test("Attributes that code under test left in the workspace have no effect")
  func strayAttributes() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let one = try origin.commit("One", ["a.txt": "1\n"])
    let two = try origin.commit("Two", ["a.txt": "2\n"])
    let workspace = scratch.workspace()
    let repository = try Repository(at: origin.path)
    _ = try repository.checkOut(one, into: workspace)
    try Data("*.txt eol=crlf\n".utf8).write(to: URL(fileURLWithPath: workspace.path(".gitattributes")))
    _ = try repository.checkOut(two, into: workspace)
    #expect(workspace.text("a.txt") == "2\n")
    #expect(workspace.text(".gitattributes") == nil)
  }

  @Test("A filter program does not run, and its files stay as they are stored")
  func filterProgram() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    let commit = try origin.commit("One", [".gitattributes": "*.png filter=lfs -text\n", "a.png": pointer])
    try origin.git("config", "filter.lfs.smudge", "touch \(scratch.path)/ran")
    let workspace = scratch.workspace()
    _ = try Repository(at: origin.path).checkOut(commit, into: workspace)
    #expect(workspace.text("a.png") == pointer)
    #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/ran"))
  }
}
