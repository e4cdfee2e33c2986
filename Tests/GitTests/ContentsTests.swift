import Foundation
import Git
import Model
import Testing

@testable import Git

@Suite("Contents of commits")
struct ContentsTests {
  @Test("A file's bytes are those of the commit, a link, folder or missing file has none")
  func contents() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.link("link", to: "a")
    let one = try origin.commit("One", ["a": "1\r\n", "b/ü c": "2"])
    try origin.commit("Two", ["a": "2"])
    let repository = try Repository(at: origin.path)
    #expect(try repository.contents(of: "a", in: one) == Array("1\r\n".utf8))
    #expect(try repository.contents(of: "b/ü c", in: one) == Array("2".utf8))
    for path in ["", "b", "b/", "link", "link/x", "a/x", "nowhere", "/a", "./a", "../a", "b//ü c", "a\0"] {
      #expect(try repository.contents(of: path, in: one) == nil, "\(path)")
    }
    let missing = CommitID(rawValue: String(repeating: "a", count: 40))
    let error = #expect(throws: GitError.self) { _ = try repository.contents(of: "a", in: missing) }
    #expect(error?.kind == .missingObject)
  }

  @Test("The files of a commit or a folder are listed with their kinds, sorted")
  func entries() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.link("link", to: "a")
    try origin.write("b/run", "2")
    try origin.makeExecutable("b/run")
    let one = try origin.commit("One", ["a": "1", "b-c": "3", "b/d/e": "4"])
    let repository = try Repository(at: origin.path)
    let entries = try repository.entries(of: one)
    #expect(entries.map(\.path) == ["a", "b-c", "b/d/e", "b/run", "link"])
    #expect(entries.map(\.kind) == [.file, .file, .file, .executable, .symlink])
    #expect(try entries[0].id == origin.git("rev-parse", "HEAD:a"))
    #expect(try repository.entries(of: one, under: "b").map(\.path) == ["b/d/e", "b/run"])
    #expect(try repository.entries(of: one, under: ".") == entries)
    #expect(try repository.entries(of: one, under: "a") == [])
    #expect(try repository.entries(of: one, under: "nowhere") == [])
  }

  @Test("A file whose name is not UTF-8 is checked out and kept")
  func rawName() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let name: [CChar] = [CChar(bitPattern: 0xFF), 0x2E, 0x73, 0]
    let file = open("\(origin.path)", O_RDONLY | O_DIRECTORY)
    close(openat(file, name, O_CREAT | O_WRONLY, 0o644))
    close(file)
    let one = try origin.commit("One")
    let repository = try Repository(at: origin.path)
    #expect(try repository.entries(of: one).map(\.path) == ["\u{FFFD}.s"])
    #expect(try repository.checkOut(one, into: scratch.workspace()).files == 1)
    #expect(try repository.checkOut(one, into: scratch.workspace()).written == [])
  }

  @Test("A tree that wants to write into a repository is refused", arguments: [".git", ".GIT", "..", "git~1"])
  func hostileTree(name: String) throws {
    let scratch = try Scratch("hostileTree\(name.utf8.map(String.init).joined())")
    let origin = try scratch.repository()
    try origin.commit("One", ["a": "1"])
    let blob = try Data(#require(try origin.git("rev-parse", "HEAD:a").hexadecimalBytes))
    let file = "\(scratch.path)/raw"
    try (Data("100644 x\0".utf8) + blob).write(to: URL(fileURLWithPath: file))
    let inner = try origin.git("hash-object", "-t", "tree", "-w", "--literally", file)
    let bytes = try Data(#require(inner.hexadecimalBytes))
    try (Data("40000 \(name)\0".utf8) + bytes).write(to: URL(fileURLWithPath: file))
    let tree = try origin.git("hash-object", "-t", "tree", "-w", "--literally", file)
    let commit = CommitID(rawValue: try origin.git("commit-tree", "-m", "Hostile", tree))
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    #expect(throws: GitError.self) { _ = try repository.checkOut(commit, into: workspace) }
    let isThere = FileManager.default.fileExists(atPath: workspace.folder)
    #expect(try !isThere || FileState.all(in: workspace.folder).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/workspace/x"))
  }

  @Test("No file of a tree runs with the rights of its owner, whatever its mode says")
  func privilegedTree() throws {
    let scratch = try Scratch("privilegedTree")
    let origin = try scratch.repository()
    try origin.commit("One", ["a": "1"])
    let blob = try Data(#require(try origin.git("rev-parse", "HEAD:a").hexadecimalBytes))
    let file = "\(scratch.path)/raw"
    let entries = [("104755", "group"), ("106755", "owner"), ("107644", "sticky")]
    try entries.map { Data("\($0) \($1)\0".utf8) + blob }.reduce(Data(), +).write(to: URL(fileURLWithPath: file))
    let tree = try origin.git("hash-object", "-t", "tree", "-w", "--literally", file)
    let commit = CommitID(rawValue: try origin.git("commit-tree", "-m", "Privileged", tree))
    let workspace = scratch.workspace()
    let repository = try Repository(at: origin.path)
    for _ in 1...2 {
      _ = try repository.checkOut(commit, into: workspace)
      for (_, name) in entries {
        var status = stat()
        #expect(lstat("\(workspace.folder)/\(name)", &status) == 0)
        #expect(status.st_mode & 0o7000 == 0, "\(name)")
        // As a test might do to it.
        #expect(chmod("\(workspace.folder)/\(name)", 0o4755) == 0)
      }
    }
  }

  @Test("Nothing is written through a link that has the name of a folder, not even the folder of a submodule")
  func twins() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let outside = "\(scratch.path)/outside"
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try origin.commit("One", ["a": outside])
    func bytes(_ revision: String) throws -> Data {
      try Data(#require(try origin.git("rev-parse", revision).hexadecimalBytes))
    }
    let file = "\(scratch.path)/raw"
    try (Data("160000 inner\0".utf8) + bytes("HEAD")).write(to: URL(fileURLWithPath: file))
    let inner = try bytes(origin.git("hash-object", "-t", "tree", "-w", "--literally", file))
    try (Data("120000 sub\0".utf8) + bytes("HEAD:a") + Data("40000 sub\0".utf8) + inner)
      .write(to: URL(fileURLWithPath: file))
    let tree = try origin.git("hash-object", "-t", "tree", "-w", "--literally", file)
    let commit = CommitID(rawValue: try origin.git("commit-tree", "-m", "Twins", tree))
    let repository = try Repository(at: origin.path)
    let error = #expect(throws: GitError.self) { _ = try repository.checkOut(commit, into: scratch.workspace()) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [])
    #expect(
      error?.description
        == "Cannot list the files of a commit in “\(origin.path)”: it has two entries called “sub”. "
        + "git makes no such tree; check that the commit is what it should be.")
  }

  @Test(
    "A tree with a name that leads out of the workspace is refused, and nothing there is touched",
    arguments: ["OUTSIDE", "..", ".git", "sub/.."])
  func namesOutside(name: String) throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let outside = "\(scratch.path)/outside"
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(outside)/kept"))
    try origin.commit("One", ["a": "1"])
    let repository = try Repository(at: origin.path)
    let workspace = scratch.workspace()
    // What is there already is compared with the next commit, file by file.
    _ = try repository.checkOut(CommitID(rawValue: try origin.git("rev-parse", "HEAD")), into: workspace)
    let name = name == "OUTSIDE" ? outside : name
    let file = "\(scratch.path)/raw"
    let blob = try Data(#require(try origin.git("rev-parse", "HEAD:a").hexadecimalBytes))
    try (Data("100644 \(name)\0".utf8) + blob).write(to: URL(fileURLWithPath: file))
    let tree = try origin.git("hash-object", "-t", "tree", "-w", "--literally", file)
    let commit = CommitID(rawValue: try origin.git("commit-tree", "-m", "Out", tree))
    let error = #expect(throws: GitError.self) { _ = try repository.checkOut(commit, into: workspace) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["kept"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.folder) == ["a"])
    #expect(
      error?.description
        == "Cannot list the files of a commit in “\(origin.path)”: it has an entry called “\(name)”. "
        + "git makes no such tree; check that the commit is what it should be.")
  }

  @Test("Trees that stand for more files than a disk can hold are refused", arguments: [false, true])
  func treeBomb(isEmpty: Bool) throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.treeBomb(isEmpty: isEmpty, in: scratch)
    let repository = try Repository(at: origin.path)
    let tree = try repository.tree(of: commit.objectID(), "")
    let error = #expect(throws: GitError.self) {
      _ = try Tree(tree, under: RelativePath(""), of: repository, atMost: 1000)
    }
    #expect(
      error?.description
        == "Cannot list the files of a commit in “\(origin.path)”: it has more than 1000 files and folders. "
        + "Martlet does not integrate such a tree; check that the commit is what it should be.")
  }
}

extension TestRepository {
  /// A commit with ten levels of folders, each with ten names for the next one; the last holds a file, or nothing.
  func treeBomb(isEmpty: Bool, in scratch: Scratch) throws -> CommitID {
    try commit("One", ["a": "1"])
    let file = "\(scratch.path)/raw"
    try Data().write(to: URL(fileURLWithPath: file))
    var entry =
      isEmpty ? ("40000", try git("hash-object", "-t", "tree", "-w", file)) : ("100644", try git("rev-parse", "HEAD:a"))
    for _ in 0..<10 {
      let bytes = try Data(#require(entry.1.hexadecimalBytes))
      let names = (0..<10).map { Data("\(entry.0) \($0)\0".utf8) + bytes }
      try names.reduce(Data(), +).write(to: URL(fileURLWithPath: file))
      entry = ("40000", try git("hash-object", "-t", "tree", "-w", "--literally", file))
    }
    return CommitID(rawValue: try git("commit-tree", "-m", "Bomb", "-p", "HEAD", entry.1))
  }
}

extension String {
  var hexadecimalBytes: [UInt8]? {
    let digits = Array(utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16) ?? 0
    }
  }
}
