import Glibc
import Processes
import Testing

@Suite("The whole tree of a program")
struct TreeTests {
  private let scratch: Scratch
  private let tether: Tether

  init() throws {
    scratch = try Scratch()
    tether = try Tether(in: scratch)
  }

  /// The tether is descriptor 9 of the script and of all its descendants.
  private func tethered(_ script: String) -> Command {
    shell("exec 9>\"$1\"; echo up >&9; " + script, [tether.path])
  }

  @Test(
    "ends with it",
    arguments: [
      "sleep 1000 & exit 0",
      "sleep 1000 >/dev/null 2>&1 & exit 0",
      "setsid sleep 1000 >/dev/null 2>&1 & exit 0",
      "(setsid sh -c 'trap \"\" TERM HUP INT; sleep 1000; sleep 1000' &) & wait; exit 0",
      "for i in 1 2 3 4 5 6 7 8 9; do (setsid sh -c 'sleep 1000 & sleep 1000 & wait' &) ; done; exit 0",
      "sleep 1000 & kill -STOP $!; exit 0",
      "env -i setsid sleep 1000 & exit 0",
    ])
  func leftovers(script: String) throws {
    let result = try tethered(script).output(limits: Limits(drain: .milliseconds(1))).result
    #expect(result.end == .exited(0))
    #expect(result.why == .byItself)
    #expect(result.leftovers > 0)
    #expect(result.survivors == 0)
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test("is counted where it outlived the program")
  func count() throws {
    let script = "for i in 1 2 3; do setsid sleep 1000 >/dev/null 2>&1 & done; exit 5"
    // They closed the output, so there is nothing to wait for.
    let result = try tethered(script).output(limits: Limits(drain: .seconds(600))).result
    #expect(result.end == .exited(5))
    #expect(result.leftovers == 3)
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test("may write a last word after the program's end")
  func lastWord() throws {
    let script = "main=$$; (while kill -0 $main 2>/dev/null; do :; done; echo late) & echo early"
    let collected = try tethered(script).output(limits: Limits(drain: .seconds(60)))
    #expect(collected.text == "early\nlate\n")
    #expect(collected.result.leftovers == 0)
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test("ends on cancellation from another thread")
  func canceled() throws {
    let cancellation = try Cancellation()
    let result = try tethered("setsid sleep 1000 & echo ready; sleep 1000")
      .run(limits: Limits(), cancellation: cancellation) { _ in
        try Worker { cancellation.cancel() }.join()
      }
    #expect(result.why == .canceled)
    #expect(result.end == .signaled(SIGTERM))
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test("is killed when it ignores the wish to end")
  func stubborn() throws {
    let cancellation = try Cancellation(parent: Cancellation())
    let result = try tethered("trap '' TERM; echo ready; sleep 1000; sleep 1000")
      .run(limits: Limits(grace: .milliseconds(1)), cancellation: cancellation) { _ in cancellation.cancel() }
    #expect(result.why == .canceled)
    #expect(result.end == .signaled(SIGKILL))
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test("can tidy up when it is asked to end")
  func tidy() throws {
    let parent = try Cancellation()
    let script = "trap 'echo tidied; exit 6' TERM; echo ready; sleep 1000 & wait"
    var text = ""
    let result = try tethered(script).run(
      limits: Limits(grace: .seconds(60)), cancellation: Cancellation(parent: parent)
    ) { chunk in
      text += String(decoding: chunk.bytes, as: UTF8.self)
      parent.cancel()
    }
    #expect(result.why == .canceled)
    #expect(result.end == .exited(6))
    #expect(text == "ready\ntidied\n")
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test("does not come to be after a cancellation")
  func canceledBefore() throws {
    let cancellation = try Cancellation()
    cancellation.cancel()
    let result = try tethered("exit 0").run(limits: Limits(), cancellation: cancellation) { _ in }
    #expect(result == ProcessResult(end: .notStarted, why: .canceled))
    #expect(tether.next(milliseconds: 0) == nil)
  }

  @Test("ends when its time is up", arguments: ["exec sleep 1000", "while :; do echo x; done", "kill -STOP $$"])
  func wallClock(script: String) throws {
    let limits = Limits(wallClock: .milliseconds(60))
    let result = try shell(script).output(limits: limits).result
    #expect(result.why == .timedOut(after: .milliseconds(60)))
    #expect(result.end == .signaled(SIGTERM))
  }

  @Test("ends when it has been silent too long")
  func silence() throws {
    let limits = Limits(wallClock: .seconds(600), silence: .milliseconds(60))
    let result = try shell("echo a; exec sleep 1000").output(limits: limits).result
    #expect(result.why == .silent(after: .milliseconds(60)))
    #expect(result.end == .signaled(SIGTERM))
  }

  @Test("is not silent while it writes")
  func notSilent() throws {
    let limits = Limits(wallClock: .milliseconds(1500), silence: .seconds(1))
    let result = try shell("while :; do echo a; done").output(limits: limits).result
    #expect(result.why == .timedOut(after: .milliseconds(1500)))
  }

  @Test("ends when its listener throws, and the error comes through")
  func listenerThrows() throws {
    struct Full: Error {}
    #expect(throws: Full.self) {
      try tethered("setsid sleep 1000 & while :; do echo x; done")
        .run(limits: Limits(), cancellation: Cancellation()) { _ in throw Full() }
    }
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test("cannot hide behind a stopped keeper")
  func stoppedKeeper() throws {
    let limits = Limits(wallClock: .milliseconds(60))
    let result = try tethered("kill -STOP $PPID; exec sleep 1000").output(limits: limits).result
    #expect(result.why == .timedOut(after: .milliseconds(60)))
    #expect(tether.isLoose(after: "up\n"))
  }

  @Test("is reported when its keeper was killed, and the program is gone")
  func killedKeeper() throws {
    let error = try #require(throws: ProcessError.self) { try tethered("kill -KILL $PPID; exec sleep 1000").output() }
    #expect(error.code == .unwatched)
    #expect(
      error.description
        == "Could not watch “/bin/sh” to its end: its keeper process was killed from outside. Look for processes that "
        + "it may have left, and run it again.")
    #expect(tether.next() == "up\n")
    #expect(tether.next() == "")
  }

  @Test("is the only one that ends")
  func bystanders() throws {
    var bystander = pid_t()
    let arguments = [strdup("sleep"), strdup("1000"), nil]
    defer { for argument in arguments { free(argument) } }
    #expect(posix_spawn(&bystander, "/bin/sleep", nil, nil, arguments, nil) == 0)
    defer {
      kill(bystander, SIGKILL)
      waitpid(bystander, nil, 0)
    }
    let cancellation = try Cancellation()
    let other = tethered("read line; exec sleep 1000")
    let worker = try Worker { try other.run(limits: Limits(), cancellation: cancellation) { _ in } }
    #expect(tether.next() == "up\n")

    _ = try shell("setsid sleep 1000 & exit 0").output(limits: Limits(drain: .milliseconds(1)))
    _ = try shell("setsid sleep 1000 & sleep 1000").output(limits: Limits(wallClock: .milliseconds(10)))

    #expect(waitpid(bystander, nil, WNOHANG) == 0)
    #expect(tether.next(milliseconds: 0) == nil)
    cancellation.cancel()
    #expect(try worker.join().why == .canceled)
    #expect(tether.next() == "")
  }
}
