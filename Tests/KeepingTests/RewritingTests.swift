import Model
import TestGround
import Testing

@testable import Keeping

@Suite("The watcher and branches that are rewritten")
struct RewritingTests {
  @Test("What a canceled integration covered is integrated when the branch is set back to it")
  func setBackToCanceled() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "cancel-superseded: true\n")
    try kept.start()
    kept.finish()
    let good = try kept.scratch.commit(repository, "Keep this")
    try kept.scratch.commit(repository, "Amend this")
    kept.settle()
    let first = try #require(kept.child)
    try kept.scratch.git(repository, "commit", "--quiet", "--amend", "--allow-empty", "--message", "Amended")
    kept.settle()
    #expect(first.isTerminated)
    #expect(try kept.watcher?.status().queue.map(\.covered) == [2])
    try kept.scratch.git(repository, "reset", "--quiet", "--hard", good.rawValue)
    kept.settle()
    kept.finish(.canceled, reason: "A newer commit takes its place.")
    #expect(kept.child?.order?.commit == good)
    kept.finish()
    #expect(kept.launcher.started.compactMap(\.order?.number) == [1, 2, 3])
  }

  @Test("A branch is integrated wherever it is moved, once, and not again when the watcher starts anew")
  func moved() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "ignore: {paths: ['*.md']}\n")
    var expected = [try kept.scratch.commit(repository, "Begin")]
    try kept.start()
    kept.finish(.testFailures, reason: "1 test failed.")
    for message in ["Mend", "Go on"] { expected.append(try kept.scratch.commit(repository, message)) }
    // Together, so that the first of them is never built.
    kept.settle()
    kept.finish()
    func move(to commit: CommitID, _ outcome: Outcome?) throws {
      try kept.scratch.git(repository, "reset", "--quiet", "--hard", commit.rawValue)
      kept.settle()
      #expect(kept.child?.order?.commit == (outcome == nil ? nil : commit))
      if let outcome { kept.finish(outcome) }
      kept.settle()
      #expect(kept.child == nil)
    }
    try move(to: expected[1], .testFailures)
    try move(to: expected[2], .succeeded)
    try move(to: expected[0], .testFailures)
    try kept.start()
    #expect(kept.child == nil)
    // There and back again before anybody looked.
    try kept.scratch.commit(repository, "Go on elsewhere")
    try move(to: expected[0], nil)
    #expect(kept.launcher.started.count == 5)
  }

  @Test("A tag that is moved to an older commit is integrated there")
  func tag() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "branches: [none]\ntags: ['v*']\n")
    let old = try kept.scratch.commit(repository, "Old")
    let new = try kept.scratch.commit(repository, "New")
    try kept.start()
    for commit in [new, old, new] {
      try kept.scratch.git(repository, "tag", "--force", "v2", commit.rawValue)
      kept.settle()
      #expect(kept.child?.order?.commit == commit)
      kept.finish()
    }
    #expect(kept.launcher.started.count == 3)
  }

  @Test("What was ignored, or asks for no integration, is not integrated because it was amended")
  func amended() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "ignore: {messages: ['[skip ci]']}\n")
    try kept.start()
    kept.finish()
    try kept.scratch.commit(repository, "Note [skip ci]")
    kept.settle()
    try kept.scratch.git(repository, "commit", "--quiet", "--amend", "--allow-empty", "--message", "Amended [skip ci]")
    kept.settle()
    #expect(kept.child == nil)
    // Set back to what was integrated.
    try kept.scratch.git(repository, "reset", "--quiet", "--hard", "HEAD~1")
    kept.settle()
    #expect(kept.launcher.started.count == 1)
  }

  @Test("With 'commits: every' a merged branch is one step of the other")
  func merge() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "commits: every\n")
    try kept.start()
    kept.finish()
    try kept.scratch.git(repository, "switch", "--quiet", "--create", "side")
    for message in ["One", "Two"] { try kept.scratch.commit(repository, message) }
    try kept.scratch.git(repository, "switch", "--quiet", "main")
    let own = try kept.scratch.commit(repository, "Break")
    try kept.scratch.git(repository, "merge", "--quiet", "--no-ff", "--message", "Merge", "side")
    let merge = CommitID(rawValue: try kept.scratch.git(repository, "rev-parse", "HEAD"))
    kept.settle()
    for _ in 0..<4 { kept.finish() }
    #expect(kept.launcher.started.dropFirst().compactMap(\.order?.commit) == [own, merge])
  }
}
