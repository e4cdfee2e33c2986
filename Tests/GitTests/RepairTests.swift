import Foundation
import Git
import Model
import Testing

@Suite("What the next checkout puts right")
struct RepairTests {
  /// A repository with one commit, checked out.
  private struct Setting {
    let scratch: Scratch
    let origin: TestRepository
    let commit: CommitID
    let workspace: Workspace
    let files: [String: FileState]

    init(_ name: String = #function, _ more: [String: String] = [:]) throws {
      scratch = try Scratch(name)
      origin = try scratch.repository()
      let files = ["a": "one", "b/c": "two", "b/d": "three"].merging(more) { $1 }
      commit = try origin.commit("One", files)
      workspace = scratch.workspace()
      _ = try Repository(at: origin.path).checkOut(commit, into: workspace)
      self.files = try workspace.files()
    }

    @discardableResult
    func checkOut() throws -> CheckoutSummary {
      try Repository(at: origin.path).checkOut(commit, into: workspace)
    }

    func expectWhole() throws {
      let now = try workspace.files()
      #expect(now.mapValues(\.content) == files.mapValues(\.content))
      #expect(now.mapValues(\.time) == files.mapValues(\.time))
    }

    func write(_ file: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: workspace.path(file)))
    }
  }

  @Test("Edited, deleted and added files are undone, the others left alone")
  func edits() throws {
    let setting = try Setting()
    try setting.write("a", "ONE")
    try FileManager.default.removeItem(atPath: setting.workspace.path("b/c"))
    try setting.write("b/new", "stray")
    #expect(try setting.checkOut().written == ["a", "b/c"])
    try setting.expectWhole()
    #expect(try setting.workspace.files()["b/d"] == setting.files["b/d"])
  }

  @Test("An edit that keeps size and modification time is undone")
  func forgery() throws {
    let setting = try Setting()
    let state = try #require(setting.files["a"])
    "uno".withCString { text in
      let file = open(setting.workspace.path("a"), O_WRONLY | O_TRUNC)
      #expect(write(file, text, 3) == 3)
      close(file)
    }
    let time = timespec(tv_sec: state.seconds, tv_nsec: state.nanoseconds)
    #expect(utimensat(AT_FDCWD, setting.workspace.path("a"), [time, time], 0) == 0)
    #expect(FileState(setting.workspace.path("a")).time == state.time)
    try setting.checkOut()
    try setting.expectWhole()
  }

  @Test("A killed checkout is repaired, whatever it left", arguments: ["checkout", "index", "both"])
  func killed(missing: String) throws {
    let setting = try Setting("killed\(missing)")
    for file in missing == "both" ? ["checkout", "index"] : [missing] {
      try FileManager.default.removeItem(atPath: "\(setting.workspace.state)/\(file)")
    }
    try Data().write(to: URL(fileURLWithPath: "\(setting.workspace.state)/index.lock"))
    try setting.write("a", "half")
    try FileManager.default.removeItem(atPath: setting.workspace.path("b"))
    try setting.write("b", "in the way")
    try setting.checkOut()
    try setting.expectWhole()
  }

  @Test("A damaged index or state is made anew", arguments: ["checkout", "index"])
  func damaged(file: String) throws {
    let setting = try Setting("damaged\(file)")
    try Data([0, 1, 2, 255]).write(to: URL(fileURLWithPath: "\(setting.workspace.state)/\(file)"))
    try setting.write("a", "half")
    try setting.checkOut()
    try setting.expectWhole()
  }

  @Test("After another start of the machine every file is written again, with the same times")
  func restart() throws {
    let setting = try Setting()
    let file = "\(setting.workspace.state)/checkout"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    try "\(lines[0])\n\(lines[1])\nanother\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try setting.checkOut().written == ["a", "b/c", "b/d"])
    try setting.expectWhole()
  }

  @Test("Ignored files stay, repositories and other strays go")
  func strays() throws {
    let setting = try Setting(#function, [".gitignore": "*.resolved\n"])
    try setting.write("Package.resolved", "{}")
    try TestRepository(path: setting.workspace.folder, home: setting.scratch.path).git("init", "--quiet")
    for folder in ["b", "stray"] {
      let path = setting.workspace.path(folder)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try TestRepository(path: path, home: setting.scratch.path).git("init", "--quiet")
    }
    try setting.checkOut()
    #expect(try setting.workspace.files().keys.sorted() == [".gitignore", "Package.resolved", "a", "b/c", "b/d"])
    #expect(!FileManager.default.fileExists(atPath: setting.workspace.path(".git")))
    #expect(!FileManager.default.fileExists(atPath: setting.workspace.path("stray")))
  }

  @Test("A folder nested deeper than any path is removed")
  func deepFolder() throws {
    let setting = try Setting()
    var folder = open(setting.workspace.folder, O_RDONLY | O_DIRECTORY)
    let name = "deep" + String(repeating: "r", count: 40)
    for _ in 0..<200 {
      #expect(mkdirat(folder, name, 0o755) == 0)
      let next = openat(folder, name, O_RDONLY | O_DIRECTORY)
      close(folder)
      folder = next
    }
    close(folder)
    try setting.checkOut()
    #expect(!FileManager.default.fileExists(atPath: setting.workspace.path(name)))
    try setting.expectWhole()
  }

  @Test("Links that code under test put in place of files and folders are removed, never written through")
  func linksOut() throws {
    let setting = try Setting()
    let outside = "\(setting.scratch.path)/outside"
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    for name in ["a", "c", "d", "new"] {
      try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(outside)/\(name)"))
    }
    let before = try FileState.all(in: outside)
    for name in ["a", "b"] { try FileManager.default.removeItem(atPath: setting.workspace.path(name)) }
    let links = ["a": "a", "b": "", "new": "", "fresh": "new"]
    for (link, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: setting.workspace.path(link), withDestinationPath: "\(outside)/\(target)")
    }
    let next = try setting.origin.commit("Two", ["new/a": "1", "fresh": "2"])
    let repository = try Repository(at: setting.origin.path)
    _ = try repository.checkOut(next, into: setting.workspace)
    #expect(try FileState.all(in: outside) == before)
    #expect(setting.workspace.text("new/a") == "1")
    #expect(setting.workspace.text("b/c") == "two")
    try setting.checkOut()
    try setting.expectWhole()
    #expect(try FileState.all(in: outside) == before)
  }

  @Test("A hard link to a file outside is cut, not written through")
  func hardLink() throws {
    let setting = try Setting()
    let outside = "\(setting.scratch.path)/outside"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: outside))
    try FileManager.default.removeItem(atPath: setting.workspace.path("a"))
    try FileManager.default.linkItem(atPath: outside, toPath: setting.workspace.path("a"))
    try setting.checkOut()
    try setting.expectWhole()
    #expect(FileState(outside).bytes == Array("mine".utf8))
  }

  @Test("A folder with files that Martlet did not make is refused and left alone")
  func foreign() throws {
    let setting = try Setting()
    let other = Workspace(folder: "\(setting.scratch.path)/home", state: setting.workspace.state)
    try FileManager.default.createDirectory(atPath: other.folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: other.path("diary")))
    let repository = try Repository(at: setting.origin.path)
    for state in [setting.workspace.state, "\(setting.scratch.path)/fresh"] {
      let workspace = Workspace(folder: other.folder, state: state)
      let error = #expect(throws: GitError.self) { _ = try repository.checkOut(setting.commit, into: workspace) }
      #expect(error?.kind == .foreignWorkspace)
      #expect(
        error?.description == "Cannot use “\(other.folder)” as a workspace: it holds files, and Martlet did not make "
          + "it. Remove the folder or name another one.")
      #expect(other.text("diary") == "mine")
    }
  }

  @Test("A workspace that is a link is refused")
  func linkedWorkspace() throws {
    let setting = try Setting()
    let link = "\(setting.scratch.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: setting.scratch.path)
    let repository = try Repository(at: setting.origin.path)
    #expect(throws: GitError.self) {
      _ = try repository.checkOut(setting.commit, into: Workspace(folder: link, state: "\(link)-state"))
    }
    #expect(FileManager.default.fileExists(atPath: setting.origin.path))
  }
}
