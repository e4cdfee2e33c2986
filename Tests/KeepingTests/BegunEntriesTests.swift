import Foundation
import Model
import Testing

@testable import Keeping

@Suite("Entries that were begun")
struct BegunEntriesTests {
  private static let date = Date(timeIntervalSince1970: 0)

  private func entry(_ id: Int, cancelReason: String? = nil) -> QueueEntry {
    let assignment = Assignment(
      bot: "greeter", ref: nil, commit: CommitID(rawValue: "c\(id)"), cause: .commit, queuedAt: Self.date)
    return QueueEntry(id: id, assignment: assignment, state: .running, number: id, cancelReason: cancelReason)
  }

  private func child(_ id: Int, _ task: IntegrationChild.Task = .carries) -> IntegrationChild {
    IntegrationChild(entry(id), task, running: StubIntegration(order: nil))
  }

  private func summary(_ outcome: Outcome, wasClosed: Bool = false) -> IntegrationSummary {
    var summary = IntegrationSummary(outcome: outcome, reason: nil, endedAt: Self.date)
    summary.wasClosed = wasClosed
    return summary
  }

  @Test("An entry is in one stage, and each stage lists its entries in the order in which they were queued")
  func stages() {
    var begun = BegunEntries()
    #expect(begun.isEmpty)
    for id in [3, 1, 2] { begun[id] = .child(child(id)) }
    #expect(begun.children.map(\.entry.id) == [1, 2, 3])
    begun[2] = .lost(.canceled, because: "It died.")
    begun[3] = .unplaced
    begun[4] = .elsewhere(HandedIntegration(id: "a", machine: "big"), until: 7)
    begun[5] = .ended(Ending(entry: entry(5), summary: summary(.succeeded), sequel: .nothing))
    #expect(begun.children.map(\.entry.id) == [1])
    #expect(begun.child(2) == nil)
    #expect(begun.lost.map(\.closing) == [.init(outcome: .canceled, reason: "It died.")])
    #expect(begun.lost.map(\.failures) == [0])
    #expect(begun.unplaced == [3])
    #expect(begun.elsewhere.map(\.until) == [7])
    #expect(begun.endings.map(\.entry.id) == [5])
    for id in 1...5 { begun[id] = nil }
    #expect(begun.isEmpty)
  }

  @Test("The machine is known of what another one carries out, whether a process follows it or not")
  func machine() {
    let handed = HandedIntegration(id: "a", machine: "big")
    #expect(BegunEntries.Stage.child(child(1, .follows(handed))).machine == "big")
    #expect(BegunEntries.Stage.elsewhere(handed, until: nil).machine == "big")
    #expect(BegunEntries.Stage.child(child(1)).machine == nil)
    #expect(BegunEntries.Stage.unplaced.machine == nil)
  }

  @Test(
    "What says nothing about the commit is queued again, and what only ended with its watcher as if nothing had been")
  func sequels() {
    let closing = IntegrationOrder.Closing(outcome: .canceled, reason: "It died.")
    let closes = IntegrationChild.Task.closes(closing, failures: 0)
    let canceled = summary(.canceled)
    #expect(child(1).sequel(of: summary(.succeeded), entry(1)) == .nothing)
    #expect(child(1).sequel(of: summary(.internalError), entry(1)) == .again)
    #expect(child(1).sequel(of: canceled, entry(1)) == .again)
    #expect(child(1).sequel(of: canceled, entry(1, cancelReason: "A person canceled it.")) == .nothing)
    #expect(child(1, closes).sequel(of: summary(.canceled, wasClosed: true), entry(1)) == .again)
    #expect(child(1, closes).sequel(of: summary(.warnings), entry(1)) == .nothing)
    #expect(child(1, closes).sequel(of: canceled, entry(1)) == .asBefore)
    let interrupted = child(1)
    interrupted.isInterrupted = true
    #expect(interrupted.sequel(of: canceled, entry(1)) == .asBefore)
  }
}
