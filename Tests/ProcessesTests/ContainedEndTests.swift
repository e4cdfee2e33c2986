import Glibc
import Processes
import Testing

@Suite("The end of a contained program", .enabled(if: emptySandbox != nil, "bubblewrap works on this machine"))
struct ContainedEndTests {
  private let scratch: Scratch
  private let tether: Tether

  init() throws {
    scratch = try Scratch()
    tether = try Tether(in: scratch)
  }

  private func contained(_ script: String) throws -> Command {
    var sandbox = try #require(emptySandbox)
    sandbox.writable = [scratch.path]
    return shell("exec 9>\"$1\"; echo up >&9; " + script, [tether.path]).contained(in: sandbox)
  }

  @Test("gives its exit status", arguments: [0, 1, 42, 128, 255] as [Int32])
  func exitStatus(status: Int32) throws {
    let result = try contained("exit \(status)").output().result
    #expect(result.end == .exited(status))
    #expect(result.why == .byItself)
    #expect(result.leftovers == 0)
    #expect(result.survivors == 0)
  }

  @Test("gives the signal", arguments: [SIGKILL, SIGSEGV, SIGTERM, SIGABRT, SIGILL, SIGTRAP])
  func signal(number: Int32) throws {
    let result = try contained("kill -\(number) $$").output().result
    #expect(result.end == .signaled(number))
    #expect(result.why == .byItself)
  }

  /// The reporter, compiled for this test.
  private func reporter() throws -> String {
    let source = try scratch.write(EndReporter.source, to: "reporter.c")
    let program = scratch.file("reporter")
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let output = try Command(
      "clang", ["-o", program, source], environment: ["PATH": path], workingDirectory: scratch.path
    ).output()
    try #require(output.result.succeeded)
    return program
  }

  @Test("tells an exit status from a signal where a reporter is", arguments: [129, 134, 137, 192] as [Int32])
  func exactStatus(status: Int32) throws {
    var sandbox = try #require(emptySandbox)
    sandbox.reporter = try reporter()
    let end = { (script: String) in try shell(script).contained(in: sandbox).output().result.end }
    #expect(try end("exit \(status)") == .exited(status))
    #expect(try end("kill -\(status - 128) $$; exit 0") == .signaled(status - 128))
    #expect(try end("exit 0") == .exited(0))
    // It does not hand on its descriptor, and one that is killed says nothing.
    #expect(try end("test -e /proc/self/fd/6 && exit 1; exit 3") == .exited(3))
    #expect(try end("kill -KILL $PPID; sleep 100") == .signaled(SIGKILL))
  }

  @Test(
    "is the end of all that it started",
    arguments: [
      "sleep 1000 & exit 3",
      "setsid sleep 1000 >/dev/null 2>&1 & exit 3",
      "(setsid sh -c 'trap \"\" TERM HUP INT; sleep 1000; sleep 1000' &) & wait; exit 3",
      "for i in 1 2 3 4 5; do (setsid sh -c 'sleep 1000 & sleep 1000 & wait' &) ; done; exit 3",
      "kill -STOP 1; kill -KILL 1; sleep 1000 & exit 3",
    ])
  func leftovers(script: String) throws {
    let result = try contained(script).output().result
    #expect(result.end == .exited(3))
    #expect(result.leftovers == 0)
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test("can be tidy when it is asked for")
  func tidy() throws {
    let cancellation = try Cancellation()
    var text = ""
    let result = try contained("trap 'echo tidied; exit 6' TERM; echo ready; sleep 1000 & wait").run(
      limits: Limits(grace: .seconds(60)), cancellation: cancellation
    ) { chunk in
      text += String(decoding: chunk.bytes, as: UTF8.self)
      cancellation.cancel()
    }
    #expect(result.why == .canceled)
    #expect(result.end == .exited(6))
    #expect(text == "ready\ntidied\n")
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test("can be forced")
  func stubborn() throws {
    let cancellation = try Cancellation()
    let result = try contained("trap '' TERM; setsid sleep 1000 & echo ready; sleep 1000; sleep 1000")
      .run(limits: Limits(grace: .milliseconds(1)), cancellation: cancellation) { _ in cancellation.cancel() }
    #expect(result.why == .canceled)
    #expect(result.end == .signaled(SIGKILL))
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test(
    "comes when its time is up, however it behaves",
    arguments: ["exec sleep 1000", "while :; do :; done", "kill -STOP $$"])
  func wallClock(script: String) throws {
    let result = try contained(script).output(limits: Limits(wallClock: .milliseconds(200))).result
    #expect(result.why == .timedOut(after: .milliseconds(200)))
    #expect(result.end == .signaled(SIGTERM))
    #expect(tether.next() == "up\n")
    #expect(tether.next(milliseconds: 0) == "")
  }

  @Test("leaves the time it took and the memory it needed")
  func usage() throws {
    let work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; "
    let busy = try contained(work + "(\(work)) & wait; exit 0").output().result
    let idle = try contained("exit 0").output().result
    #expect(busy.cpu > idle.cpu + .milliseconds(20))
    let large = try contained("exec head -c 300000000 /dev/zero | tail -c 300000000 >/dev/null").output().result
    #expect(large.peakMemory > 290_000_000)
  }
}
