import Foundation
import Model
import TestGround
import Testing

@testable import Keeping

@Suite("A home that is too full, or cannot be cleared")
struct FullHomeTests {
  /// A watch of a bot with fifteen integrations, of which it keeps all.
  private func full(_ name: String = #function) throws -> (kept: KeptWatch, repository: String) {
    let kept = try KeptWatch(name)
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "branches: [main]\n")
    try kept.start()
    kept.integrated()
    for _ in 2...15 {
      try kept.scratch.commit(repository, "Go on")
      kept.settle()
      kept.integrated(.testFailures)
    }
    return (kept, repository)
  }

  @Test("Workspaces that the bot does not need go first, and the history only when that was not enough")
  func workspacesFirst() throws {
    let (kept, repository) = try full()
    try kept.scratch.git(repository, "branch", "wip", "main")
    try kept.workspace("wip")
    kept.isFull = true
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    #expect(kept.workspaces == ["main"])
    #expect(
      kept.lines.all.contains(
        "greeter: the workspace wip was removed. More than 75% of the disk is in use, and the bot does not ask for its branch."
      ))
    #expect(kept.results == Array(1...15))
    kept.integrated(.testFailures)
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    #expect(kept.results == [1, 2] + Array(5...16))
    #expect(kept.workspaces == ["main"])
  }

  @Test("What cannot be moved away is neither said nor noted to be removed, is told once, and removed when it can be")
  func blocked() throws {
    let (kept, repository) = try full()
    try kept.write("home/trash", "in the way")
    try kept.bot("greeter", "Greeter", "branches: [main]\nkeep: {integrations: 1}\n")
    for _ in 0..<3 {
      kept.settle()
      try kept.scratch.commit(repository, "Go on")
      kept.settle()
      kept.integrated(.testFailures)
    }
    let trouble =
      "Cannot remove \(kept.home.path)/site/greeter/3: Not a directory. Check the disk and the permissions of the home."
    #expect(kept.results == Array(1...18))
    #expect(kept.pages == Array(1...18))
    #expect(kept.lines.all.filter { $0 == trouble }.count == 1)
    #expect(!kept.lines.all.contains { $0.contains("removed") })
    #expect(try kept.watcher?.status().problems.contains(trouble) == true)
    try kept.remove("home/trash")
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    kept.integrated(.testFailures)
    #expect(kept.results == [1, 2] + Array(8...19))
    #expect(kept.pages == kept.results)
    #expect(try kept.watcher?.status().problems == [])
  }

  @Test("Pages stay where results do")
  func resultsBlocked() throws {
    let (kept, repository) = try full()
    try kept.bot("greeter", "Greeter", "branches: [main]\nkeep: {integrations: 1}\n")
    let results = "\(kept.home.path)/integrations/greeter"
    try FileManager.default.moveItem(atPath: "\(kept.home.path)/integrations", toPath: "\(kept.scratch.path)/away")
    // A link to itself, through which nothing can be reached.
    try FileManager.default.createSymbolicLink(
      atPath: "\(kept.home.path)/integrations", withDestinationPath: "integrations")
    kept.settle()
    try kept.scratch.commit(repository, "Go on")
    kept.settle()
    kept.child?.finish(.testFailures, at: kept.time.now)
    kept.settle()
    #expect(kept.pages == Array(1...15))
    let problems = try #require(try kept.watcher?.status().problems)
    #expect(problems.contains { $0.hasPrefix("Cannot remove \(results)/3: ") })
  }
}
