import Processes
import Testing

@Suite("A monitor")
struct MonitorTests {
  @Test("is changed by one thread at a time")
  func exclusive() throws {
    let sum = Monitor(0)
    try WorkerThreads(threads: 4).carryOut(4) { _ in
      for _ in 0..<1000 { sum.change { $0 += 1 } }
    }
    #expect(sum.change { $0 } == 4000)
  }

  @Test("wakes each that waits, in the order in which their conditions are met")
  func waiting() throws {
    let turn = Monitor((next: 0, told: [Int]()))
    try WorkerThreads(threads: 3).carryOut(3) { piece in
      // The last piece goes first.
      let number = 2 - piece
      turn.change(once: { $0.next == number }) { turn in
        turn.told.append(number)
        turn.next += 1
      }
    }
    #expect(turn.change(\.told) == [0, 1, 2])
  }
}
