import Foundation
import Git
import Model
import Testing

@Suite("What a difference cannot say, or only by some care")
struct UnmappedDifferenceTests {
  private let scratch: Scratch
  private let repository: TestRepository

  init() throws {
    scratch = try Scratch("Unmapped\(UInt32.random(in: 0 ... .max))")
    repository = try scratch.repository()
  }

  private func open() throws -> Repository { try Repository(at: repository.path) }

  private func lines(_ range: ClosedRange<Int>) -> String { range.map { "line \($0)\n" }.joined() }

  @Test("A file that is hidden from diffs by an attribute, or that holds a zero byte, is compared as text")
  func forcedText() throws {
    let first = try repository.commit(
      "One", [".gitattributes": "*/**/Gen.swift -diff linguist-generated\n", "S/L/Gen.swift": "a\n", "Z.swift": "a\n"])
    let second = try repository.commit("Two", ["S/L/Gen.swift": "a\nb\n", "Z.swift": "a\n// \u{0}\n"])
    let difference = try open().difference(from: first, to: second)
    #expect(difference.file(at: "S/L/Gen.swift")?.lines?.hunks == [.init(old: 2..<2, new: 2..<3)])
    #expect(difference.file(at: "Z.swift")?.lines?.hunks == [.init(old: 2..<2, new: 2..<3)])
    let workspace = scratch.workspace()
    try repository.write("S/L/Gen.swift", "a\nb\nc\n")
    _ = try open().checkOutWorkingTree(into: workspace)
    let uncommitted = try open().difference(from: second, toFilesIn: workspace)
    #expect(uncommitted.file(at: "S/L/Gen.swift")?.lines?.hunks == [.init(old: 3..<3, new: 3..<4)])
  }

  @Test("A file of 16 MiB and a byte is not compared, and says so")
  func longFile() throws {
    let line = String(repeating: "a", count: (1 << 20) - 1) + "\n"
    let longest = String(repeating: line, count: 16)
    let first = try repository.commit("One", ["A.swift": longest, "B.swift": "b\n"])
    let second = try repository.commit("Two", ["A.swift": longest + "b", "B.swift": longest])
    let difference = try open().difference(from: first, to: second)
    #expect(difference.obstacle(at: "A.swift") == .content)
    #expect(difference.file(at: "B.swift")?.lines?.hunks == [.init(old: 1..<2, new: 1..<17)])
  }

  @Test("A link has no lines, also where it takes the place of a file")
  func link() throws {
    let first = try repository.commit("One", ["A.swift": lines(1...9), "B.swift": "b\n"])
    try repository.remove("B.swift")
    try repository.link("B.swift", to: "A.swift")
    let second = try repository.commit("Two")
    let difference = try open().difference(from: first, to: second)
    #expect(difference.file(at: "B.swift")?.lines == nil)
    #expect(difference.obstacle(at: "B.swift") == .content)
  }

  @Test("A submodule that moved is one, and a file that became a folder is none")
  func folders() throws {
    let inner = try scratch.repository("Inner")
    try inner.commit("Inner", ["I.swift": "i\n"])
    try repository.commit("Outer", ["A": "a\n"])
    try repository.git("submodule", "--quiet", "add", inner.path, "Deep/Inner")
    let first = try repository.commit("With inner")
    try inner.commit("Inner 2", ["I.swift": "j\n"])
    try repository.git("-C", "Deep/Inner", "pull", "--quiet")
    try repository.remove("A")
    let second = try repository.commit("Moved inner", ["A/B.swift": "quite another text\n"])
    let difference = try open().difference(from: first, to: second, among: ["swift"]) { $0 == "A/B.swift" }
    #expect(difference.obstacle(at: "Deep/Inner/Sources/I.swift") == .submodule)
    #expect(!difference.isOpaque("Deep/Other.swift"))
    #expect(difference.obstacle(at: "A/B.swift") == nil)
    #expect(difference.file(at: "A/B.swift")?.lines?.hunks == [.init(old: 1..<1, new: 1..<2)])
  }

  // MARK: Renames

