import Glibc
import Testing

@testable import Processes

@Suite("Programs beside a loop")
struct RunningCommandTests {
  @Test("Output comes as news, and the end comes last, when nothing is left")
  func ending() throws {
    let running = try shell("echo out; echo err >&2; sleep 100 & exit 3")
    let news = all(running)
    #expect(news.last == .over(.exited(3)))
    #expect(news.contains(.output(Array("out\n".utf8))))
    #expect(news.contains(.errorOutput(Array("err\n".utf8))))
    #expect(running.descriptors.isEmpty)
    #expect(running.takeNews() == [])
  }

  @Test("A program that is asked to end can end in its own way; one that is killed cannot")
  func stopping() throws {
    let asked = try shell("trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done")
    waitForOutput(asked)
    asked.terminate()
    #expect(all(asked).last == .over(.exited(5)))
    let killed = try shell("trap '' TERM; echo ready; while :; do sleep 100; done")
    waitForOutput(killed)
    killed.terminate()
    killed.kill()
    #expect(all(killed).last == .over(.signaled(SIGKILL)))
  }

  @Test("A program that cannot be started is news with the reason")
  func failing() throws {
    let running = try RunningCommand(Command("/etc/passwd", environment: [:], workingDirectory: "/"))
    guard case .failed(let error) = all(running).last else {
      Issue.record("not failed")
      return
    }
    #expect(error.code == .notExecutable)
  }

  @Test("A process is found by its mark, and killed only while it is the same one")
  func marked() throws {
    let value = "test-\(getpid())"
    let command = Command("/bin/sleep", ["100"], environment: ["MARTLET_MARK": value], workingDirectory: "/")
    let running = try RunningCommand(command)
    var found: [MarkedProcess] = []
    // The program becomes itself a moment after its start.
    while found.isEmpty { found = MarkedProcess.all(where: "MARTLET_MARK", is: value) }
    #expect(found.count == 1)
    #expect(found.first?.isAlive == true)
    #expect(MarkedProcess.all(where: "MARTLET_MARK", is: value + "0").isEmpty)
    found.first?.kill()
    #expect(all(running).last == .over(.signaled(SIGKILL)))
    #expect(found.first?.isAlive == false)
  }

  private func shell(_ script: String) throws -> RunningCommand {
    try RunningCommand(
      Command("/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"], workingDirectory: "/"))
  }

  private func wait(_ running: RunningCommand) {
    var entries = running.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&entries, nfds_t(entries.count), 10_000)
  }

  private func waitForOutput(_ running: RunningCommand) {
    wait(running)
    _ = running.takeNews()
  }

  private func all(_ running: RunningCommand) -> [RunningCommand.News] {
    var news: [RunningCommand.News] = []
    while !running.descriptors.isEmpty {
      wait(running)
      news += running.takeNews()
    }
    return news
  }
}
