import BotFiles
import Foundation
import Model
import Storing
import TestGround
import Testing

@testable import Keeping

@Suite("What is removed from a home")
struct PruningTests {
  private let scratch: RepositoryScratch
  private let home: WatchHome
  private let repository: String
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  init() throws {
    scratch = try RepositoryScratch("pruning")
    home = WatchHome("\(scratch.path)/home")
    repository = try scratch.repository()
  }

  private func write(_ text: String, to file: String) throws {
    let url = URL(fileURLWithPath: "\(scratch.path)/\(file)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func pruning(besides more: [String: String] = [:]) throws -> Pruning {
    let configuration = Configuration(folder: "\(scratch.path)/config", userHome: nil)
    return try Pruning(home, configuration: configuration, besides: more, now: now)
  }

  /// What goes, as `kind bot/name: reason`.
  private func words(_ leftovers: [Pruning.Leftover]) -> [String] {
    leftovers.map { "\($0.kind) \($0.bot)/\($0.name): \($0.reason)" }
  }

  private func workspace(_ path: String) throws { try write("built", to: "home/workspaces/\(path)/build/x") }

  @Test("Workspaces of branches, repositories and bots that are gone go, and no others")
  func workspaces() throws {
    try write("repository: \(repository)\n", to: "config/bots/there.yml")
    try write("nonsense", to: "config/bots/broken.yml")
    for bot in ["there", "broken", "elsewhere", "gone"] { try write("", to: "home/integrations/\(bot)/bot") }
    try write("\(repository)/.git\n", to: "home/integrations/runs/repository")
    try write("/nowhere/at/all\n", to: "home/integrations/lost/repository")
    for bot in ["there", "broken", "elsewhere", "gone", "runs", "lost"] {
      for branch in ["main", "old"] { try workspace("\(bot)/\(branch)") }
    }
    let held = try WorkspaceLock(home.workspace("old", of: "gone"))
    let pruning = try pruning(besides: ["elsewhere": ""])
    let found = try pruning.removals()
    #expect(
      words(found) == [
        "workspace gone/main: The bot was removed.",
        "workspace lost/main: There is no /nowhere/at/all any more.",
        "workspace lost/old: There is no /nowhere/at/all any more.",
        "workspace runs/old: Its branch is gone.", "workspace there/old: Its branch is gone.",
      ])
    #expect(found.allSatisfy { $0.bytes == 4096 })
    #expect(try pruning.remove(found) { Issue.record("\($0)") } == found)
    #expect(home.workspaceNames(of: "gone") == ["old"])
    #expect(home.workspaceNames(of: "lost") == [])
    #expect(home.workspaceNames(of: "runs") == ["main"])
    #expect(home.workspaceNames(of: "broken") == ["main", "old"])
    #expect(WatchHome.names(in: home.path).allSatisfy { !$0.hasPrefix("trash") })
    #expect(try pruning.removals() == [])
    _ = consume held
  }

  private func report(_ number: Int, of name: String, on branch: String = "main") throws {
    var integration = Integration(
      bot: name, number: number, repository: repository, packagePath: ".", branch: branch,
      commit: Commit(id: CommitID(rawValue: "c"), summary: "s", author: "a", date: now), cause: .person, toolchain: "t",
      configuration: "debug", sandbox: "on", queuedAt: now, repeatCommand: "")
    integration.outcome = .succeeded
    integration.endedAt = now
    let record = IntegrationRecord(integration) { $0.code.code }
    try write("x", to: "home/integrations/\(name)/\(number)/integration.json")
    try write("x", to: "home/site/\(name)/\(number)/index.html")
    var store = try Store(at: home.database)
    try store.note([IndexRow(of: record)])
  }

  @Test("Reports of one-shot runs beyond what is kept go, those of bots stay")
  func reports() throws {
    try write("keep-runs: {integrations: 1}\n", to: "config/martlet.yml")
    try write("\(repository)/.git\n", to: "home/integrations/runs/repository")
    try write("", to: "home/integrations/bot/bot")
    for number in 1...15 {
      for name in ["runs", "bot"] { try report(number, of: name, on: number == 1 ? "gone" : "main") }
    }
    let pruning = try pruning()
    let found = try pruning.removals()
    let reason = "'keep-runs' in martlet.yml keeps 12 integrations."
    #expect(words(found) == (1...3).map { "report runs/\($0): \(reason)" })
    #expect(try pruning.removals(of: "bot") == [])
    #expect(try pruning.remove(found) { Issue.record("\($0)") } == found)
    #expect(WatchHome.names(in: home.integrations(of: "runs")).compactMap(Int.init).sorted() == Array(4...15))
    #expect(WatchHome.names(in: "\(home.path)/site/runs").compactMap(Int.init).count == 12)
    var store = try Store(at: home.database)
    #expect(try store.lines(of: "runs").count == 15, "the figures stay for the trends")
    #expect(try pruning.removals() == [])
  }
}
