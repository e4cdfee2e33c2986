import FoundationEssentials
import Git
import TestGround
import Testing

@testable import Integrating

@Suite("The package around a folder")
struct PackageSearchTests {
  @Test("is the nearest one, and the root where there is none below it")
  func around() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    for folder in ["packages/App/Sources/App", "packages/none", "docs"] {
      try FileManager.default.createDirectory(atPath: "\(repository)/\(folder)", withIntermediateDirectories: true)
    }
    for folder in [".", "packages/App"] {
      #expect(FileManager.default.createFile(atPath: "\(repository)/\(folder)/Package.swift", contents: nil))
    }
    func found(_ folder: String) throws -> String { try PackageSearch.folder(around: "\(repository)/\(folder)") }
    #expect(try found("packages/App/Sources/App") == "packages/App")
    #expect(try found("packages/App") == "packages/App")
    #expect(try found("packages/none") == ".")
    #expect(try found("docs/..") == ".")
    #expect(try found(".git") == ".")
  }

  @Test("is else the only one that was committed, in a bare repository, too")
  func only() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    func commit(_ file: String) throws {
      let folder = "\(repository)/\(file.split(separator: "/").dropLast().joined(separator: "/"))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      #expect(FileManager.default.createFile(atPath: "\(repository)/\(file)", contents: nil))
      try scratch.git(repository, "add", "--all")
      try scratch.commit(repository)
    }
    for file in ["packages/App/Package.swift", "docs/a.txt"] { try commit(file) }
    #expect(try PackageSearch.folder(around: repository) == "packages/App")
    #expect(try PackageSearch.folder(around: "\(repository)/docs") == "packages/App")
    #expect(try PackageSearch.folder(around: "\(repository)/.git") == "packages/App")
    // A manifest that is not committed yet is still the root's.
    #expect(FileManager.default.createFile(atPath: "\(repository)/Package.swift", contents: nil))
    #expect(try PackageSearch.folder(around: repository) == ".")
    try FileManager.default.removeItem(atPath: "\(repository)/Package.swift")
    try commit("packages/Lib/Package.swift")
    #expect(try PackageSearch.folder(around: repository) == ".")
  }

  @Test("is where its manifest stands, which may be a link, or where a linked folder leads")
  func links() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    try FileManager.default.createDirectory(atPath: "\(repository)/M", withIntermediateDirectories: true)
    for file in ["M/Package.swift", "Package@next.swift"] {
      #expect(FileManager.default.createFile(atPath: "\(repository)/\(file)", contents: nil))
    }
    for (place, way) in [("Package.swift", "M/Package.swift"), ("N", "M"), ("M/Package@old.swift", "Package.swift")] {
      try FileManager.default.createSymbolicLink(atPath: "\(repository)/\(place)", withDestinationPath: way)
    }
    try scratch.git(repository, "add", "--all")
    let commit = try scratch.commit(repository)
    func folder(_ asked: String) throws -> String? {
      try PackageSearch(asked, at: commit, in: Repository(at: repository)).folder
    }
    #expect(try folder(".") == ".")
    #expect(try folder("M") == "M")
    #expect(try folder("N") == "M")
    #expect(try folder("O") == nil)
    try FileManager.default.removeItem(atPath: "\(repository)/Package.swift")
    try FileManager.default.createSymbolicLink(
      atPath: "\(repository)/Package.swift", withDestinationPath: "Package@next.swift")
    try scratch.git(repository, "add", "--all")
    let linked = try scratch.commit(repository)
    #expect(try PackageSearch(".", at: linked, in: Repository(at: repository)).folder == ".")
  }
}
