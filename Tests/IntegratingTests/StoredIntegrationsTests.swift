import FoundationEssentials
import Model
import Rendering
import TestGround
import Testing

@testable import Integrating

@Suite("Finding what is stored of a repository")
struct StoredIntegrationsTests {
  private let scratch: RepositoryScratch
  private let repository: String
  private let home: Home

  init() throws {
    scratch = try RepositoryScratch("stored")
    repository = try scratch.repository()
    home = Home("\(scratch.path)/home")
  }

  private var stored: StoredIntegrations { StoredIntegrations(in: home) }

  /// Keeps a green integration of HEAD.
  private func keep(_ number: Int, of bot: String, on branch: String, package: String = ".") throws {
    let date = Date(timeIntervalSince1970: Double(number))
    let commit = CommitID(rawValue: try scratch.git(repository, "rev-parse", "HEAD"))
    var integration = Integration(
      bot: bot, number: number, repository: repository, packagePath: package, branch: branch,
      commit: Commit(id: commit, summary: "Begin", author: "Ada", date: date), cause: .commit, toolchain: "Swift",
      configuration: "debug", sandbox: "off", queuedAt: date, repeatCommand: "")
    (integration.outcome, integration.startedAt, integration.endedAt) = (.succeeded, date, date)
    let document = IntegrationRecord(integration)
    let folder = home.integrations(of: bot)
    try folder.folder("\(number)").create().write(try document.encoded(), to: StoredIntegration.fileName)
    try folder.write(Array("\(repository)/.git".utf8), to: RunName.ownerFile)
    try PastIndex(of: home).add(document)
  }

  @Test("Of two branches at one commit, each name finds what was integrated of its own")
  func branches() throws {
    try scratch.git(repository, "branch", "feature/a")
    try keep(1, of: "Greeter", on: "main")
    try keep(2, of: "Greeter", on: "feature/a")
    func numbers(_ one: String, _ other: String) throws -> [Int] {
      let (before, after) = try stored.integrations(of: (one, other), inRepositoryAt: repository)
      return [before.document.number, after.document.number]
    }
    #expect(try numbers("main", "feature/a") == [1, 2])
    #expect(try numbers("feature/a", "main") == [2, 1])
    #expect(try numbers("HEAD", "main") == [2, 1])
  }

  @Test("In the folder of a package it is the bot that integrates this package")
  func packages() throws {
    for folder in ["packages/App", "packages/Lib"] {
      try FileManager.default.createDirectory(atPath: "\(repository)/\(folder)", withIntermediateDirectories: true)
      #expect(FileManager.default.createFile(atPath: "\(repository)/\(folder)/Package.swift", contents: nil))
    }
    try keep(1, of: "lib", on: "main", package: "packages/Lib")
    #expect(try stored.bot(forPackageAround: "\(repository)/packages/App") == nil)
    try keep(2, of: "app", on: "main", package: "packages/App")
    #expect(try stored.bot(forPackageAround: "\(repository)/packages/Lib") == "lib")
    #expect(try stored.bot(forPackageAround: "\(repository)/packages/App") == "app")
    #expect(try stored.bot(forPackageAround: repository) == "app", "no package is around: the newest of all")
  }
}
