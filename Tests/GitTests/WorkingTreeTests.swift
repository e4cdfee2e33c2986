import Foundation
import Git
import Model
import Testing

@Suite("The uncommitted changes of a work tree")
struct WorkingTreeTests {
  /// A repository whose work tree differs from its commit in every way.
  private func changed(_ scratch: Scratch) throws -> TestRepository {
    let origin = try scratch.repository()
    try origin.write("run.sh", "#!/bin/sh\n")
    try origin.link("link", to: "keep")
    try origin.commit(
      "One",
      [
        ".gitignore": "*.log\n", "keep": "1", "edit": "1", "gone": "1", "staged": "1", "reset": "1", "file/inner": "1",
        "folder": "1", "crlf.txt": "1\n", ".gitattributes": "*.txt text eol=crlf\n",
      ])
    try origin.write("edit", "2")
    try origin.remove("gone")
    try origin.write("staged", "2")
    try origin.write("new staged", "2")
    try origin.git("add", "staged", "new staged")
    try origin.write("forced.log", "2")
    try origin.git("add", "--force", "forced.log")
    try origin.git("rm", "--quiet", "--cached", "reset")
    try origin.write("reset", "2")
    try origin.remove("file")
    try origin.write("file", "a file now")
    try origin.remove("folder")
    try origin.write("folder/inner", "a folder now")
    try origin.makeExecutable("run.sh")
    try origin.remove("link")
    try origin.link("link", to: "/nowhere")
    try origin.write("new/ü", "untracked")
    try origin.write("noise.log", "ignored")
    try origin.write("crlf.txt", "1\r\n2\r\n")
    return origin
  }

  private static let expected = WorkingTreeChanges(
    modified: ["crlf.txt", "edit", "link", "reset", "run.sh", "staged"],
    added: ["file", "folder/inner", "forced.log", "new staged", "new/ü"], deleted: ["file/inner", "folder", "gone"])

  @Test("Changes are told apart by what is on the disk and in the commit, whatever the index has")
  func changes() throws {
    let scratch = try Scratch()
    let origin = try changed(scratch)
    #expect(try Repository(at: origin.path).changes() == WorkingTreeTests.expected)
  }

