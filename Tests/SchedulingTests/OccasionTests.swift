import FoundationEssentials
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
      seen: [main: "a", other: "x"], now: [main: "c", other: "x"], [main: .advanced(line("c", "b"), from: "a")])
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
      now: [main: "b"], [main: .advanced(line("b"), from: "a")], entries: [entry(7, "a", cause: .schedule)])
    #expect(
      changes(bot, moved, .schedule) == [.extend(7, commit: "b", covered: ["b", "a"]), .remember(main, "b")])
  }

  @Test("A new toolchain integrates the branches again, except the commits that wait")
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
    let look = sighting(now: [main: "a", other: "x", RefName(rawValue: "refs/tags/v1"): "a"])
    #expect(changes(bot { $0.tags = ["*"] }, look, .person) == [queued("a", cause: .person)])
  }

  private func afterCrash(
    _ cut: QueueEntry, _ attempt: Int, _ policy: Bot.CommitPolicy = .latest, _ others: QueueEntry...
  )
    -> [QueueChange]
  {
    CommitDecision.afterCrash(of: cut, attempt: attempt, policy: policy, entries: [cut] + others, at: noon + 60)
  }

  @Test("What was cut off is queued again; from the second time on its pause begins with the end of the last attempt")
  func crash() {
    var cut = entry(7, "b", covered: ["b", "a"], state: .running, number: 3)
    var again = cut.assignment
    again.attempt = 2
    #expect(afterCrash(cut, 2) == [.queue(again)])
    cut.assignment = again
    (again.attempt, again.queuedAt) = (3, noon + 60)
    #expect(afterCrash(cut, 3) == [.queue(again)])
    cut.assignment = again
    cut.cancelReason = "Ada said so."
    #expect(afterCrash(cut, 4) == [])
  }

  @Test("What was cut off because its watcher was told to stop keeps its place, however often that is")
  func stopped() {
    var cut = entry(7, "b", state: .running, number: 3)
    for attempt in [1, 2, 3, 9] {
      cut.assignment.attempt = attempt
      #expect(afterCrash(cut, attempt) == [.queue(cut.assignment)])
    }
  }

  @Test("What waits for newer commits takes over those of an integration that was cut off")
  func crashWithHeir() {
    let cut = entry(7, "b", covered: ["b", "a"], state: .running, number: 3)
    let heir = entry(8, "c")
    #expect(afterCrash(cut, 2, .latest, heir) == [.extend(8, commit: "c", covered: ["c", "b", "a"])])
    #expect(afterCrash(cut, 2, .every, heir).count == 1)
  }

  /// One that ended a minute after noon.
  private func ended(_ outcome: Outcome, _ commit: CommitID = "b", ref: RefName? = main, number: Int = 3)
    -> HistoryEntry
  {
    var finished = entry(number, commit, ref: ref, state: .finished, number: number)
    finished.assignment.attempt = 2
    finished.startedAt = noon
    return HistoryEntry(entry: finished, summary: IntegrationSummary(outcome: outcome, endedAt: noon + 60))
  }

  private func afterMending(_ history: [HistoryEntry], _ entries: QueueEntry..., at date: Date = noon + 120)
    -> [QueueChange]
  {
    CommitDecision.afterMending(
      at: date, history: history, tips: [main: "b", other: "x"], entries: entries, now: noon + 180)
  }

  @Test("A changed bot file lets those tips be tried again that the old one kept from being integrated")
  func mended() {
    var again = entry(0, "b").assignment
    again.queuedAt = noon + 180
    #expect(afterMending([ended(.checkoutError)]) == [.queue(again)])
    #expect(afterMending([ended(.internalError)]) == [.queue(again)])
    #expect(afterMending([ended(.checkoutError)], at: noon - 1) == [], "it was begun with the file as it is")
    for outcome in Outcome.allCases where ![.checkoutError, .internalError].contains(outcome) {
      #expect(afterMending([ended(outcome)]) == [])
    }
    #expect(afterMending([ended(.checkoutError, "a")]) == [], "the branch has moved")
    #expect(afterMending([ended(.succeeded, number: 4), ended(.checkoutError)]) == [], "a newer one went well")
    #expect(afterMending([ended(.checkoutError, ref: nil)]) == [])
  }

  @Test("What waits already is not queued twice by a changed bot file, and what rests is tried at once")
  func mendedWaiting() {
    var waiting = entry(9, "b")
    #expect(afterMending([ended(.checkoutError)], waiting) == [])
    waiting.assignment.attempt = 3
    var again = entry(0, "b").assignment
    again.queuedAt = noon + 180
    let reason = "The bot's file was changed, and the commit is tried at once."
    #expect(afterMending([ended(.internalError)], waiting) == [.supersede(9, reason: reason), .queue(again)])
  }

  @Test(
    "When a bot is removed, what runs is canceled once and waits again with the rest; what a person canceled does not")
  func removal() {
    var running = entry(7, "a", state: .running, number: 1)
    let others = [entry(8, "b"), entry(9, "c", bot: "parser", state: .running, number: 1)]
    #expect(
      CommitDecision.removing("greeter", entries: [running] + others)
        == Decision(
          bot: "greeter", changes: [.cancel(7, reason: "The bot was removed."), .queue(running.assignment)]))
    running.cancelReason = "A person canceled it."
    #expect(CommitDecision.removing("greeter", entries: [running] + others).changes == [])
  }
}
