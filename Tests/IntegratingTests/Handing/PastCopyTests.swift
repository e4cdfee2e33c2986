import FoundationEssentials
import Model
import Rendering
import Testing

@testable import Integrating

@Suite("The copy of a bot's past on another machine")
struct PastCopyTests {
  private let scratch: Scratch
  private let home: Home
  private let machine: Home

  init() throws {
    scratch = try Scratch()
    home = Home(scratch.file("home"))
    machine = Home(scratch.file("machine"))
    try home.prepare()
    try machine.prepare()
    for number in 1...3 { try keep(number) }
  }

  private func keep(_ number: Int) throws {
    var integration = Integration(
      bot: "greeter", number: number, repository: "/r", branch: "main",
      commit: Commit(
        id: CommitID(rawValue: "\(number)"), summary: "Begin", author: "Ada", date: Date(timeIntervalSince1970: 0)),
      cause: .commit, toolchain: "Swift", configuration: "debug", sandbox: "off",
      queuedAt: Date(timeIntervalSince1970: 0), repeatCommand: "martlet run")
    integration.outcome = .succeeded
    integration.scope = "s"
    let folder = try home.integrations(of: "greeter").folder("\(number)").create()
    try folder.write(
      try IntegrationRecord(integration).encoded(), to: "integration.json")
    try folder.write("log", to: "other.log")
    try PastIndex(of: home).add(IntegrationRecord(integration))
  }

  /// Brings the copy up to date as an order does, and returns the paths of what was sent.
  @discardableResult
  private func send() throws -> [String] {
    let (files, made) = try PastCopy(home: home, bot: "greeter").files()
    let copy = PastCopy(home: machine, bot: "greeter")
    let known = Set(copy.copied())
    let fresh = try scratch.folder.folder("fresh").create()
    var bytes: [UInt8] = []
    let news = files.filter { !known.contains($0) }
    for file in news {
      let all = home.integrations(of: "greeter")
      if let text = made[file.path] {
        try FileStream.write(file.path, text) { bytes += $0 }
      } else {
        try FileStream.write(file.path, from: all.file(file.path)) { bytes += $0 }
      }
    }
    try FileStream.writeEnd { bytes += $0 }
    try SessionReader(of: bytes).files(into: fresh)
    try copy.update(to: files, with: fresh)
    try fresh.remove()
    return news.map(\.path)
  }

  private func numbers(_ home: Home) throws -> [Int] {
    try PastIndex(of: home).integrations(of: "greeter").map(\.number)
  }

  @Test("Has the documents and the index, and later only what is new is sent")
  func copying() throws {
    #expect(try send() == ["1/integration.json", "2/integration.json", "3/integration.json"])
    #expect(try numbers(machine) == [1, 2, 3])
    #expect(try PastIndex(of: machine).integrations(of: "greeter") == PastIndex(of: home).integrations(of: "greeter"))
    #expect(!machine.integrations(of: "greeter").holds("1/other.log"))
    #expect(try send() == [])
    try keep(4)
    try Silences(in: home.integrations(of: "greeter")).change { _ in }
    #expect(try send() == ["4/integration.json", "silences.json"])
    #expect(try numbers(machine) == [1, 2, 3, 4])
  }

  @Test("Has what orders tests and judges destinations, and keeps it of what the machine made itself")
  func maps() throws {
    let needed = ["cells/release/coverage.json", "test-map.json.gz"]
    for home in [home, machine] {
      let one = home.integrations(of: "greeter").folder("3")
      for folder in ["cells/release/log", "cells/debug/log"] { try one.folder(folder).create() }
      for path in needed + ["cells/release/log/testing.log", "cells/debug/log/testing.log", "mutants.json"] {
        try one.write("x", to: path)
      }
    }
    let sent = try send()
    #expect(sent.filter { !$0.hasSuffix("/integration.json") } == needed.reversed().map { "3/\($0)" })
    let copy = PastCopy(home: machine, bot: "greeter")
    try copy.add(copy.files(of: 3), of: 3)
    #expect(
      machine.integrations(of: "greeter").folder("3").filesBeneath() == (needed + ["integration.json"]).sorted())
  }

  @Test("Loses what the home does not have, such as an integration that the machine carried out for nobody")
  func ghosts() throws {
    try send()
    let ghost = try machine.integrations(of: "greeter").folder("4").create()
    let bytes = try #require(machine.integrations(of: "greeter").read("3/integration.json"))
    try ghost.write(bytes, to: "integration.json")
    var record = try IntegrationRecord(reading: bytes)
    record.number = 4
    try PastIndex(of: machine).add(record)
    #expect(try numbers(machine) == [1, 2, 3, 4])
    try send()
    #expect(try numbers(machine) == [1, 2, 3])
    #expect(!ghost.exists)
  }

  @Test("Keeps a line of what the home has removed")
  func removed() throws {
    try send()
    var gone = try PastIndex(of: home).integrations(of: "greeter").first
    // What is sent of it does not name its package.
    gone?.package = nil
    try home.integrations(of: "greeter").folder("1").remove()
    #expect(try send() == ["history", "ledger"])
    #expect(try numbers(machine) == [1, 2, 3])
    #expect(try PastIndex(of: machine).integrations(of: "greeter").first == gone)
    #expect(!machine.integrations(of: "greeter").holds("1"))
    #expect(try send() == [])
  }

  @Test("Is not sent what the machine made itself, of which it keeps only what later integrations read")
  func own() throws {
    try send()
    try keep(4)
    let bytes = try #require(home.integrations(of: "greeter").read("4/integration.json"))
    let made = try machine.integrations(of: "greeter").folder("4").create()
    try made.write(bytes, to: "integration.json")
    try made.folder("log").create()
    try machine.site(of: "greeter").folder("3").create()
    try machine.site(of: "greeter").folder("4").create()
    let files = PastCopy(home: home, bot: "greeter").files(of: 4)
    try PastCopy(home: machine, bot: "greeter").add(files, of: 4)
    #expect(made.names() == ["integration.json"])
    #expect(machine.site(of: "greeter").names() == ["4"])
    #expect(try send() == [])
  }
}