  @Test(
    "A Swift source, changed or not, has another time beside a changed header, and the commit's beside the commit's")
  func imported() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.commit("One", ["A.swift": "import C\n", "B.swift": "1", "c.h": "1"])
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    func times(_ check: () throws -> Void) throws -> [String: FileState] {
      try check()
      return try workspace.files()
    }
    let first = try times { _ = try repository.checkOut(commit, into: workspace) }
    try origin.write("B.swift", "2")
    let edited = try times { _ = try repository.checkOutWorkingTree(into: workspace) }
    #expect(edited["A.swift"]?.time == first["A.swift"]?.time)
    try origin.write("c.h", "2")
    let second = try times { _ = try repository.checkOutWorkingTree(into: workspace) }
    #expect(second["A.swift"]?.time != first["A.swift"]?.time && second["B.swift"]?.time != edited["B.swift"]?.time)
    try origin.remove("c.h")
    let third = try times { _ = try repository.checkOutWorkingTree(into: workspace) }
    #expect(third["A.swift"]?.time != first["A.swift"]?.time && third["A.swift"]?.time != second["A.swift"]?.time)
    #expect(
      try times { _ = try repository.checkOut(commit, into: workspace) }.mapValues(\.time) == first.mapValues(\.time))
  }

  @Test("A Swift source has another time beside a changed header of a submodule, and the commit's beside the commit's")
  func importedFromSubmodule() throws {
    let scratch = try Scratch()
    try scratch.repository("Lib").commit("Library", ["c.h": "1", "c.c": "1"])
    let origin = try scratch.repository()
    try origin.git("submodule", "--quiet", "add", "../Lib", "Lib")
    let commit = try origin.commit("One", ["A.swift": "import C\n"])
    let inner = scratch.existing("Greeter/Lib")
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    _ = try repository.checkOut(commit, into: workspace)
    let committed = try workspace.files()["A.swift"]?.time
    func time() throws -> [Int]? {
      _ = try repository.checkOutWorkingTree(into: workspace)
      return try workspace.files()["A.swift"]?.time
    }
    try inner.write("c.c", "2")
    #expect(try time() == committed)
    try inner.write("c.h", "2")
    let changed = try time()
    try inner.remove("c.h")
    let removed = try time()
    #expect(Set([committed, changed, removed]).count == 3)
    try inner.write("c.h", "1")
    #expect(try time() == committed)
    try inner.commit("Two", ["c.h": "2"])
    let advanced = try time()
    #expect(advanced != committed && advanced != changed)
  }

  @Test("What only the index changed or lost is not changed, ignored or not")
  func indexOnly() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.link("link", to: "a")
    try origin.write("run.sh", "#!/bin/sh\n")
    try origin.makeExecutable("run.sh")
    try origin.commit("One", ["a": "1", "b": "1", "undone": "1", "c.txt": "1\n", ".gitattributes": "*.txt eol=crlf\n"])
    try origin.write(".git/info/exclude", "b\n")
    try origin.write("undone", "2")
    try origin.git("add", "undone")
    try origin.write("undone", "1")
    try origin.write("c.txt", "1\r\n")
    try origin.git("rm", "--quiet", "--cached", "a", "b", "c.txt", "link", "run.sh")
    let repository = try Repository(at: origin.path)
    #expect(try repository.changes().count == 0)
    try origin.makeExecutable("run.sh", false)
    try origin.write("b", "2")
    #expect(
      try repository.changes() == WorkingTreeChanges(modified: ["b", "run.sh"], added: [], deleted: []))
    #expect(try repository.checkOutWorkingTree(into: scratch.workspace()).changes.modified == ["b", "run.sh"])
  }

  @Test("A clean work tree has no changes")
  func clean() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.commit("One", ["a": "1", ".gitignore": "b\n"])
    try origin.write("b", "ignored")
    let repository = try Repository(at: origin.path)
    let result = try repository.checkOutWorkingTree(into: scratch.workspace())
    #expect(result.changes.count == 0)
    #expect(result.commit == commit)
    #expect(result.summary.files == 2)
  }

  @Test("The workspace becomes the work tree without what is ignored, and the next checkout undoes it")
  func checkout() throws {
    let scratch = try Scratch()
    let origin = try changed(scratch)
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    _ = try repository.checkOut(origin.tip(), into: workspace)
    let committed = try workspace.files()
    let result = try repository.checkOutWorkingTree(into: workspace)
    #expect(result.changes == WorkingTreeTests.expected)
    let tree = try FileState.all(in: origin.path)
      .filter { !$0.key.hasPrefix(".git/") && $0.value.kind != S_IFDIR && $0.key != "noise.log" }
    let files = try workspace.files()
    #expect(files.mapValues(\.content) == tree.mapValues(\.content))
    #expect(result.summary.files == files.count)
    #expect(
      result.summary.written == [
        "crlf.txt", "edit", "file", "folder/inner", "forced.log", "link", "new staged", "new/ü", "reset", "run.sh",
        "staged",
      ])
    _ = try repository.checkOutWorkingTree(into: workspace)
    #expect(try workspace.files().mapValues(\.time) == files.mapValues(\.time))
    _ = try repository.checkOut(origin.tip(), into: workspace)
    #expect(try workspace.files().mapValues(\.content) == committed.mapValues(\.content))
    #expect(try workspace.files().mapValues(\.time) == committed.mapValues(\.time))
  }

  @Test("A change that is committed as it is has the same time before and after")
  func committed() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("One", ["a": "1", "b.txt": "1\n", ".gitattributes": "*.txt eol=crlf\n"])
    try origin.write("a", "2")
    try origin.write("b.txt", "2\r\n")
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    _ = try repository.checkOutWorkingTree(into: workspace)
    let before = try workspace.files().mapValues(\.time)
    let two = try origin.commit("Two")
    _ = try repository.checkOut(two, into: workspace)
    #expect(try workspace.files().mapValues(\.time) == before)
  }

  @Test("An untracked file that a later commit ignores does not stay")
  func laterIgnored() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("One", ["a": "1", ".gitignore": "*.tmp\n"])
    try origin.write(".gitignore", "")
    try origin.write("b.tmp", "untracked")
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    _ = try repository.checkOutWorkingTree(into: workspace)
    #expect(workspace.text("b.tmp") == "untracked")
    _ = try repository.checkOut(origin.tip(), into: workspace)
    #expect(workspace.text("b.tmp") == nil)
  }

  @Test("Pipes are passed over")
  func pipe() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("One", ["a": "1", "b": "1"])
    try origin.remove("b")
    #expect(mkfifo("\(origin.path)/pipe", 0o644) == 0)
    #expect(mkfifo("\(origin.path)/b", 0o644) == 0)
    let workspace = scratch.workspace()
    let result = try Repository(at: origin.path).checkOutWorkingTree(into: workspace)
    #expect(result.changes == WorkingTreeChanges(modified: [], added: [], deleted: ["b"]))
    #expect(try workspace.files().keys.sorted() == ["a"])
  }

  @Test("A bare repository has no work tree to look at")
  func bare() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("One", ["a": "1"])
    try origin.git("clone", "--quiet", "--bare", ".", "../Hub.git")
    let repository = try Repository(at: "\(scratch.path)/Hub.git")
    let error = #expect(throws: GitError.self) { _ = try repository.changes() }
    #expect(
      error?.description == "Cannot read the changes in “\(repository.path)”: it is a bare repository and has no work "
        + "tree. Name a commit, or a repository with a work tree.")
  }

  @Test("Changes in submodules and in untracked repositories come along")
  func nestedRepositories() throws {
    let scratch = try Scratch()
    let library = try scratch.repository("Lib")
    try library.commit("Library", ["lib": "1", "same": "1"])
    let origin = try scratch.repository()
    try origin.git("submodule", "--quiet", "add", "../Lib", "Lib")
    let commit = try origin.commit("One", ["a": "1"])
    let inner = scratch.existing("Greeter/Lib")
    try inner.commit("Ahead", ["ahead": "1"])
    try inner.write("lib", "2")
    let other = try scratch.repository("Greeter/other/nested")
    try other.commit("Other", ["x": "1"])
    try other.write("y", "2")
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    _ = try repository.checkOut(commit, into: workspace)
    let committed = try workspace.files()
    let expected = WorkingTreeChanges(
      modified: ["Lib", "Lib/lib", "other/nested"], added: ["other/nested/y"], deleted: [])
    #expect(try repository.changes() == expected)
    let result = try repository.checkOutWorkingTree(into: workspace)
    #expect(result.changes == expected)
    let files = [".gitmodules", "Lib/ahead", "Lib/lib", "Lib/same", "a", "other/nested/x", "other/nested/y"]
    #expect(try workspace.files().keys.sorted() == files)
    #expect(workspace.text("Lib/lib") == "2")
    #expect(result.summary.files == 7)
    _ = try repository.checkOut(commit, into: workspace)
    #expect(try workspace.files().mapValues(\.content) == committed.mapValues(\.content))
    #expect(try workspace.files().mapValues(\.time) == committed.mapValues(\.time))
  }

  @Test("Files that a sparse checkout leaves out are not deleted ones")
  func sparse() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("One", ["in/a": "1", "out/b": "1"])
    try origin.git("sparse-checkout", "set", "in")
    let repository = try Repository(at: origin.path)
    #expect(try repository.changes().count == 0)
    #expect(try repository.checkOutWorkingTree(into: scratch.workspace()).summary.files == 2)
  }
}
