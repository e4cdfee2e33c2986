import Processes
import TestGround
import Testing

@testable import Integrating

@Suite("Locks of files")
struct FileLockTests {
  @Test("One holds it at a time")
  func exclusive() throws {
    let scratch = try Scratch()
    let first = try FileLock.open(scratch.file("lock"))
    let second = try FileLock.open(scratch.file("lock"))
    let taken = [try first.take(), try second.take()]
    #expect(taken == [true, false])
  }

  @Test("What is let go of is free at once, though a program that is being started still has a copy of it")
  func letGo() throws {
    let scratch = try Scratch()
    let lock = try FileLock.open(scratch.file("lock"))
    var taken = [try lock.take()]
    let copies = OpenFileCopies(of: scratch.file("lock"))
    #expect(copies.count == 1)
    _ = consume lock
    let next = try FileLock.open(scratch.file("lock"))
    taken.append(try next.take())
    #expect(taken == [true, true])
    copies.close()
  }
}
