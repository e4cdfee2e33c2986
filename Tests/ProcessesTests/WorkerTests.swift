import Glibc
import Processes
import Testing

@Suite("A worker")
struct WorkerTests {
  @Test("gives its value, as often as it is asked")
  func value() throws {
    let worker = try Worker { 42 }
    #expect(try worker.join() == 42)
    #expect(try worker.join() == 42)
  }

  @Test("throws what its work throws")
  func failure() throws {
    struct Broken: Error {}
    let worker = try Worker { throw Broken() }
    #expect(throws: Broken.self) { try worker.join() }
  }

  @Test("works beside its maker")
  func beside() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let reader = ends[0]
    let worker = try Worker {
      var byte: UInt8 = 0
      return (read(reader, &byte, 1), byte, pthread_self())
    }
    #expect(write(ends[1], "x", 1) == 1)
    let (count, byte, thread) = try worker.join()
    #expect(count == 1)
    #expect(byte == UInt8(ascii: "x"))
    #expect(thread != pthread_self())
  }

  @Test("runs two programs side by side")
  func twoPrograms() throws {
    let scratch = try Scratch()
    let fifo = scratch.file("between")
    mkfifo(fifo, 0o600)
    // Each needs the other to end.
    let reader = try Worker { try shell("read line <\"$1\"; exit $line", [fifo]).output().result.end }
    let writer = try Worker { try shell("echo 4 >\"$1\"; exit 5", [fifo]).output().result.end }
    #expect(try reader.join() == .exited(4))
    #expect(try writer.join() == .exited(5))
  }

  @Test("is waited for no longer than it may take, or than until somebody cancels")
  func bounded() throws {
    struct Broken: Error {}
    let cancellation = try Cancellation()
    #expect(try Worker.run(atMost: .seconds(60), cancellation: cancellation) { 42 } == 42)
    #expect(throws: Broken.self) {
      try Worker<Int>.run(atMost: .seconds(60), cancellation: cancellation) { throw Broken() }
    }
    let forever: @Sendable () -> Int = {
      while true { pause() }
    }
    #expect(try Worker.run(atMost: .milliseconds(10), cancellation: cancellation, forever) == nil)
    cancellation.cancel()
    #expect(try Worker.run(atMost: .seconds(600), cancellation: cancellation, forever) == nil)
  }
}
