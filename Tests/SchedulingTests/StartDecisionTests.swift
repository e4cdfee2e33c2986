import FoundationEssentials
import Model
import TestGround
import Testing

@testable import Scheduling

@Suite("What starts")
struct StartDecisionTests {
  @Test("Toolchain runs come before people, people before commits, commits before periodic runs")
  func classes() {
    let causes: [Cause] = [.schedule, .commit, .rerun, .person, .toolchain]
    let entries = causes.enumerated().map { entry($0.offset, "a", bot: "bot\($0.offset)", cause: $0.element) }
    let decision = StartDecision(entries: entries, jobs: 1, at: noon)
    #expect(decision.line == [4, 2, 3, 1, 0])
    #expect(decision.start.map(\.id) == [4])
  }

  @Test("Within a class the one that was queued first starts first")
  func time() {
    let entries = [
      entry(1, "a", bot: "one", queuedAt: noon - 1), entry(2, "b", bot: "two", queuedAt: noon - 2),
      entry(3, "c", bot: "three", queuedAt: noon - 2),
    ]
    #expect(StartDecision(entries: entries, jobs: 3, at: noon).start.map(\.id) == [2, 3, 1])
  }

  @Test("A bot has one integration at a time")
  func oneEach() {
    let running = entry(1, "a", state: .running, number: 12)
    let decision = StartDecision(entries: [running, entry(2, "b")], jobs: 4, at: noon)
    #expect(decision.start == [])
    #expect(decision.waits == [2: "greeter 12 goes first; a bot has one integration at a time."])
    let both = StartDecision(entries: [entry(2, "b"), entry(3, "c")], jobs: 4, at: noon)
    #expect(both.start.map(\.id) == [2])
    #expect(both.waits == [3: "greeter at b goes first; a bot has one integration at a time."])
  }

