import FoundationEssentials
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
}
