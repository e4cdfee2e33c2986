import FoundationEssentials
import Model
import Testing

@testable import Scheduling

@Suite("What is asked for while it is being done")
struct DecisionTests {
  private func running(_ commit: CommitID, cause: Cause = .commit) -> QueueEntry {
    var running = entry(7, commit, cause: cause, state: .running, number: 3)
    running.startedAt = noon
    return running
  }

  private func asked(_ commit: CommitID) -> Decision {
    Decision(
      bot: "greeter",
      changes: [.queue(Assignment(bot: "greeter", ref: main, commit: commit, cause: .person, queuedAt: noon))])
  }

  @Test("A commit that is being integrated is not queued again")
  func same() {
    var decision = asked("a")
    #expect(decision.takeRunning(among: [running("a")], since: nil) == [7])
    #expect(decision.changes.isEmpty)
  }

  @Test("Another commit is, and one that began by other rules, is canceled or is built in idle time")
  func other() {
    var canceled = running("a")
    canceled.cancelReason = "A person canceled it."
    let cases =
      [
        ([running("b")], nil), ([running("a")], noon.addingTimeInterval(1)), ([canceled], nil),
        ([running("a", cause: .idle)], nil), ([entry(7, "a")], nil),
      ] as [([QueueEntry], Date?)]
    for (entries, date) in cases {
      var decision = asked("a")
      #expect(decision.takeRunning(among: entries, since: date) == [])
      #expect(decision.changes.count == 1)
    }
  }
}