  @Test("No more run than there are jobs, and every waiting entry says why it waits")
  func jobs() {
    let entries = [
      entry(1, "a", bot: "one", state: .running, number: 3), entry(2, "b", bot: "two"), entry(3, "c", bot: "three"),
      entry(4, "d", bot: "four"), entry(5, "e", bot: "five"),
    ]
    let decision = StartDecision(entries: entries, jobs: 2, at: noon)
    #expect(decision.start.map(\.id) == [2])
    #expect(
      decision.waits == [
        3: "All 2 jobs are taken (one 3, two at b); it is next.",
        4: "All 2 jobs are taken (one 3, two at b); one other is before it.",
        5: "All 2 jobs are taken (one 3, two at b); 2 others are before it.",
      ])
    #expect(
      StartDecision(entries: [entries[0], entries[1]], jobs: 0, at: noon).waits
        == [2: "The only job is taken (one 3); it is next."])
  }

  @Test("A bot that cannot run holds nobody up")
  func hold() {
    let entries = [entry(1, "a", bot: "one"), entry(2, "b", bot: "two")]
    let decision = StartDecision(entries: entries, jobs: 1, holds: ["one": "Its repository is gone."], at: noon)
    #expect(decision.start.map(\.id) == [2])
    #expect(decision.waits == [1: "Its repository is gone."])
  }

  @Test("An entry rises by one class for every hour that it waits, and a clock that was set back harms nothing")
  func rising() {
    func rank(_ cause: Cause, after hours: Double) -> Int {
      StartDecision.rank(of: entry(1, "a", cause: cause), at: noon + hours * 3600)
    }
    #expect([0, 0.9, 1, 2, 3, 1e9].map { rank(.schedule, after: $0) } == [3, 3, 2, 1, 0, 0])
    #expect([0, 1, 2, 50].map { rank(.commit, after: $0) } == [2, 1, 0, 0])
    #expect(rank(.commit, after: -1e9) == 2)
  }

  @Test("What has waited for three hours is passed by nothing that was queued later", arguments: 0..<300)
  func noPassing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let causes: [Cause] = [.commit, .schedule, .person, .toolchain, .rerun]
    let entries = (0..<Int.random(in: 1...30, using: &random)).map { id in
      entry(
        id, "a", bot: "bot\(Int.random(in: 0..<8, using: &random))",
        cause: causes.randomElement(using: &random) ?? .commit,
        state: id < 2 ? .running : .pending, queuedAt: noon - Double.random(in: 0..<20_000, using: &random))
    }
    let decision = StartDecision(entries: entries, jobs: Int.random(in: 1...6, using: &random), at: noon)
    let started = Set(decision.start.map(\.id))
    for waiting in entries where waiting.state == .pending && !started.contains(waiting.id) {
      #expect(decision.waits[waiting.id] != nil)
      guard noon.timeIntervalSince(waiting.assignment.queuedAt) >= 3 * StartDecision.patience else { continue }
      let isBotBusy = entries.contains { $0.bot == waiting.bot && ($0.state == .running || started.contains($0.id)) }
      for other in decision.start where !isBotBusy || other.bot == waiting.bot {
        #expect(other.assignment.queuedAt <= waiting.assignment.queuedAt)
      }
    }
  }

  @Test("A periodic run is served although more toolchain runs arrive than can be served")
  func overload() {
    var now = noon
    var waiting = [entry(0, "a", bot: "victim", cause: .schedule)]
    var next = 1
    var started: Double?
    for _ in 0..<100 where started == nil {
      for _ in 0..<3 {
        waiting.append(entry(next, "b", bot: "bot\(next)", cause: .toolchain, queuedAt: now))
        next += 1
      }
      for chosen in StartDecision(entries: waiting, jobs: 1, at: now).start {
        waiting.removeAll { $0.id == chosen.id }
        if chosen.id == 0 { started = now.timeIntervalSince(noon) }
      }
      now += 600
    }
    #expect(started == 3 * StartDecision.patience)
  }

  private func cutOff(_ id: Int, attempt: Int, bot: String = "greeter") -> QueueEntry {
    var cut = entry(id, "a", bot: bot)
    cut.assignment.attempt = attempt
    return cut
  }

  @Test("What was cut off once is served in its turn; after that it rests, each time three times as long")
  func resting() {
    #expect(cutOff(1, attempt: 2).calmTime == nil)
    let pauses = (3...6).map { cutOff(1, attempt: $0).calmTime?.timeIntervalSince(noon) }
    #expect(pauses == [300, 900, 2700, 8100])
    #expect(cutOff(1, attempt: .max).calmTime == cutOff(1, attempt: 12).calmTime)
    let early = StartDecision(entries: [cutOff(1, attempt: 3)], jobs: 1, at: noon + 299)
    #expect(early.start == [])
    #expect(early.resting == [1])
    #expect(early.nextTime == noon + 300)
    #expect(
      early.waits == [
        1:
          "It was cut off 2 times, which says nothing about the commit; it is tried again when nothing else runs, 5 min after the last time at the earliest."
      ])
    let due = StartDecision(entries: [cutOff(1, attempt: 3)], jobs: 1, at: noon + 300)
    #expect(due.start.map(\.id) == [1])
    #expect(due.resting == [] && due.nextTime == nil)
  }

  @Test("What was cut off twice starts only when nothing else runs, and after everything else")
  func calm() {
    let cut = cutOff(1, attempt: 3)
    let busy = entry(2, "b", bot: "other", state: .running, number: 7)
    let later = noon + 50 * 3600
    let beside = StartDecision(entries: [cut, busy], jobs: 4, at: later)
    #expect(beside.start == [] && beside.resting == [] && beside.nextTime == nil)
    #expect(beside.waits[1]?.hasPrefix("It was cut off 2 times") == true)
    let behind = StartDecision(entries: [cut, entry(3, "c", bot: "other", queuedAt: later)], jobs: 4, at: later)
    #expect(behind.line == [3, 1])
    #expect(behind.start.map(\.id) == [3])
  }

  @Test(
    "Jobs follow from cores and memory",
    arguments: [(1, 1, 1), (2, 24, 1), (4, 3, 1), (8, 32, 2), (16, 8, 2), (64, 256, 16)])
  func defaultJobs(cores: Int, gibibytes: Int, jobs: Int) {
    #expect(DefaultJobs.count(cores: cores, memoryBytes: gibibytes << 30) == jobs)
  }
}
