import Comparing
import Foundation
import Git
import Model
import TestGround
import Testing

@testable import Integrating

@Suite("What changed in the sources of a package")
struct SourceDifferenceTests {
  private let scratch: RepositoryScratch
  private let folder: String

  init() throws {
    scratch = try RepositoryScratch("SourceDifference")
    folder = try scratch.repository()
    for name in ["Shared", "pk/Sources/Lib"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
  }

  private func commit(_ files: [String: String]) throws -> CommitID {
    for (path, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(path)")) }
    try scratch.git(folder, "add", "--all")
    return try scratch.commit(folder, "Change")
  }

  @Test("Between two commits the files that differ in the end are told, and those that changed and changed back")
  func changedBack() throws {
    let first = try commit(["Shared/A.swift": "a\n", "Shared/B.swift": "b\n"])
    let second = try commit(["Shared/A.swift": "x\n"])
    let third = try commit(["Shared/A.swift": "a\n", "Shared/B.swift": "c\n"])
    let repository = try Repository(at: folder)
    let commits = repository.commits(between: first, and: third, limit: 50)
    #expect(commits.added.map(\.id) == [third, second])
    #expect(
      commits.files == [CommitChange.File(path: "Shared/B.swift", status: .modified, added: 1, removed: 1)])
    #expect(commits.filesLeft == 0 && commits.restored == ["Shared/A.swift"])
    #expect(repository.commits(between: first, and: second, limit: 50).files == nil, "The only commit tells.")
  }

  @Test("A source in a linked folder outside the package changes with it, by the path that the package has for it")
  func linkedFolder() throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/pk/Sources/Lib/Shared", withDestinationPath: "../../../Shared")
    let first = try commit(["Shared/S.swift": "s\n", "pk/Sources/Lib/A.swift": "a\n", "pk/Sources/Lib/B.swift": "b\n"])
    let second = try commit(["Shared/S.swift": "s\nt\n", "pk/Sources/Lib/B.swift": "b\nc\n"])
    let repository = try Repository(at: folder)
    let difference = try repository.difference(
      from: first, to: .commit(second),
      of: ["Sources/Lib/Shared/S.swift", "Sources/Lib/A.swift", "Sources/Lib/B.swift"], beneath: "pk")
    let added = LineMap(hunks: [.init(old: 2..<2, new: 2..<3)])
    #expect(difference.file(at: "Sources/Lib/Shared/S.swift")?.lines == added)
    #expect(difference.file(at: "Sources/Lib/B.swift")?.lines == added)
    #expect(difference.files.count == 2)
    let all = try repository.difference(
      from: nil, to: .commit(first), of: ["Sources/Lib/Shared/S.swift"], beneath: "pk")
    #expect(all.file(at: "Sources/Lib/Shared/S.swift")?.status == .added)
    #expect(all.obstacle(at: "Sources/Lib/Shared/S.swift") == nil)
  }

  @Test("A new source that is left out as a whole is followed, too, and one that is not touched is not named")
  func leftOut() throws {
    let first = try commit(["pk/Sources/Lib/A.swift": "a\n", "pk/Sources/Lib/Old.swift": "a\nb\n"])
    let second = try commit(["pk/Sources/Lib/New.swift": "a\nb\n"])
    func exclusion(_ path: String) -> CoverageExclusion {
      CoverageExclusion(path: path, lines: LineTally(total: 2), by: "coverage:ignore-file")
    }
    let coverage = Coverage(
      files: [], exclusions: [exclusion("Sources/Lib/New.swift"), exclusion("Sources/Lib/Old.swift")])
    let difference = try Repository(at: folder).difference(
      from: first, to: .commit(second), of: coverage.sourcePaths, beneath: "pk")
    let patch = PatchCoverage(of: coverage, touchedBy: difference, origin: .parent)
    #expect(patch.leftOut == ["Sources/Lib/New.swift"])
    #expect(difference.file(at: "Sources/Lib/New.swift")?.lines != nil)
  }

  @Test("Commits have the same code if only comments and blanks of sources differ, and no manifest does")
  func sameCode() throws {
    let path = "pk/Sources/Lib/A.swift"
    let first = try commit([path: "func a() {\n  b()\n}\n", "pk/Package.swift": "// swift-tools-version: 5.9\n"])
    let comment = try commit([path: "// Calls b.\nfunc a() {\n  b()  // b\n}\n"])
    let code = try commit([path: "func a() {\n  c()  // b\n}\n"])
    let manifest = try commit(["pk/Package.swift": "// swift-tools-version: 6.0\n"])
    let text = try commit(["pk/README.md": "a\n"])
    let repository = try Repository(at: folder)
    let pairs = [(first, comment), (comment, code), (code, manifest), (manifest, text)]
    let same = pairs.map { repository.haveSameCode($0, $1) }
    #expect(same == [true, false, false, false])
  }
}
