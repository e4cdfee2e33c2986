import Foundation
import Model
import TestGround
import Testing

@testable import Keeping

@Suite("What the watcher keeps and removes")
struct RoomTests {
  /// A watch of a bot that has integrated `main` and a branch `feature`, each in a workspace.
  private func kept(_ name: String = #function, _ more: String = "") throws -> (kept: KeptWatch, repository: String) {
    let kept = try KeptWatch(name)
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "branches: [main, \"feature*\"]\nkeep: {integrations: 1}\n\(more)")
    try kept.start()
    kept.integrated()
    try kept.scratch.git(repository, "branch", "feature", "main")
    kept.settle()
    #expect(kept.child?.order?.branch == "feature")
    kept.integrated()
    return (kept, repository)
  }

  /// Integrates so many new commits of `main`.
  private func goOn(_ kept: KeptWatch, _ repository: String, _ count: Int = 1) throws {
    for _ in 0..<count {
      try kept.scratch.commit(repository, "Go on")
      kept.settle()
      kept.integrated()
    }
  }

  @Test("The last good one of a branch stays as long as the branch does")
  func deletedBranch() throws {
    let (kept, repository) = try kept()
    try goOn(kept, repository, 13)
    #expect(kept.results.first == 2)
    try kept.scratch.git(repository, "branch", "--quiet", "-D", "feature")
    kept.settle()
    try goOn(kept, repository)
    #expect(kept.results == Array(5...16))
    #expect(kept.lines.all.contains("greeter 2: removed. The bot keeps 12 integrations."))
  }

  @Test("On a full disk, too, the last good one of a branch stays as long as the branch does")
  func deletedBranchOnFullDisk() throws {
    let (kept, repository) = try kept()
    try kept.bot("greeter", "Greeter", "branches: [main, \"feature*\"]\n")
    kept.isFull = true
    kept.settle()
    try goOn(kept, repository, 13)
    #expect(kept.results == Array(2...15))
    try kept.scratch.git(repository, "branch", "--quiet", "-D", "feature")
    kept.settle()
    try goOn(kept, repository, 2)
    #expect(kept.results == Array(5...17))
    #expect(kept.workspaces == ["main"])
  }

  @Test("What a person asked for on branches that the bot only integrates by hand is protected as well")
  func byHand() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.scratch.git(repository, "branch", "feature", "main")
    let schedule = "schedule: {on: manual, also-when-toolchain-changes: false}"
    try kept.write(
      "config/bots/greeter.yml",
      "repository: \(repository)\nbranches: [main, feature]\nkeep: {integrations: 1}\n\(schedule)\n")
    try kept.start()
    for branch in ["feature"] + Array(repeating: "main", count: 14) {
      _ = try kept.ask(ControlRequest(.integrate, bot: "greeter", commit: branch))
      kept.settle()
      kept.integrated()
    }
    #expect(kept.results == [1] + Array(4...15))
    #expect(kept.workspaces == ["feature", "main"])
  }

  @Test("While the repository cannot be read, nothing is taken for a deleted branch's")
  func unreadable() throws {
    let (kept, repository) = try kept()
    try goOn(kept, repository, 13)
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    try FileManager.default.moveItem(atPath: repository, toPath: "\(repository).away")
    kept.integrated()
    #expect(kept.results == [2] + Array(5...16))
    #expect(kept.workspaces == ["feature", "main"])
  }

  @Test("The workspace of a deleted branch goes, and what was left of no branch's; those of other branches stay")
  func workspaces() throws {
    let (kept, repository) = try kept()
    try kept.scratch.git(repository, "branch", "wip/other", "main")
    for workspace in ["detached", ".alone-1", FileSystemName.workspace(of: "wip/other"), "cleaned"] {
      try kept.workspace(workspace)
    }
    try kept.scratch.git(repository, "branch", "--quiet", "-D", "feature")
    kept.settle()
    try goOn(kept, repository)
    #expect(kept.workspaces == ["main", FileSystemName.workspace(of: "wip/other")])
    #expect(kept.lines.all.contains("greeter: the workspace detached was removed. Its branch is gone."))
    #expect(kept.lines.all.contains("greeter: the workspace .alone-1 was removed. Its integration was cut off."))
    #expect(kept.lines.all.contains("greeter: the workspace feature was removed. Its branch is gone."))
    #expect(kept.lines.all.contains("greeter: the workspace cleaned was removed. Its branch is gone."))
    #expect(kept.launcher.removed == ["\(kept.home.path)/trash.gone"])
  }

  @Test("A workspace that somebody uses stays until nobody does")
  func heldWorkspace() throws {
    let (kept, repository) = try kept()
    let holder = try kept.hold("feature")
    try kept.scratch.git(repository, "branch", "--quiet", "-D", "feature")
    kept.settle()
    try goOn(kept, repository)
    #expect(kept.workspaces == ["feature", "main"])
    close(holder)
    try goOn(kept, repository)
    #expect(kept.workspaces == ["main"])
  }

  @Test("A bot that follows HEAD keeps the workspace of a branch that HEAD may come back to")
  func followingHead() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter")
    kept.isFull = true
    try kept.start()
    kept.integrated()
    try kept.scratch.git(repository, "checkout", "--quiet", "-b", "feature")
    try goOn(kept, repository)
    #expect(kept.workspaces == ["feature", "main"])
  }

  @Test("With a bot its workspaces go, one that is in use when it is free")
  func removedBot() throws {
    let (kept, repository) = try kept()
    try kept.workspace("detached")
    try kept.write("home/workspaces/greeter/.cleaned", "{}")
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    let running = try #require(kept.child)
    try kept.remove("config/bots/greeter.yml")
    kept.settle()
    #expect(running.isTerminated)
    #expect(kept.workspaces == ["main"])
    kept.finish(.canceled)
    #expect(WatchHome.names(in: "\(kept.home.path)/workspaces") == [])
    #expect(kept.lines.all.contains("greeter: the workspace main was removed. The bot was removed."))
  }

  @Test("A bot whose file is broken keeps its workspaces and what is compared with")
  func brokenBot() throws {
    let (kept, repository) = try kept()
    try kept.bot("greeter", "Greeter", "shedule: {}\n")
    kept.isFull = true
    try kept.bot("other")
    try kept.start()
    kept.finish()
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    #expect(kept.workspaces == ["feature", "main"])
  }
}
