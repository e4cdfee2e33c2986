import FoundationEssentials
import Model
import Rendering
import Testing

@testable import Integrating

@Suite("The names of one-shot runs")
struct RunNameTests {
  private let scratch: Scratch
  private let home: Home

  init() throws {
    scratch = try Scratch()
    home = Home(scratch.file("home"))
  }

  private func integrate(_ bot: String, at path: String) throws {
    _ = try home.createIntegration(IntegrationRequest.Place(bot: bot, number: 1), of: path)
  }

  @Test("A run of a repository that a bot integrates has a name of its own, and keeps it")
  func besideBot() throws {
    try integrate("Shop", at: "/r/Shop/.git")
    for _ in 0..<2 { #expect(try home.botName(for: "Shop", at: "/r/Shop/.git") == "Shop-run") }
    #expect(try home.botName(for: "Shop", at: "/other/Shop/.git").wholeMatch(of: /Shop-[0-9a-f]{6}/) != nil)
  }

  @Test("So has one whose bot has not integrated anything yet")
  func besideNewBot() throws {
    #expect(try home.botName(for: "Shop", at: "/r/Shop/.git", besides: ["Shop"]) == "Shop-run")
    #expect(try home.botName(for: "Shop", at: "/r/Shop/.git", besides: []) == "Shop", "the bot was removed")
  }

  @Test("A bot that takes the name of runs gets it, and the next run another one")
  func botComesLater() throws {
    #expect(try home.botName(for: "Shop", at: "/r/Shop/.git") == "Shop")
    try integrate("Shop", at: "/r/Shop/.git")
    #expect(try home.botName(for: "Shop", at: "/r/Shop/.git") == "Shop-run")
  }

  @Test("No new name differs from another only by the case of letters")
  func letterCase() throws {
    try integrate("slugger", at: "/r/Slugger/.git")
    #expect(try home.botName(for: "Slugger", at: "/r/Slugger/.git") == "Slugger-run")
    #expect(try home.botName(for: "Till", at: "/r/Till/.git", besides: ["till"]) == "Till-run")
    #expect(try home.botName(for: "mill", at: "/one/mill/.git") == "mill")
    #expect(try home.botName(for: "Mill", at: "/two/Mill/.git").wholeMatch(of: /Mill-[0-9a-f]{6}/) != nil)
  }

  @Test("The packages of one repository have histories of their own")
  func packages() throws {
    func name(_ package: String, of path: String = "/r/Mono/.git") throws -> String {
      try home.botName(for: "Mono", at: path, package: package)
    }
    for _ in 0..<2 {
      #expect(try name(".") == "Mono")
      #expect(try name("packages/App") == "Mono-App")
      #expect(try name("other/App").wholeMatch(of: /Mono-App-[0-9a-f]{6}/) != nil)
      #expect(try name("packages/Lib") == "Mono-Lib")
    }
    #expect(scratch.text("home/integrations/Mono-App/package") == "packages/App\n")
  }

  @Test("A package in a folder has the repository's name where nothing else has it")
  func onlyPackage() throws {
    #expect(try home.botName(for: "Mono", at: "/r/Mono/.git", package: "packages/App") == "Mono")
    #expect(try home.botName(for: "Mono", at: "/r/Mono/.git", package: "packages/Lib") == "Mono-Lib")
    #expect(try home.botName(for: "Mono", at: "/r/Mono/.git", package: "packages/App") == "Mono")
  }

  @Test("A home of before goes on: a package keeps the name that it was integrated under last")
  func oldHome() throws {
    let old = home.integrations(of: "Mono")
    try old.create().write("/r/Mono/.git\n", to: "repository")
    #expect(try home.botName(for: "Mono", at: "/r/Mono/.git") == "Mono", "nothing says which package it was")
    try FileManager.default.removeItem(atPath: old.file("package"))
    let integration = Integration(
      bot: "Mono", number: 4, repository: "/r/Mono", packagePath: "packages/App", branch: "main",
      commit: Commit(id: CommitID(rawValue: "a"), summary: "Begin", author: "Ada", date: .distantPast), cause: .person,
      toolchain: "Swift", configuration: "debug", sandbox: "off", queuedAt: .distantPast, repeatCommand: "")
    try old.folder("4").create().write(
      try IntegrationRecord(integration).encoded(), to: "integration.json")
    #expect(try home.botName(for: "Mono", at: "/r/Mono/.git", package: "packages/App") == "Mono")
    #expect(try home.botName(for: "Mono", at: "/r/Mono/.git").wholeMatch(of: /Mono-[0-9a-f]{6}/) != nil)
  }
}
