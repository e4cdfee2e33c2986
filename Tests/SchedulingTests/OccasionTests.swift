import Model
import Testing

@testable import Scheduling

@Suite("What a bot does at a time, for a person, for a toolchain, after a crash")
struct OccasionTests {
  private let other = RefName(branch: "other")

  private func changes(_ bot: Bot, _ sighting: Sighting, _ cause: Cause) -> [QueueChange] {
    CommitDecision(bot).integrateTips(sighting, because: cause, at: noon).changes
  }

  @Test("A periodic bot integrates its branches at their time, moved or not, and covers what came since")
  func periodic() {
    let bot = bot {
      $0.schedule.on = .periodic
      $0.branches = ["*"]
    }
    let look = sighting(
      seen: [main: "a", other: "x"], now: [main: "c", other: "x"], [main: .advanced(line("c", "b"))])
    #expect(
      changes(bot, look, .schedule) == [
        queued("c", ["c", "b"], cause: .schedule), .remember(main, "c"),
        queued("x", ref: other, cause: .schedule), .remember(other, "x"),
      ])
  }

  @Test("A periodic time that comes while the last one still waits adds nothing")
  func stillWaiting() {
    let bot = bot { $0.schedule.on = .periodic }
    let same = sighting(now: [main: "a"], entries: [entry(7, "a", cause: .schedule)])
    #expect(changes(bot, same, .schedule) == [.remember(main, "a")])
    let moved = sighting(
      now: [main: "b"], [main: .advanced(line("b"))], entries: [entry(7, "a", cause: .schedule)])
    #expect(
      changes(bot, moved, .schedule) == [.extend(7, commit: "b", covered: ["b", "a"]), .remember(main, "b")])
  }

  @Test("A new toolchain integrates the branches again, apart from the commits that wait")
  func toolchain() {
    let look = sighting(now: [main: "a"], entries: [entry(7, "a")])
    #expect(changes(bot(), look, .toolchain) == [queued("a", cause: .toolchain)])
    let again = sighting(now: [main: "a"], entries: [entry(7, "a", cause: .toolchain)])
    #expect(changes(bot(), again, .toolchain) == [])
  }

  @Test("The first toolchain is remembered, another is integrated with, unless the bot does not want it")
  func toolchainChange() {
    func changes(_ known: String?, wanted: Bool = true) -> [QueueChange] {
      CommitDecision(bot { $0.schedule.alsoWhenToolchainChanges = wanted })
        .followToolchain("6.3", known: known, sighting(now: [main: "a"]), at: noon).changes
    }
    #expect(changes(nil) == [.rememberToolchain("6.3")])
    #expect(changes("6.3") == [])
    #expect(changes("6.2") == [queued("a", cause: .toolchain), .rememberToolchain("6.3")])
    #expect(changes("6.2", wanted: false) == [.rememberToolchain("6.3")])
  }

  @Test("What a person asks for takes the place of the commits that wait")
  func person() {
    let look = sighting(now: [main: "c"], entries: [entry(7, "c", covered: ["c", "b"])])
    #expect(
      changes(bot(), look, .person) == [
        .supersede(7, reason: "A person asked to have “main” integrated now."),
        queued("c", ["c", "b"], cause: .person),
      ])
  }

  @Test("A bot that wants every commit keeps the older ones waiting when a person asks for the newest")
  func personAmongEvery() {
    let look = sighting(now: [main: "c"], entries: [entry(7, "b"), entry(8, "c")])
    #expect(
      changes(bot { $0.commits = .every }, look, .person) == [
        .supersede(8, reason: "A person asked to have “main” integrated now."), queued("c", cause: .person),
      ])
  }

  @Test("Branches that the bot does not ask for, and tags, are not integrated with the others")
  func unwatched() {
    let look = sighting(now: [main: "a", other: "x", RefName(tag: "v1"): "a"])
    #expect(changes(bot { $0.tags = ["*"] }, look, .person) == [queued("a", cause: .person)])
  }

  @Test("What was cut off is queued again, once")
  func crash() {
    let cut = entry(7, "b", covered: ["b", "a"], state: .running, number: 3)
    var again = cut.assignment
    again.attempt = 2
    #expect(CommitDecision.afterCrash(of: cut, policy: .latest, entries: [cut]) == [.queue(again)])
    var second = cut
    second.assignment.attempt = 2
    #expect(CommitDecision.afterCrash(of: second, policy: .latest, entries: [second]) == [])
    var canceled = cut
    canceled.cancelReason = "Ada said so."
    #expect(CommitDecision.afterCrash(of: canceled, policy: .latest, entries: [canceled]) == [])
  }

  @Test("What waits for newer commits takes over those of an integration that was cut off")
  func crashWithHeir() {
    let cut = entry(7, "b", covered: ["b", "a"], state: .running, number: 3)
    let heir = entry(8, "c")
    #expect(
      CommitDecision.afterCrash(of: cut, policy: .latest, entries: [cut, heir])
        == [.extend(8, commit: "c", covered: ["c", "b", "a"])])
    #expect(CommitDecision.afterCrash(of: cut, policy: .every, entries: [cut, heir]).count == 1)
  }

  @Test("The removal of a bot empties its queue")
  func removal() {
    let entries = [entry(7, "a", state: .running, number: 1), entry(8, "b"), entry(9, "c", bot: "parser")]
    #expect(
      CommitDecision.removing("greeter", entries: entries)
        == Decision(
          bot: "greeter",
          changes: [.cancel(7, reason: "The bot was removed."), .supersede(8, reason: "The bot was removed.")]))
  }
}
