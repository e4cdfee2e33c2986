import Glibc
import Processes
import Testing

@Suite("A program")
struct CommandTests {
  @Test("gives its exit status", arguments: [0, 1, 42, 255] as [Int32])
  func exitStatus(status: Int32) throws {
    let result = try shell("exit $1", ["\(status)"]).output().result
    #expect(result.end == .exited(status))
    #expect(result.why == .byItself)
    #expect(result.succeeded == (status == 0))
    #expect(result.leftovers == 0)
    #expect(result.survivors == 0)
    #expect(result.duration > .zero)
    #expect(result.peakMemory > 0)
  }

  @Test("gives the signal that ended it", arguments: [SIGKILL, SIGSEGV, SIGTERM, SIGABRT])
  func signal(number: Int32) throws {
    let result = try shell("kill -$1 $$", ["\(number)"]).output().result
    #expect(result.end == .signaled(number))
    #expect(result.why == .byItself)
    #expect(!result.succeeded)
  }

  @Test("has both its streams kept apart, byte for byte")
  func streams() throws {
    let collected = try shell(#"printf 'a\000\377\n\200'; printf '\303b\000' >&2"#).output()
    #expect(collected.standardOutput == [0x61, 0, 0xff, 0x0a, 0x80])
    #expect(collected.standardError == [0xc3, 0x62, 0])
  }

  @Test("can write more than pipes hold, on both streams")
  func largeStreams() throws {
    let collected = try shell("head -c 3000000 /dev/zero >&2 & head -c 5000001 /dev/zero; wait").output()
    // Compared outside, since a failed expectation would look for the difference of millions of elements.
    let isExact =
      collected.standardOutput == Array(repeating: 0, count: 5_000_001)
      && collected.standardError == Array(repeating: 0, count: 3_000_000)
    #expect(isExact)
  }

  @Test("sees its arguments exactly")
  func arguments() throws {
    let arguments = ["", " a  b ", "'", "\"$HOME\"", "line\nbreak", "*", "\\", "ä🦆", "-n"]
    let collected = try shell(#"for a in "$@"; do printf '%s\000' "$a"; done"#, arguments).output()
    #expect(collected.standardOutput == Array(arguments.map { $0 + "\0" }.joined().utf8))
  }

  @Test("reads the file that it was given as its input, and nothing without one")
  func inputFile() throws {
    let scratch = try Scratch()
    var command = Command("/bin/cat", environment: [:], workingDirectory: "/")
    #expect(try command.output().standardOutput.isEmpty)
    command.standardInput = try scratch.write("one\ntwo", to: "input")
    #expect(try command.output().text == "one\ntwo")
  }

  @Test("A pipe with a name and no writer is an empty input, and nobody waits for one")
  func pipeWithoutWriter() throws {
    let scratch = try Scratch()
    let path = try scratch.write("", to: "pipe")
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    let command = Command("/bin/cat", environment: [:], workingDirectory: "/", standardInput: path)
    #expect(try command.output().standardOutput.isEmpty)
  }

  @Test("is not started without the file that should be its input")
  func missingInput() throws {
    let command = Command("/bin/cat", environment: [:], workingDirectory: "/", standardInput: "/nowhere/input")
    let error = #expect(throws: ProcessError.self) { try command.output() }
    #expect(
      error?.description
        == "Could not open “/nowhere/input” as the input of “/bin/cat”: no such file or directory. Write the file first."
    )
  }

  @Test("sees no variable that it was not given")
  func environment() throws {
    var command = Command("/usr/bin/env", environment: [:], workingDirectory: "/")
    #expect(try command.output().standardOutput.isEmpty)
    command.environment = ["A": "b = c\nd"]
    #expect(try command.output().text == "A=b = c\nd\n")
  }

  @Test("starts in its working directory")
  func workingDirectory() throws {
    let scratch = try Scratch()
    var command = shell("pwd -P")
    command.workingDirectory = scratch.path
    #expect(try command.output().text == scratch.path + "\n")
  }

  @Test("is looked up in the PATH of its environment")
  func lookUp() throws {
    let scratch = try Scratch()
    _ = try scratch.write("#!/bin/sh\necho found\n", to: "tool", mode: 0o755)
    let path = "relative:/nowhere:\(scratch.path)"
    let command = Command("tool", environment: ["PATH": path], workingDirectory: "/")
    #expect(try command.output().text == "found\n")
  }

  @Test("has an empty standard input")
  func standardInput() throws {
    #expect(try shell("cat; echo $?").output().text == "0\n")
  }

  @Test("inherits no descriptor")
  func descriptors() throws {
    let leaky = dup(2)
    defer { close(leaky) }
    #expect(try shell("ls /proc/$$/fd").output().text == "0\n1\n2\n")
  }

  @Test("inherits no ignored or blocked signal")
  func signals() throws {
    var blocked = sigset_t()
    var before = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGUSR1)
    // A signal that is ignored anyway, so that no other test can notice.
    let handler = Glibc.signal(SIGURG, SIG_IGN)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer {
      Glibc.signal(SIGURG, handler)
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    let masks = try shell("sed -n 's/^Sig[BI][lg][kn]:.//p' /proc/self/status").output().text
    // The C library keeps signals 32 and 33 to itself and lets nobody change what they do.
    let inherited = masks.split(separator: "\n").map { UInt64($0, radix: 16).map { $0 & ~(3 << 31) } }
    #expect(inherited == [0, 0])
  }

  @Test("leads a session of its own, without a terminal")
  func session() throws {
    let fields = try shell(
      "read pid name state parent group session tty rest </proc/self/stat; echo $tty; test $$ = $session"
    )
    .output()
    #expect(fields.text == "0\n")
    #expect(fields.result.succeeded)
  }

  @Test("runs under its limits, and never dumps a core")
  func limits() throws {
    let limits = Limits(addressSpace: 4 << 30, fileSize: 10 * 512)
    let text = try shell("grep -E '^Max (core|address|file size)' /proc/self/limits").output(limits: limits)
      .text
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").dropLast().suffix(2).joined(separator: " ") }
    #expect(lines == ["5120 5120", "0 0", "4294967296 4294967296"])
  }

  @Test("costs what all its descendants cost, orphans too")
  func cost() throws {
    let spin = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"
    let result = try shell("(sh -c '\(spin)' & ) ; cat /dev/null").output(limits: Limits(drain: .seconds(60))).result
    #expect(result.cpu > .milliseconds(5))
  }

  @Test("may close its output and go on")
  func closedOutput() throws {
    let result = try shell("exec >&- 2>&-; read a </proc/self/stat; exit 7").output().result
    #expect(result.end == .exited(7))
  }

  @Test("has its output passed on before it ends")
  func streaming() throws {
    let scratch = try Scratch()
    let fifo = scratch.file("go")
    mkfifo(fifo, 0o600)
    // The program waits for what only its listener can give.
    let result = try shell("echo ready; read answer <\"$1\"; echo $answer; exit 3", [fifo])
      .run(limits: Limits(), cancellation: Cancellation()) { chunk in
        guard chunk.bytes.elementsEqual("ready\n".utf8) else {
          #expect(chunk.bytes.elementsEqual("on\n".utf8))
          return
        }
        let number = open(fifo, O_WRONLY | O_CLOEXEC)
        _ = write(number, "on\n", 3)
        close(number)
      }
    #expect(result.end == .exited(3))
  }
}
