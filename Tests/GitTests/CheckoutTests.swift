import Foundation
import Git
import Model
import Testing

@Suite("Checking a commit out")
struct CheckoutTests {
  @Test("The workspace gets the commit's files and no repository")
  func files() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.write("script/run.sh", "#!/bin/sh\n")
    try origin.makeExecutable("script/run.sh")
    try origin.link("latest", to: "script/run.sh")
    let commit = try origin.commit(
      "First", ["Package.swift": "// 6.0\n", "Sources/Ünïcode und Platz/é.swift": "let e = 1\n"])
    let workspace = scratch.workspace()
    let summary = try Repository(at: origin.path).checkOut(commit, into: workspace)
    let files = try workspace.files()
    #expect(files.keys.sorted() == ["Package.swift", "Sources/Ünïcode und Platz/é.swift", "latest", "script/run.sh"])
    #expect(files["script/run.sh"]?.isExecutable == true)
    #expect(files["Package.swift"]?.isExecutable == false)
    #expect(files["latest"]?.kind == S_IFLNK)
    #expect(files["latest"]?.bytes == Array("script/run.sh".utf8))
    #expect(workspace.text("Package.swift") == "// 6.0\n")
    #expect(summary.files == 4)
    #expect(summary.written == files.keys.sorted())
  }

  @Test("Nothing in the watched repository changes, not even a modification time")
  func untouched() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let one = try origin.commit("One", ["a": "1", ".gitattributes": "a text eol=crlf\n", "b/c": "2\n"])
    let two = try origin.commit("Two", ["a": "2", "b/d": "3\n"])
    try origin.write("a", "changed\n")
    try origin.write("new", "untracked\n")
    // An index older than the files is what a refresh would rewrite.
    let before = try FileState.all(in: origin.path)
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    for commit in [one, two, one] { _ = try repository.checkOut(commit, into: workspace) }
    _ = try repository.changes()
    _ = try repository.checkOutWorkingTree(into: workspace)
    _ = try repository.commits(from: one, to: two, limit: 10)
    #expect(try FileState.all(in: origin.path) == before)
  }

  @Test("Switching there and back gives the same times and rewrites only what differs")
  func switching() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let one = try origin.commit("One", ["same": "0", "changed": "1", "gone": "2"])
    try origin.remove("gone")
    let two = try origin.commit("Two", ["changed": "3", "new": "4"])
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    _ = try repository.checkOut(one, into: workspace)
    let first = try workspace.files()
    #expect(try repository.checkOut(two, into: workspace).written == ["changed", "new"])
    let second = try workspace.files()
    #expect(second.keys.sorted() == ["changed", "new", "same"])
    #expect(second["same"] == first["same"])
    #expect(second["changed"]?.seconds != first["changed"]?.seconds)
    #expect(try repository.checkOut(one, into: workspace).written == ["changed", "gone"])
    let third = try workspace.files()
    #expect(third.mapValues(\.time) == first.mapValues(\.time))
    #expect(third.mapValues(\.bytes) == first.mapValues(\.bytes))
    #expect(third["same"] == first["same"])
  }

  @Test(
    "A Swift source has another time where what it may import is another, and the same again where that is the same",
    arguments: ["Sources/C/include/c.h", "Sources/System/module.modulemap", "Sources/C/C.apinotes"])
  func imported(_ path: String) throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let one = try origin.commit("One", ["Sources/A/A.swift": "import C\n", "Sources/C/c.c": "\n", path: "1"])
    let two = try origin.commit("Two", [path: "2"])
    try origin.remove(path)
    let three = try origin.commit("Three", ["README.md": "3"])
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    func times(_ commit: CommitID) throws -> [String: FileState] {
      _ = try repository.checkOut(commit, into: workspace)
      return try workspace.files()
    }
    let all = try [one, two, three, one].map(times)
    let sources = all.map { $0["Sources/A/A.swift"]?.time }
    #expect(Set(sources.dropLast()).count == 3 && sources[3] == sources[0])
    #expect(Set(all.map { $0["Sources/C/c.c"]?.time }).count == 1)
    #expect(try repository.checkOut(one, into: workspace).written == [])
  }

  @Test("The same commit again rewrites nothing")
  func again() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.link("link", to: "a")
    let commit = try origin.commit("One", [".gitattributes": "*.txt eol=crlf\n", "a": "1", "b/c.txt": "1\n2\n"])
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    _ = try repository.checkOut(commit, into: workspace)
    let before = try FileState.all(in: workspace.folder)
    #expect(try repository.checkOut(commit, into: workspace).written == [])
    #expect(try FileState.all(in: workspace.folder) == before)
  }

  @Test("A workspace in another place has the same times")
  func elsewhere() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.commit("One", ["a": "1", "b": "2"])
    let repository = try Repository(at: origin.path)
    _ = try repository.checkOut(commit, into: scratch.workspace("one"))
    _ = try repository.checkOut(commit, into: scratch.workspace("two"))
    let one = try scratch.workspace("one").files().mapValues(\.time)
    #expect(try scratch.workspace("two").files().mapValues(\.time) == one)
  }

  @Test("A file becomes a folder and a folder a file, and back")
  func fileAndFolder() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let one = try origin.commit("One", ["a": "file", "b/c": "inner", "b/d/e": "deep"])
    try origin.remove("a")
    try origin.remove("b")
    let two = try origin.commit("Two", ["a/x": "inner", "b": "file"])
    try expectBothWays(one, two, origin, scratch)
  }

  @Test("A link becomes a folder and a file, and back")
  func linkAndFolder() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.link("a", to: "b")
    try origin.link("c", to: "b")
    let one = try origin.commit("One", ["b/x": "1"])
    try origin.remove("a")
    try origin.remove("c")
    let two = try origin.commit("Two", ["a/x": "2", "c": "b"])
    try expectBothWays(one, two, origin, scratch)
  }

  @Test("The executable bit alone comes and goes")
  func executableBit() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let one = try origin.commit("One", ["run.sh": "#!/bin/sh\n"])
    try origin.makeExecutable("run.sh")
    let two = try origin.commit("Two")
    try origin.git("config", "core.fileMode", "false")
    try expectBothWays(one, two, origin, scratch)
  }

  /// Switches to and fro and compares each time with what git itself checks out.
  private func expectBothWays(
    _ one: CommitID, _ two: CommitID, _ origin: TestRepository, _ scratch: Scratch
  ) throws {
    let repository = try Repository(at: origin.path)
    for commit in [one, two, one, two] {
      _ = try repository.checkOut(commit, into: scratch.workspace())
      try origin.git("worktree", "add", "--quiet", "--force", "--detach", "../expected", commit.rawValue)
      var expected = try FileState.all(in: "\(scratch.path)/expected")
      expected[".git"] = nil
      let found = try FileState.all(in: scratch.workspace().folder)
      #expect(found.mapValues(\.content) == expected.mapValues(\.content))
      try origin.git("worktree", "remove", "--force", "../expected")
    }
  }
}

extension FileState {
  var time: [Int] { [seconds, nanoseconds] }

  /// What git keeps of a file.
  var content: [String] { ["\(kind)", "\(kind == S_IFREG && isExecutable)", String(decoding: bytes, as: UTF8.self)] }
}
