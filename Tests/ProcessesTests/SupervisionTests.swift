import Glibc
import Processes
import Testing

@Suite("A supervised program")
struct SupervisionTests {
  @Test("Is stopped at its supervisor's deadline, which output can move")
  func deadline() throws {
    var deadline: Duration?
    var stopped: [ProcessResult.Why] = []
    let supervision = Supervision(deadline: { deadline }, willStop: { stopped.append($1) })
    let result = try shell("echo ready; exec sleep 1000").run(
      limits: Limits(), cancellation: Cancellation(), supervision: supervision
    ) { deadline = $0.time + .milliseconds(20) }
    #expect(result.why == .overdue)
    #expect(result.end == .signaled(SIGTERM))
    #expect(stopped == [.overdue])
  }

  @Test("Can be looked at while it is still there: its first process, and what descends from it")
  func tree() throws {
    var members: [ProcessTree.Member] = []
    var seen: [ProcessTree.Member] = []
    var deadline: Duration?
    let supervision = Supervision(
      deadline: { deadline }, sawOutput: { seen = $0.members() }, willStop: { tree, _ in members = tree.members() })
    // Ready once the child has become the program.
    let script = "sleep 1000 & until grep -q sleep /proc/$!/comm; do :; done; echo ready; wait"
    _ = try shell(script).run(limits: Limits(), cancellation: Cancellation(), supervision: supervision) {
      deadline = $0.time + .milliseconds(20)
    }
    let shell = try #require(members.first)
    #expect(seen.first?.pid == shell.pid)
    #expect(shell.innerPID == shell.pid)
    #expect(shell.executable.hasPrefix("/"))
    let child = try #require(members.last)
    #expect(child.name == "sleep")
    #expect(child.parent == shell.pid)
    #expect(members.count == 2)
  }

  @Test("Has passed on what it printed before a channel told something, when that is said")
  func all() throws {
    let scratch = try Scratch()
    #expect(mkfifo(scratch.file("channel"), 0o600) == 0)
    let channel = open(scratch.file("channel"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(channel) }
    var told: [String] = []
    var hasNews = false
    let supervision = Supervision(
      channels: { hasNews ? [] : [channel] }, sawNews: { _ in hasNews = true },
      sawAll: { if hasNews { told.append("all") } })
    _ = try shell("echo a; echo b >&2; echo >\"$1\"", [scratch.file("channel")]).run(
      limits: Limits(), cancellation: Cancellation(), supervision: supervision
    ) { told.append(String(decoding: $0.bytes, as: UTF8.self)) }
    #expect(told.prefix { $0 != "all" }.sorted() == ["a\n", "b\n"])
    #expect(told.contains("all"))
  }

  @Test("Is not looked at when it ends by itself or is canceled")
  func undisturbed() throws {
    var calls = 0
    let supervision = Supervision(willStop: { _, _ in calls += 1 })
    _ = try shell("exit 0").run(limits: Limits(), cancellation: Cancellation(), supervision: supervision) { _ in }
    let cancellation = try Cancellation()
    let result = try shell("echo a; exec sleep 1000").run(
      limits: Limits(), cancellation: cancellation, supervision: supervision
    ) { _ in cancellation.cancel() }
    #expect(result.why == .canceled)
    #expect(calls == 0)
  }
}
