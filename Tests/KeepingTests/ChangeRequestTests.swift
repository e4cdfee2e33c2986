import Foundation
import Model
import Processes
import Storing
import TestGround
import Testing

@testable import Keeping

@Suite("Change requests")
struct ChangeRequestTests {
  private let kept: KeptWatch
  private let repository: String

  init() throws {
    kept = try KeptWatch()
    repository = try kept.scratch.repository()
  }

  private func bot(_ trust: String) throws {
    try kept.bot(
      "greeter", "Greeter",
      """
      branches: [main, "refs/pull/*/head"]
      trust: \(trust)
      sandbox: {mode: off}
      secrets: [DEPLOY]
      triggers: [{after: {run: "echo $DEPLOY"}}]

      """)
    try FileManager.default.createDirectory(
      atPath: "\(kept.scratch.path)/config/secrets", withIntermediateDirectories: true)
    let file = "\(kept.scratch.path)/config/secrets/greeter.env"
    try Data("DEPLOY=fr1ed-tern\n".utf8).write(to: URL(fileURLWithPath: file))
    #expect(chmod(file, 0o600) == 0)
  }

  /// A commit that only a change request holds.
  @discardableResult
  private func request(_ message: String) throws -> CommitID {
    try kept.scratch.git(repository, "checkout", "--quiet", "--detach")
    let commit = try kept.scratch.commit(repository, message)
    try kept.scratch.git(repository, "update-ref", "refs/pull/7/head", commit.rawValue)
    try kept.scratch.git(repository, "checkout", "--quiet", "main")
    try look()
    return commit
  }

  private func look() throws {
    _ = try kept.ask(ControlRequest(.notify, repository: repository))
    kept.settle()
  }

  @Test(
    "A stranger's commit is passed over, which is said once, and a commit that a branch holds is integrated contained")
  func members() throws {
    try bot("members")
    try kept.start()
    #expect(kept.child?.order?.secrets == ["DEPLOY": "fr1ed-tern"])
    kept.finish()
    let first = try request("Strange")
    let second = try request("Stranger")
    #expect(kept.launcher.running.isEmpty)
    let said = kept.lines.all.filter { $0.hasPrefix("greeter: pull requests of commits that no branch of ") }
    #expect(said.count == 1)
    try kept.watcher?.writeState()
    let state = try JSONDecoder().decode(WatchState.self, from: Data(contentsOf: URL(fileURLWithPath: kept.home.state)))
    #expect(state.bots.first?.passedOver.map(\.branch) == ["refs/pull/7/head", "refs/pull/7/head"])
    // Whoever names a commit does not vouch for it, whether the change request still holds it or not.
    #expect(
      kept.refusal(ControlRequest(.integrate, bot: "greeter", commit: first.rawValue))
        == "No branch, tag or pull request of \(repository) holds \(first.short), so that anybody may have written it. Push it to a branch first."
    )
    _ = try kept.ask(ControlRequest(.integrate, bot: "greeter", commit: second.rawValue))
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
    try kept.scratch.git(repository, "update-ref", "refs/heads/feature", first.rawValue)
    try kept.scratch.git(repository, "update-ref", "refs/pull/8/head", first.rawValue)
    try look()
    #expect(kept.child?.order?.commit == first)
    #expect(kept.child?.order?.isOfStranger == true)
  }

  @Test("With trust for all a stranger's commit is integrated with nothing of this machine in its reach")
  func all() throws {
    try bot("all")
    try kept.start()
    kept.finish()
    let commit = try request("Strange")
    func check() throws {
      let order = try #require(kept.child?.order)
      #expect((order.commit, order.branch, order.tag) == (commit, nil, nil))
      #expect((order.secrets, order.bot.secrets, order.bot.triggers, order.isOfStranger) == ([:], [], [], true))
      #expect(order.bot.sandbox == SandboxPolicy(mode: .on))
    }
    try check()
    kept.finish()
    _ = try kept.ask(ControlRequest(.rerun, bot: "greeter", number: 2))
    kept.settle()
    try check()
    kept.finish()
    // Whoever names the commit does not vouch for it.
    _ = try kept.ask(ControlRequest(.integrate, bot: "greeter", commit: commit.rawValue))
    kept.settle()
    try check()
    kept.finish()
    // Of a home that was restored without its database nobody knows what was a change request.
    let lost = QueueEntry(
      id: 0, assignment: Assignment(bot: "greeter", ref: nil, commit: commit, cause: .commit, queuedAt: Date()),
      state: .finished, number: 40)
    var store = try Store(at: kept.home.database)
    try store.restore([HistoryEntry(entry: lost, summary: IntegrationSummary(outcome: .succeeded, endedAt: Date()))])
    _ = try kept.ask(ControlRequest(.rerun, bot: "greeter", number: 40))
    kept.settle()
    try check()
    kept.finish()
    // What is asked for again after the bot's file changed its mind is not integrated.
    try bot("members")
    _ = try kept.ask(ControlRequest(.rerun, bot: "greeter", number: 2))
    kept.settle()
    #expect(kept.launcher.running.isEmpty)
  }
}
