import Model
import Testing

@testable import Scheduling

@Suite("What is integrated in idle time")
struct IdleDecisionTests {
  /// - Parameter tip: where the branch points to.
  private func due(_ lines: [(QueueEntry, Outcome?)], tip: CommitID = "b") -> QueueEntry.ID? {
    IdleDecision(lines.map { (entry: $0.0, outcome: $0.1) }, tips: [main: tip]).due?.id
  }

  private func idle(_ id: Int) -> QueueEntry { entry(id, "b", cause: .idle, state: .finished) }

  @Test("The newest commit of a branch is due once")
  func once() {
    let first = entry(1, "a", state: .finished)
    let second = entry(2, "b", state: .finished)
    #expect(due([(second, .succeeded), (first, .succeeded)]) == 2)
    #expect(due([(idle(3), .testFailures), (second, .succeeded)]) == nil)
    #expect(due([]) == nil)
  }

  @Test("One that had to give way is tried again, but not for ever")
  func again() {
    let second = entry(2, "b", state: .finished)
    #expect(due([(idle(3), .canceled), (second, .succeeded)]) == 2)
    let many = (3...5).reversed().map { (idle($0), Outcome.canceled as Outcome?) }
    #expect(due(many + [(second, .succeeded)]) == nil)
  }

  @Test("What said nothing about its commit is not due, nor what is of no branch")
  func nothing() {
    #expect(due([(entry(1, "a", state: .finished), .internalError)]) == nil)
    #expect(due([(entry(1, "a", ref: nil, state: .finished), .succeeded)]) == nil)
  }

  @Test("An older commit that is integrated once more does not stand for the branch")
  func rerun() {
    let lines: [(QueueEntry, Outcome?)] = [
      (entry(2, "b", state: .finished), .succeeded), (entry(1, "a", state: .finished), .succeeded),
    ]
    let rerun = (entry(4, "a", cause: .rerun, state: .finished), Outcome.succeeded as Outcome?)
    #expect(due([rerun] + lines) == 2)
    #expect(due([rerun, (idle(3), .succeeded)] + lines) == nil)
    // A tip that the bot passes over leaves the newest commit that it did not.
    #expect(due([rerun] + lines, tip: "c") == 2)
    #expect(due(lines, tip: "a") == 1)
    // The newest commit once more, as by another toolchain.
    let again = (entry(4, "b", cause: .toolchain, state: .finished), Outcome.succeeded as Outcome?)
    #expect(due([again, (idle(3), .succeeded)] + lines) == 4)
  }

  @Test("It comes last, and gives way to what waits for its bot or its job")
  func givesWay() {
    let running = entry(1, "a", cause: .idle, state: .running)
    let other = entry(2, "b", bot: "other")
    #expect(StartDecision.givingWay([running, entry(2, "b")], jobs: 4).map(\.id) == [1])
    #expect(StartDecision.givingWay([running, other], jobs: 1).map(\.id) == [1])
    #expect(StartDecision.givingWay([running, other], jobs: 2).isEmpty)
    #expect(StartDecision.givingWay([running, entry(2, "b", cause: .idle)], jobs: 1).isEmpty)
    #expect(StartDecision.givingWay([entry(1, "a", state: .running), entry(2, "b")], jobs: 1).isEmpty)
    let waiting = [entry(1, "a", cause: .idle), entry(2, "b", cause: .schedule)]
    #expect(StartDecision(entries: waiting, jobs: 1, at: noon).start.map(\.id) == [2])
  }
}
