import FoundationEssentials
import Git
import Model
import Testing

@Suite("Differences between commits")
struct DifferenceTests {
  private let scratch: Scratch
  private let repository: TestRepository

  init() throws {
    scratch = try Scratch("Differences\(UInt32.random(in: 0 ... .max))")
    repository = try scratch.repository()
  }

  private func open() throws -> Repository { try Repository(at: repository.path) }

  private func lines(_ range: ClosedRange<Int>) -> String { range.map { "line \($0)\n" }.joined() }

  @Test("A changed file says which lines were replaced, added and removed")
  func modified() throws {
    let first = try repository.commit("One", ["A.swift": "a\nb\nc\nd\ne\n", "B.swift": "same\n"])
    let second = try repository.commit("Two", ["A.swift": "new\na\nB1\nB2\nc\ne\n"])
    let difference = try open().difference(from: first, to: second)
    #expect(
      difference.files == [
        FileDifference(
          status: .modified, oldPath: "A.swift", newPath: "A.swift",
          lines: LineMap(hunks: [
            .init(old: 1..<1, new: 1..<2), .init(old: 2..<3, new: 3..<5), .init(old: 4..<5, new: 6..<6),
          ]))
      ])
    let map = try #require(difference.file(at: "A.swift")?.lines)
    #expect((1...5).map(map.newLine) == [2, nil, 5, nil, 6])
    #expect((1...6).map(map.oldLine) == [nil, 1, nil, nil, 3, 5])
  }

  @Test("A changed line at the end of a function leaves the brace behind it where it was, before a new function")
  func newFunction() throws {
    let head = "struct A {\n  func f() {\n"
    let first = try repository.commit("One", ["A.swift": head + "    x\n  }\n}\n"])
    let new = "    y\n  }\n\n  func g() {\n    z\n  }\n}\n"
    let second = try repository.commit("Two", ["A.swift": head + new])
    let map = try #require(try open().difference(from: first, to: second).file(at: "A.swift")?.lines)
    #expect((1...5).map(map.newLine) == [1, 2, nil, 4, 9])
    #expect(map.newLines == [3, 5, 6, 7, 8])
  }

  @Test("New and deleted files are told apart, and a commit without base is all new")
  func addedAndDeleted() throws {
    let first = try repository.commit("One", ["Old.swift": "a\nb\n"])
    try repository.remove("Old.swift")
    let second = try repository.commit("Two", ["New.swift": "quite\nanother\ntext\n"])
    let difference = try open().difference(from: first, to: second)
    #expect(difference.file(at: "New.swift")?.status == .added)
    #expect(difference.file(at: "New.swift")?.lines?.hunks == [.init(old: 1..<1, new: 1..<4)])
    #expect(difference.file(from: "Old.swift")?.status == .deleted)
    #expect(difference.file(from: "Old.swift")?.newPath == nil)
    let all = try open().difference(from: nil, to: second)
    #expect(all.files.map(\.newPath) == ["New.swift"])
    #expect(all.files.first?.lines?.hunks == [.init(old: 1..<1, new: 1..<4)])
  }

  @Test("A renamed file keeps its lines, also when some of them changed")
  func renamed() throws {
    let first = try repository.commit("One", ["Sources/A.swift": lines(1...20)])
    try repository.remove("Sources/A.swift")
    let second = try repository.commit("Two", ["Sources/Deep/B.swift": "first\n" + lines(1...20)])
    let file = try #require(try open().difference(from: first, to: second).file(at: "Sources/Deep/B.swift"))
    #expect(file.status == .renamed)
    #expect(file.oldPath == "Sources/A.swift")
    #expect(file.lines?.newLine(of: 20) == 21)
    #expect(file.lines?.oldLine(of: 1) == nil)
  }

  @Test("A file that keeps some of its lines is the same file, wherever the others went")
  func split() throws {
    let functions = (1...20).map { "func f\($0)() {\n  print(\($0))\n  return\n}\n\n" }
    let first = try repository.commit("One", ["A.swift": functions.joined()])
    let second = try repository.commit(
      "Two",
      [
        "A.swift": functions[..<4].joined(), "B.swift": functions[4..<16].joined(),
        "C.swift": functions[16...].joined(),
      ])
    let split = try open().difference(from: first, to: second)
    #expect(split.files.map(\.status) == [.modified, .added, .added])
    #expect(split.file(at: "A.swift")?.lines?.hunks == [.init(old: 21..<101, new: 21..<21)])
    // The text before goes on, and a copy of it is not what became of it.
    let more = (1...60).map { "let grown\($0) = \($0)\n" }.joined()
    let third = try repository.commit(
      "Three", ["A.swift": functions[..<4].joined() + more, "D.swift": "copied\n" + functions[..<4].joined()])
    let grown = try open().difference(from: second, to: third)
    #expect(grown.file(at: "A.swift")?.lines?.hunks == [.init(old: 21..<21, new: 21..<81)])
    #expect(grown.file(at: "D.swift")?.status == .added)
  }

  @Test("Lines are read only of wanted files")
  func unwanted() throws {
    let first = try repository.commit("One", ["A.swift": "a\n", "B.swift": "b\n"])
    let second = try repository.commit("Two", ["A.swift": "A\n", "B.swift": "B\n"])
    let difference = try open().difference(from: first, to: second) { $0 != "B.swift" }
    #expect(difference.files.map(\.newPath) == ["A.swift", "B.swift"])
    #expect(difference.file(at: "A.swift")?.lines != nil)
    #expect(difference.file(at: "B.swift")?.lines == nil)
  }

  @Test("Uncommitted changes are compared as they were checked out, renames of untracked files included")
  func workingTree() throws {
    let first = try repository.commit("One", ["A.swift": lines(1...20), "B.swift": "b\n", "C.swift": "c\n"])
    try repository.write("B.swift", "b\nmore\n")
    try repository.write("New.swift", "new\n")
    try repository.remove("A.swift")
    try repository.write("Moved.swift", lines(1...20))
    try repository.write("D.log", "ignored\n")
    try repository.write(".gitignore", "*.log\n")
    let workspace = scratch.workspace()
    _ = try open().checkOutWorkingTree(into: workspace)
    let difference = try open().difference(from: first, toFilesIn: workspace)
    #expect(difference.file(at: "B.swift")?.lines?.hunks == [.init(old: 2..<2, new: 2..<3)])
    #expect(difference.file(at: "New.swift")?.status == .added)
    #expect(difference.file(at: "New.swift")?.lines?.hunks == [.init(old: 1..<1, new: 1..<2)])
    #expect(difference.file(at: "Moved.swift")?.oldPath == "A.swift")
    #expect(difference.file(at: "C.swift") == nil)
    #expect(difference.file(at: "D.log") == nil)
    // The work tree changes meanwhile; what was checked out stays what is compared, and the repository is as it was.
    try repository.write("B.swift", "other\n")
    #expect(try open().difference(from: first, toFilesIn: workspace) == difference)
    #expect(try repository.git("status", "--porcelain").contains("B.swift"))
    #expect(try open().workTree == repository.path)
  }

  @Test("Ignored files count where they were committed or staged, and others beside them do not")
  func ignored() throws {
    let first = try repository.commit("One", [".gitignore": "Gen*\n", "A.swift": lines(1...20), "Same.swift": "s\n"])
    try repository.write("Gen/B.swift", "b\n")
    try repository.git("add", "--force", "Gen/B.swift")
    let second = try repository.commit("Two")
    try repository.write("Gen/B.swift", "b\nmore\n")
    try repository.write("GenC.swift", "c\n")
    try repository.remove("A.swift")
    try repository.write("GenMoved.swift", lines(1...20))
    try repository.write("Gen/Left.swift", "left out\n")
    try repository.write("Staged.swift", "staged\n")
    try repository.git("add", "--force", "GenC.swift", "GenMoved.swift", "Staged.swift")
    try repository.git("rm", "--quiet", "--cached", "Same.swift")
    let workspace = scratch.workspace()
    _ = try open().checkOutWorkingTree(into: workspace)
    let now = try open().difference(from: second, toFilesIn: workspace)
    #expect(
      now.files.compactMap(\.newPath).sorted() == ["Gen/B.swift", "GenC.swift", "GenMoved.swift", "Staged.swift"])
    #expect(now.file(at: "Gen/B.swift")?.lines?.hunks == [.init(old: 2..<2, new: 2..<3)])
    for path in ["GenC.swift", "Staged.swift"] {
      #expect(now.file(at: path)?.status == .added)
      #expect(now.file(at: path)?.lines?.hunks == [.init(old: 1..<1, new: 1..<2)])
    }
    #expect(now.file(at: "GenMoved.swift")?.oldPath == "A.swift")
    let both = try open().difference(from: first, toFilesIn: workspace)
    #expect(both.file(at: "Gen/B.swift")?.status == .added)
    #expect(both.file(at: "Gen/B.swift")?.lines?.hunks == [.init(old: 1..<1, new: 1..<3)])
    let all = try open().difference(from: nil, toFilesIn: workspace)
    #expect(all.files.count == 6)
    // What is staged later changes nothing.
    try repository.git("reset", "--quiet")
    #expect(try open().difference(from: second, toFilesIn: workspace) == now)
  }

  @Test("The files of a submodule that moved cannot be compared")
  func submodule() throws {
    let inner = try scratch.repository("Inner")
    try inner.commit("Inner", ["I.swift": "i\n"])
    try repository.commit("Outer", ["A.swift": "a\n"])
    try repository.git("submodule", "--quiet", "add", inner.path, "Inner")
    let first = try repository.commit("With inner")
    try inner.commit("Inner 2", ["I.swift": "j\n"])
    try repository.git("-C", "Inner", "pull", "--quiet")
    let second = try repository.commit("Moved inner")
    let difference = try open().difference(from: first, to: second)
    #expect(difference.isOpaque("Inner/I.swift"))
    #expect(!difference.isOpaque("A.swift"))
  }

  @Test("A commit that is gone is an error that says so")
  func missing() throws {
    let first = try repository.commit("One", ["A.swift": "a\n"])
    let gone = CommitID(rawValue: String(repeating: "ab", count: 20))
    let error = try #require(throws: GitError.self) { _ = try open().difference(from: gone, to: first) }
    #expect(error.kind == .missingObject)
    #expect(
      error.description.hasPrefix("Cannot compare “\(gone)” with “\(first)” in “\(repository.path)”: object not found"))
  }

  @Test("Each line has the commit, the author and the time that it came from")
  func blame() throws {
    let first = try repository.commit("One", date: 1_600_000_000, ["A.swift": "a\nb\nc\n"])
    let second = try repository.commit("Two", date: 1_700_000_000, ["A.swift": "a\nB\nc\n"])
    let origins = try #require(try open().blame("A.swift", at: second))
    #expect(origins.map(\.lines) == [1..<2, 2..<3, 3..<4])
    #expect(origins.map(\.commit) == [first, second, first])
    #expect(origins.map(\.date.timeIntervalSince1970) == [1_600_000_000, 1_700_000_000, 1_600_000_000])
    #expect(origins[0].author == "Ada Lovelace")
    #expect(try open().blame("A.swift", at: first)?.count == 1)
    #expect(try open().blame("B.swift", at: second) == nil)
  }

  @Test("The lines of a file that is reached through a link are those of the file")
  func blameThroughLink() throws {
    try repository.write("real/A.swift", "one\n")
    try repository.link("Kit", to: "real")
    let first = try repository.commit("One")
    let second = try repository.commit("Two", ["real/A.swift": "one\ntwo\n"])
    let origins = try #require(try open().blame("Kit/A.swift", at: second))
    #expect(origins.map(\.commit) == [first, second])
  }

  @Test("Blame that ends at a commit gives it everything that is older")
  func blameSince() throws {
    let first = try repository.commit("One", ["A.swift": "a\nb\nc\n"])
    let second = try repository.commit("Two", ["A.swift": "a\nB\nc\n"])
    let third = try repository.commit("Three", ["A.swift": "a\nB\nC\n"])
    let origins = try #require(try open().blame("A.swift", at: third, since: second))
    #expect(origins.flatMap { origin in origin.lines.map { _ in origin.commit } }.last == third)
    #expect(!origins.contains { $0.commit == first })
  }

  @Test(
    "A commit says which files it touched, by both names of a renamed one; a merge those that its first parent lacks")
  func touched() throws {
    let first = try repository.commit("One", ["A.swift": "a\n", "B.swift": "b\n"])
    #expect(try open().contents(of: first, withPaths: true).paths == ["A.swift", "B.swift"])
    try repository.git("mv", "A.swift", "C.swift")
    let second = try repository.commit("Two", ["B.swift": "B\n"])
    #expect(try open().contents(of: second, withPaths: true).paths == ["A.swift", "B.swift", "C.swift"])
    try repository.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    try repository.commit("Side", ["D.swift": "d\n"])
    try repository.git("merge", "--quiet", "--no-edit", second.rawValue)
    let merge = try open().contents(of: repository.tip(), withPaths: true)
    #expect(merge.parents.count == 2)
    #expect(merge.paths == ["A.swift", "B.swift", "C.swift"])
    #expect(try open().contents(of: first, withPaths: true, since: second).paths == ["A.swift", "B.swift", "C.swift"])
  }

  @Test("Trees that would be compared for ever are not", arguments: [false, true])
  func treeBomb(isEmpty: Bool) throws {
    let commit = try repository.treeBomb(isEmpty: isEmpty, in: scratch)
    let repository = try open()
    let contents = try repository.contents(of: commit, withPaths: true)
    #expect(contents.message == "Bomb\n")
    #expect(contents.paths == nil)
    let base = try #require(contents.parents.first)
    let sentence =
      "one of them has more than 1000000 files and folders. "
      + "Martlet does not compare such trees; check that the commits are what they should be."
    let error = #expect(throws: GitError.self) { _ = try repository.difference(from: base, to: commit) }
    #expect(
      error?.description
        == "Cannot compare “\(base.rawValue)” with “\(commit.rawValue)” in “\(repository.path)”: \(sentence)")
    let whole = #expect(throws: GitError.self) { _ = try repository.difference(from: nil, to: commit) }
    #expect(whole?.description.hasSuffix(sentence) == true)
    // libgit2 walks through what both sides have, too.
    #expect(throws: GitError.self) { _ = try repository.difference(from: commit, to: commit) }
  }

  @Test("Who commits here is what git's configuration says")
  func identity() throws {
    try repository.git("config", "user.name", "Mira")
    #expect(try open().identity() == "Mira")
    try repository.git("config", "user.email", "mira@example.org")
    #expect(try open().identity() == "Mira <mira@example.org>")
  }
}
