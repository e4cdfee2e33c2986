import Model
import Testing

@testable import Parsing

@Suite("The diagnosis of a process that hangs")
struct HangDiagnosisTests {
  private static let place = SourceLocation(file: "Tests/A.swift", line: 7)

  /// A thread whose calls are given innermost first; the one marked with a star is the package's.
  private func thread(_ calls: String...) -> ThreadStack {
    ThreadStack(
      frames: calls.enumerated().map { number, call in
        StackFrame(
          number: number, function: call.hasPrefix("*") ? String(call.dropFirst()) : call,
          location: call.hasPrefix("*") ? Self.place : nil)
      })
  }

  private func diagnosis(_ threads: ThreadStack..., isStopped: Bool = false, poolWidth: Int = 2) -> HangDiagnosis {
    HangDiagnosis(threads, isStopped: isStopped, poolWidth: poolWidth)
  }

  @Test(
    "What a thread called last tells what it waits for",
    arguments: [
      (["__GI___lll_lock_wait", "__pthread_mutex_lock@GLIBC_2.2.5", "*test2()"], HangReport.Kind.lock),
      (["clock_nanosleep@GLIBC_2.2.5", "__nanosleep", "sleep", "*test2()"], .sleep),
      (["ppoll", "__CFRunLoopRun", "Process.waitUntilExit()", "*test2()"], .child),
      (["wait4", "*test2()"], .child),
      (["read", "FileHandle.readDataToEndOfFile()", "*test2()"], .input),
      (["__GI___libc_read", "*test2()"], .input),
      (["__new_sem_wait_slow64.constprop.0", "_dispatch_semaphore_wait_slow", "*test2()"], .signal),
      (["epoll_wait", "*test2()"], .events),
      (["*test2()", "main"], .busy),
      (["swift_retain", "*test2()"], .busy),
      (["readyToGo()", "*test2()"], .busy),
    ])
  func kinds(calls: [String], kind: HangReport.Kind) {
    let frames = calls.enumerated().map { number, call in
      StackFrame(
        number: number, function: call.hasPrefix("*") ? "own" : call, location: call.hasPrefix("*") ? Self.place : nil)
    }
    let diagnosis = HangDiagnosis([ThreadStack(frames: frames)], isStopped: false, poolWidth: 4)
    #expect(diagnosis.kind == kind)
    #expect(diagnosis.threads.count == 1)
  }

  @Test("As many blocked threads as the cooperative pool has are a blocked pool")
  func pool() {
    let blocked = thread("_dispatch_semaphore_wait_slow", "*block()", "swift_job_run", "start_thread")
    let idle = thread("epoll_wait", "_dispatch_mgr_thread")
    #expect(diagnosis(blocked, idle, blocked).kind == .blockedPool)
    #expect(diagnosis(blocked, idle, blocked).otherThreads == 1)
    #expect(diagnosis(blocked, idle).kind == .signal)
    #expect(diagnosis(blocked, idle, poolWidth: 1).kind == .blockedPool)
  }

  @Test("With no thread in code of the package a task is suspended")
  func suspended() {
    let found = diagnosis(thread("__sigsuspend", "main"), thread("epoll_wait"))
    #expect(found.kind == .suspended)
    #expect(found.threads == [])
    #expect(found.otherThreads == 2)
  }

  @Test("A thread on a processor computes, though its calls could not be read")
  func unreadable() {
    let lost = [thread("0x7f00", "0x0")]
    #expect(HangDiagnosis(lost, isStopped: false, isRunning: true, poolWidth: 2).kind == .busy)
    #expect(HangDiagnosis(lost, isStopped: true, isRunning: true, poolWidth: 2).kind == .stopped)
  }

  @Test("A stopped process is that, whatever its threads do")
  func stopped() {
    #expect(diagnosis(thread("kill", "*test2()"), isStopped: true).kind == .stopped)
  }

  @Test("The thread that computes, or holds what others wait for, comes before those that wait for events")
  func order() {
    let events = thread("ppoll", "*main()")
    let lock = thread("__lll_lock_wait", "*locked()")
    let busy = thread("*busy()")
    #expect(diagnosis(events, lock).threads == [lock, events])
    #expect(diagnosis(events, lock, busy).threads == [busy, lock, events])
    #expect(diagnosis(events, lock, busy).kind == .busy)
  }
}
