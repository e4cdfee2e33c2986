import FoundationEssentials
import Model
import Testing

@testable import Scheduling

@Suite("What a bot does about a branch or tag that was rewritten")
struct RewrittenRefTests {
  private func changes(_ bot: Bot, _ sighting: Sighting) -> [QueueChange] {
    CommitDecision(bot).decide(sighting, at: noon).changes
  }

  private func skipped(_ commit: CommitID, _ reason: String) -> QueueChange {
    .skip(Assignment(bot: "greeter", ref: main, commit: commit, cause: .commit, queuedAt: noon), reason: reason)
  }

  @Test("A branch that is set back to an older commit is integrated there again", arguments: Bot.CommitPolicy.allCases)
  func setBack(policy: Bot.CommitPolicy) {
    let move = sighting(
      seen: [main: "d"], now: [main: "b"], [main: .rewritten(line("b"))], covered: [main: ["b"]], reached: [])
    #expect(changes(bot { $0.commits = policy }, move) == [queued("b"), .remember(main, "b")])
  }

  @Test("So is a tag")
  func tag() {
    let tag = RefName(rawValue: "refs/tags/v2")
    let move = sighting(
      seen: [tag: "d", .tagsAsked: "v*"], now: [tag: "b"], [tag: .rewritten(line("b"))])
    #expect(changes(bot { $0.tags = ["v*"] }, move) == [queued("b", ref: tag), .remember(tag, "b")])
  }

  @Test("A tag that moves on is integrated where it stands now", arguments: Bot.CommitPolicy.allCases)
  func movedTag(policy: Bot.CommitPolicy) {
    let tag = RefName(rawValue: "refs/tags/nightly")
    let move = sighting(
      seen: [tag: "b", .tagsAsked: "nightly"], now: [tag: "e"], [tag: .advanced(line("e", "d", "c"), from: "b")])
    let bot = bot {
      $0.tags = ["nightly"]
      $0.commits = policy
    }
    #expect(changes(bot, move) == [queued("e", ["e", "d", "c"], ref: tag), .remember(tag, "e")])
  }

  @Test("Other new commits of a branch that was written anew are covered, or integrated if every one is wanted")
  func anew() {
    let move = sighting(
      seen: [main: "c"], now: [main: "z"], [main: .rewritten(line("z", "y", "x"))], covered: [main: ["x"]], reached: [])
    #expect(changes(bot(), move) == [queued("z", ["z", "y"]), .remember(main, "z")])
    #expect(
      changes(bot { $0.commits = .every }, move) == [queued("y"), queued("z"), .remember(main, "z")])
  }

  @Test("Filters ask what differs from the last result, and no message speaks for that")
  func filters() {
    let bot = bot {
      $0.ignore.paths = ["*.md"]
      $0.ignore.messages = ["[skip ci]"]
      $0.paths = ["Sources/**", "*.md"]
    }
    func decided(_ paths: [String]?) -> [QueueChange] {
      let commits = line("z", message: "Note [skip ci]", paths: paths) + line("y", paths: ["Sources/a.swift"])
      return changes(bot, sighting(seen: [main: "c"], now: [main: "z"], [main: .rewritten(commits)], reached: []))
    }
    let integrated = [queued("z", ["z", "y"]), .remember(main, "z")]
    #expect(decided(["README.md", "Sources/a.swift"]) == integrated)
    #expect(decided(nil) == integrated)
    #expect(
      decided(["README.md"]) == [
        skipped("z", "The commit changes only files that the bot ignores: README.md."), .remember(main, "z"),
      ])
    #expect(
      decided(["Tests/a.swift"]) == [
        skipped("z", "The commit changes no file that 'paths' of the bot names, only Tests/a.swift."),
        .remember(main, "z"),
      ])
  }

  @Test("A force push supersedes what is gone and queues what is new")
  func superseding() {
    let move = sighting(
      seen: [main: "c"], now: [main: "z"], [main: .advanced(line("z", "y"), from: "c")], entries: [entry(7, "c")],
      reached: [])
    #expect(
      changes(bot(), move) == [
        .supersede(7, reason: "The branch “main” was rewritten and no longer holds this commit."),
        queued("z", ["z", "y"]), .remember(main, "z"),
      ])
  }

  @Test("A branch that is set back keeps those of its waiting commits that it still holds")
  func kept() {
    let move = sighting(
      seen: [main: "d"], now: [main: "c"], [main: .tip(NewCommit(id: "c"))],
      entries: [entry(7, "d", covered: ["d", "c", "b"])], covered: [main: ["c"]], reached: ["c", "b"])
    #expect(
      changes(bot(), move) == [
        .supersede(7, reason: "The branch “main” was rewritten and no longer holds this commit."),
        queued("c", ["c", "b"]), .remember(main, "c"),
      ])
  }

  @Test("After a force push, what is covered for a running integration is only what the branch still holds")
  func cancel() {
    let running = entry(7, "c", covered: ["c", "b"], state: .running, number: 3)
    let move = sighting(
      seen: [main: "c"], now: [main: "z"], [main: .rewritten(line("z"))], entries: [running], reached: ["b"])
    #expect(changes(bot { $0.cancelSuperseded = true }, move).contains(queued("z", ["z", "b"])))
  }

  // MARK: What tells how the ref stands

  private func standing(
    _ entries: [QueueEntry], reached: Set<CommitID> = [], after outcome: Outcome? = nil, of commit: CommitID = "c"
  ) -> Standing {
    let newest = outcome.map { outcome in
      HistoryEntry(
        entry: entry(1, commit, state: .finished, number: 1),
        summary: IntegrationSummary(outcome: outcome, endedAt: noon))
    }
    return sighting(seen: [main: "d"], now: [main: "z"], entries: entries, reached: reached)
      .standing(of: RefMove(ref: main, old: "d", new: "z"), after: newest)
  }

  @Test("The newest result tells how a branch stands, unless it is none")
  func result() {
    #expect(standing([]) == .new)
    #expect(standing([], after: .testFailures) == .at("c"))
    #expect(standing([], after: .internalError) == .unknown)
    #expect(standing([], after: .internalError, of: "z") == .at("z"))
  }

  @Test("What runs or still waits will tell, but not an older commit that a person asked for or that was cut off")
  func open() {
    let running = entry(2, "d", state: .running, number: 2)
    #expect(standing([running], after: .succeeded) == .at("d"))
    var canceled = running
    canceled.cancelReason = "A newer commit takes its place."
    #expect(standing([canceled], after: .succeeded) == .unknown)
    #expect(standing([entry(3, "b")], reached: ["b"], after: .succeeded) == .at("b"))
    #expect(standing([entry(3, "d")], after: .succeeded) == .at("c"))
    #expect(standing([entry(3, "z", cause: .rerun)], after: .succeeded) == .at("z"))
    #expect(standing([entry(3, "b", cause: .rerun)], after: .succeeded) == .unknown)
    #expect(standing([entry(3, "d", cause: .person)], after: .succeeded) == .at("d"))
    var cutOff = entry(3, "b")
    cutOff.assignment.attempt = 3
    #expect(standing([cutOff], reached: ["b"], after: .succeeded) == .unknown)
  }
}
