import Foundation
import Testing

@testable import Serving

@Suite("The door to the watcher")
struct WatcherDoorTests {
  @Test("Only so many orders wait for a reply; the next one is refused until one of them has it")
  func busy() throws {
    let gate = DispatchSemaphore(value: 0)
    let replied = DispatchSemaphore(value: 0)
    let door = WatcherDoor { _ in .absent }
    let wait: @Sendable () -> WatcherReply = {
      gate.wait()
      return .absent
    }
    for _ in 0..<16 { _ = try door.pass(wait) }
    let problem = #expect(throws: Problem.self) { try door.pass(wait) }
    #expect(problem?.status == 503)
    #expect(problem?.detail == "The watcher has not answered what it was asked before. Ask again later.")
    gate.signal()
    let answer: @Sendable () -> WatcherReply = {
      replied.signal()
      return .absent
    }
    // A place is free a moment after a reply was given, which nothing announces.
    while (try? door.pass(answer)) == nil { sched_yield() }
    replied.wait()
    for _ in 0..<15 { gate.signal() }
  }
}
