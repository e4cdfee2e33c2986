import Foundation
import Glibc
import Model
import Processes
import TestGround
import Testing

@testable import Keeping

@Suite("A queue that is very long")
struct LongQueueTests {
  private func entry(_ id: Int, _ bot: String, _ state: QueueEntry.State = .pending) -> QueueEntry {
    let assignment = Assignment(
      bot: bot, ref: RefName(rawValue: "refs/pull/\(id)/head"), commit: CommitID(rawValue: "c\(id)"), cause: .commit,
      queuedAt: Date(timeIntervalSince1970: 0))
    return QueueEntry(id: id, assignment: assignment, state: state)
  }

  @Test("Of each bot the entries that are served first are listed in their order, and the others counted")
  func listing() {
    let many = (0..<1000).map { entry($0, "many") }
    let few = (1000..<1003).map { entry($0, "few") }
    let running = entry(1003, "few", .running)
    let line = (many + few + [running]).map(\.id).reversed()
    let list = WaitingList(Array(line), of: many + few + [running])
    #expect(list.entries.map(\.id) == few.map(\.id).reversed() + many.map(\.id).reversed().prefix(200))
    #expect(list.unlisted == ["many": 800])
    // What is in the line and no longer in the queue was just started.
    let short = WaitingList([1, 2, 3], of: many.dropFirst(2).prefix(2))
    #expect((short.entries.map(\.id), short.unlisted) == ([2, 3], [:]))
  }

  @Test("The status and the state for pages have so many of a bot that they stay short, and say how many there are")
  func status() throws {
    let kept = try KeptWatch()
    let repository = try kept.scratch.repository()
    try kept.bot("greeter", "Greeter", "branches: [main, \"refs/pull/*/head\"]\ntrust: all\nsandbox: {mode: off}\n")
    try kept.start()
    #expect(kept.child != nil)
    try kept.scratch.commit(repository, "Asked for")
    let refs = (1...250).map { "refs/heads/main:refs/pull/\($0)/head" }
    try kept.scratch.git(repository, ["fetch", "--quiet", "."] + refs)
    _ = try kept.ask(ControlRequest(.notify, repository: repository))
    kept.settle()
    let status = try #require(try kept.watcher?.status())
    let waiting = try #require(status.bots.first?.waiting)
    #expect(waiting >= 250)
    #expect((status.queue.count, status.unlisted) == (200, ["greeter": waiting - 200]))
    try kept.watcher?.writeState()
    let state = try JSONDecoder().decode(WatchState.self, from: Data(contentsOf: URL(fileURLWithPath: kept.home.state)))
    #expect((state.waiting.count, state.unlisted, state.waitingCount) == (200, ["greeter": waiting - 200], waiting))
    #expect(state.only { $0 == "other" }.waitingCount == 0)
    #expect(state.only { $0 == "greeter" }.waitingCount == waiting)
  }

  @Test("A long answer of the watcher is read in a time in proportion to its length")
  func answer() throws {
    let growth = try Growth.atFourTimes(1_000_000, of: { [UInt8](repeating: 0x20, count: $0) + [0x0A] }) { line in
      var ends: [Int32] = [0, 0]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      let (reading, writing) = (ends[0], ends[1])
      let writer = try Worker {
        var sent = 0
        while sent < line.count {
          let count = line[sent...].withUnsafeBytes { send(writing, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
          guard count > 0 else { break }
          sent += count
        }
        close(writing)
      }
      var received: [UInt8] = []
      #expect(ControlClient.line(from: reading, &received)?.count == line.count - 1)
      #expect(ControlClient.line(from: reading, &received) == nil)
      try writer.join()
      close(reading)
    }
    #expect(growth < Growth.inProportion)
  }
}
