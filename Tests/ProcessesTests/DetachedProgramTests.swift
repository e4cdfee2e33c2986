import FoundationEssentials
import Glibc
import Processes
import Testing

@Suite("Programs that outlive who starts them")
struct DetachedProgramTests {
  @Test("A detached program has its input and what it is to hold, and is no child of this process")
  func parent() throws {
    let scratch = try Scratch()
    let tether = try Tether(in: scratch)
    let output = open(scratch.file("output"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let held = open(tether.path, O_WRONLY | O_CLOEXEC)
    try #require(output >= 0 && held >= 0)
    try DetachedProgram.start(
      "/bin/sh", ["-c", "cat; echo $PPID; echo held >&3"], environment: ["PATH": "/usr/bin:/bin"],
      input: Array("order\n".utf8), output: output, held: held)
    close(output)
    close(held)
    #expect(tether.next() == "held\n")
    #expect(tether.next() == "")
    let lines = try String(contentsOfFile: scratch.file("output"), encoding: .utf8).split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0] == "order")
    let parent = try #require(pid_t(lines[1]))
    #expect(parent != getpid())
  }
}
