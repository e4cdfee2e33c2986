import FoundationEssentials
import Processes
import Synchronization
import Testing

@testable import Integrating

@Suite("The turns of destinations")
struct TestTurnsTests {
  @Test("One goes on at a time, in their order, and the next one while a process of the last one sleeps")
  func order() throws {
    let turns = TestTurns()
    let told = Mutex<[String]>([])
    let (begun, ended) = (Monitor(0), Monitor(0))
    let members = (0..<3).map { number in
      TestTurn(number, of: turns, by: .system) { told.withLock { $0.append("\(number) goes on") } }
    }
    try WorkerThreads(threads: 3).carryOut(3) { number in
      let turn = members[number]
      turn.take()
      turn.take()
      told.withLock { $0.append("\(number) begins") }
      turn.pass()
      turn.pass()
      begun.change { $0 += 1 }
      // None wakes before all have begun, and the last one, after which nobody else did, when the others have ended.
      begun.change(once: { $0 == 3 }) { _ in }
      if number == 2 { ended.change(once: { $0 == 2 }) { _ in } }
      turn.take()
      told.withLock { $0.append("\(number) ends") }
      turn.pass()
      ended.change { $0 += 1 }
    }
    let all = told.withLock(\.self)
    #expect(all.prefix(3) == ["0 begins", "1 begins", "2 begins"])
    let (first, second) = (["0 goes on", "0 ends"], ["1 goes on", "1 ends"])
    #expect([first + second, second + first].contains(Array(all.dropFirst(3).prefix(4))), "Either may wake first.")
    #expect(all.suffix(2) == ["2 goes on", "2 ends"])
  }

  @Test("Its clock stands still while it waits for its turn")
  func clock() throws {
    let time = Monitor((seconds: 0.0, looks: 0))
    let clock = Clock(now: { Date(timeIntervalSince1970: 0) }) {
      time.change {
        $0.looks += 1
        return $0.seconds
      }
    }
    let turns = TestTurns()
    let (first, second) = (TestTurn(0, of: turns, by: clock) {}, TestTurn(1, of: turns, by: clock) {})
    first.take()
    let looks = time.change(\.looks)
    let waiter = try Worker { second.take() }
    // It has looked when it begins to wait.
    time.change(once: { $0.looks > looks }) { $0.seconds = 100 }
    first.pass()
    try waiter.join()
    #expect(second.clock.seconds() == 0)
    #expect(first.clock.seconds() == 100)
    time.change { $0.seconds = 130 }
    #expect(second.clock.seconds() == 30)
  }
}