  @Test("A renamed source is found however many other files go at the same time")
  func manyDeleted() throws {
    var files = ["Sources/A.swift": lines(1...20)]
    for number in 1...1100 { files["Data/f\(number).txt"] = "\(number) of other things\n" }
    let first = try repository.commit("One", files)
    try FileManager.default.removeItem(atPath: "\(repository.path)/Data")
    try repository.remove("Sources/A.swift")
    let second = try repository.commit("Two", ["Sources/B.swift": lines(1...20) + "more\n"])
    let among = try open().difference(from: first, to: second, among: ["swift"])
    #expect(among.files.map(\.oldPath) == ["Sources/A.swift"])
    #expect(among.file(at: "Sources/B.swift")?.lines?.hunks == [.init(old: 21..<21, new: 21..<22)])
    let all = try open().difference(from: first, to: second)
    #expect(all.file(at: "Sources/B.swift")?.oldPath == "Sources/A.swift")
  }

  @Test("Where there are too many files to look for renamed ones, those that came and went say so")
  func tooMany() throws {
    let first = try repository.commit(
      "One", ["A.swift": lines(1...20), "B.swift": lines(30...60), "C.swift": lines(70...99), "Same.swift": "same\n"])
    for name in ["A", "B", "C", "Same"] { try repository.remove("\(name).swift") }
    let second = try repository.commit(
      "Two",
      [
        "D.swift": lines(1...20) + "more\n", "E.swift": lines(30...60) + "more\n", "F.swift": "f\n",
        "Moved.swift": "same\n",
      ])
    let capped = try open().difference(from: first, to: second, comparing: 8)
    #expect(capped.file(at: "Moved.swift")?.oldPath == "Same.swift")
    #expect(capped.obstacle(at: "Moved.swift") == nil)
    #expect(["D.swift", "E.swift", "F.swift"].map(capped.obstacle(at:)) == [.renames, .renames, .renames])
    #expect(["A.swift", "B.swift", "C.swift"].map(capped.obstacle(from:)) == [.renames, .renames, .renames])
    // Once the same file has gone from both sides, nine pairs are left.
    let whole = try open().difference(from: first, to: second, comparing: 9)
    #expect(whole.file(at: "D.swift")?.oldPath == "A.swift")
    #expect(whole.files.allSatisfy { $0.obstacle == nil })
  }

  @Test("Uncommitted files are filtered, too, and links and submodules are not")
  func filteredFiles() throws {
    let first = try repository.commit("One", ["A.swift": "a\n", "B.txt": "b\n", "Makefile": "c\n"])
    try repository.write("A.swift", "A\n")
    try repository.write("B.txt", "B\n")
    try repository.write("Makefile", "C\n")
    try repository.write("New.txt", "new\n")
    try repository.link("Link", to: "A.swift")
    let workspace = scratch.workspace()
    _ = try open().checkOutWorkingTree(into: workspace)
    let difference = try open().difference(from: first, toFilesIn: workspace, among: ["swift"])
    #expect(difference.files.compactMap(\.newPath).sorted() == ["A.swift", "Link"])
  }

  // MARK: Parents

  @Test("A shallow clone has no parent of its last commit, which is another thing than a first commit")
  func shallow() throws {
    let first = try repository.commit("One", ["A.swift": "a\n"])
    let second = try repository.commit("Two", ["A.swift": "b\n"])
    #expect(try open().firstParent(of: second) == .commit(first))
    #expect(try open().firstParent(of: first) == .none)
    try repository.git("clone", "--quiet", "--depth", "1", "file://\(repository.path)", "\(scratch.path)/Shallow")
    let shallow = try Repository(at: scratch.existing("Shallow").path)
    #expect(try shallow.firstParent(of: second) == .leftOut(first))
  }

  @Test("A parent that a whole repository has lost is an error")
  func lostParent() throws {
    let first = try repository.commit("One", ["A.swift": "a\n"])
    let second = try repository.commit("Two", ["A.swift": "b\n"])
    let name = first.rawValue
    try repository.remove(".git/objects/\(name.prefix(2))/\(name.dropFirst(2))")
    let error = try #require(throws: GitError.self) { _ = try open().firstParent(of: second) }
    #expect(error.kind == .missingObject)
  }
}
