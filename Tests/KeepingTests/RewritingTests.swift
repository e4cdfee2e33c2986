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
}
