import Glibc
import Testing

@testable import Processes

@Suite("A program that takes too much")
struct ResourceDemandTests {
  private func shell(_ script: String) -> Command {
    Command("sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"], workingDirectory: "/")
  }

  private func run(_ script: String, _ limits: Limits) throws -> ProcessResult {
    var limits = limits
    limits.wallClock = .seconds(60)
    return try shell(script).run(limits: limits, cancellation: Cancellation()) { _ in }
  }

  @Test("is killed when its processes together have too much in memory, and nothing of it stays")
  func memory() throws {
    let grow = "a=x; while :; do a=$a$a; done"
    let result = try run("(\(grow)) & (\(grow)) & wait", Limits(memory: 100_000_000))
    #expect(result.why == .tooMuchMemory(limit: 100_000_000))
    #expect(result.end == .signaled(SIGKILL))
    #expect(result.survivors == 0)
  }

  @Test("has reached no limit of time because it is time to look at what it takes")
  func reached() {
    let limits = Limits(wallClock: .seconds(9), silence: .seconds(3), memory: 1)
    func why(_ time: Int, _ silence: Int, _ deadline: Duration? = .seconds(5)) -> ProcessResult.Why? {
      limits.reached(after: .seconds(time), sinceOutput: .seconds(silence), supervisors: deadline)
    }
    #expect(why(2, 2) == nil)
    #expect(why(5, 2) == .overdue)
    #expect(why(5, 2, nil) == nil)
    #expect(why(5, 3) == .silent(after: .seconds(3)))
    #expect(why(9, 3) == .timedOut(after: .seconds(9)))
  }

  @Test("is killed when it has too many processes")
  func processes() throws {
    let result = try run("for i in $(seq 120); do sleep 50 & done; wait", Limits(processes: 50))
    #expect(result.why == .tooManyProcesses(limit: 50))
    #expect(result.survivors == 0)
  }

  @Test(
    "is refused more processes by the kernel, where a control group can be made", .enabled(if: ControlGroup.isAvailable)
  )
  func tasks() throws {
    let script = "i=0; while [ $i -lt 80 ]; do sleep 50 & i=$((i+1)); echo $i; done; wait"
    let output = try shell(script).collect(
      limits: Limits(wallClock: .seconds(60), tasks: 50), cancellation: Cancellation(), limit: 10_000)
    let lines = output.standardOutput.split(separator: UInt8(ascii: "\n"))
    // One of the fifty is the shell.
    #expect(lines.count == 49)
    #expect(String(decoding: output.standardError, as: UTF8.self).contains("fork"))
    #expect(output.result.survivors == 0)
  }

  @Test("is put into a group that goes with it", .enabled(if: ControlGroup.isAvailable))
  func group() throws {
    let output = try shell("cat /proc/self/cgroup").collect(
      limits: Limits(tasks: 50), cancellation: Cancellation(), limit: 10_000)
    let words = String(decoding: output.standardOutput, as: UTF8.self)
    let line = try #require(words.split(separator: "\n").first { $0.contains("/martlet-") })
    let group = try #require(ControlGroup.candidates(String(line)).first)
    #expect(group.contains("/martlet-"))
    #expect(access(group, F_OK) != 0)
  }

  @Test(
    "looks for its group where the kernel says that this process is",
    arguments: [
      ("8:pids:/\n0::/\n", ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"]),
      ("3:cpu,pids:/a/b\n", ["/sys/fs/cgroup/pids/a/b"]),
      (
        "0::/system.slice/martlet.service/watcher\n",
        [
          "/sys/fs/cgroup/system.slice/martlet.service/watcher", "/sys/fs/cgroup/system.slice/martlet.service",
        ]
      ),
      ("nonsense\n1:name=systemd:/\n", []),
    ])
  func candidates(list: String, places: [String]) {
    #expect(ControlGroup.candidates(list) == places)
  }

  @Test("may reserve as much as it likes, as sanitizers do")
  func reserving() throws {
    let result = try run("read size rest </proc/self/statm; test $size -gt 0; sleep 0.6", Limits(memory: 100_000_000))
    #expect(result.succeeded)
  }

  @Test("is stopped by the kernel at a file that grows without end")
  func fileSize() throws {
    let scratch = try Scratch()
    let result = try run("exec yes >\(scratch.file("endless"))", Limits(fileSize: 1_000_000))
    #expect(result.end == .signaled(SIGXFSZ))
  }

  @Test("is the first to go when the machine is out of memory")
  func volunteers() throws {
    let output = try shell("cat /proc/self/oom_score_adj").collect(
      limits: Limits(), cancellation: Cancellation(), limit: 100)
    #expect(output.standardOutput == Array("1000\n".utf8))
  }
}
