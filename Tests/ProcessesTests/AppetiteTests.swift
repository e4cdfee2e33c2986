import Glibc
import Testing

@testable import Processes

@Suite("A program that takes too much")
struct AppetiteTests {
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

  @Test("is killed when it has too many processes")
  func processes() throws {
    let result = try run("for i in $(seq 120); do sleep 50 & done; wait", Limits(processes: 50))
    #expect(result.why == .tooManyProcesses(limit: 50))
    #expect(result.survivors == 0)
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
