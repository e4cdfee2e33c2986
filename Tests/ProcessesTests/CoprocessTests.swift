import Glibc
import Testing

@testable import Processes

@Suite("Programs that are written to and read from in turn")
struct CoprocessTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func coprocess(_ script: String, patience: Duration = .seconds(600)) throws -> Coprocess {
    try Coprocess(
      Command("/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"], workingDirectory: "/"),
      pipe: scratch.file("input"), patience: patience)
  }

  @Test("Each line is answered before the next is written, and the pipe is gone afterwards")
  func turns() throws {
    do {
      let process = try coprocess("while read -r line; do echo \"got $line\"; done")
      for word in ["one", "two"] {
        try process.write(Array("\(word)\n".utf8))
        #expect(try process.read() == Array("got \(word)\n".utf8))
      }
      #expect(process.end == nil)
    }
    #expect(access(scratch.file("input"), F_OK) != 0)
  }

  @Test("More than the pipe holds arrives whole, both ways")
  func large() throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let process = try coprocess("head -c 3000000 > '\(scratch.file("copy"))'; cat '\(scratch.file("copy"))'")
    try process.write(bytes)
    var found: [UInt8] = []
    while let more = try process.read() { found += more }
    #expect(found == bytes)
    #expect(process.end == .exited(0))
  }

  @Test("What is written to a program that ends is not waited for, and how it ended is known")
  func ending() throws {
    let process = try coprocess("read -r line; echo \"last $line\"; echo 'no room' >&2; exit 3")
    try process.write(Array("word\n".utf8) + [UInt8](repeating: 0, count: 3_000_000))
    #expect(try process.read() == Array("last word\n".utf8))
    #expect(try process.read() == nil)
    #expect(process.end == .exited(3))
    #expect(process.errors == Array("no room\n".utf8))
    try process.write(Array("more\n".utf8))
    #expect(try process.read() == nil)
  }

  @Test("A program that cannot be started is an error")
  func failing() throws {
    let process = try Coprocess(
      Command("/etc/passwd", environment: [:], workingDirectory: "/"), pipe: scratch.file("input"),
      patience: .seconds(600))
    let error = #expect(throws: ProcessError.self) { try process.read() }
    #expect(error?.code == .notExecutable)
  }

  @Test("A program that neither says nor takes anything is killed once nobody waits for it any longer")
  func still() throws {
    let silent = try coprocess("exec sleep 1000", patience: .milliseconds(1))
    #expect(try silent.read() == nil)
    #expect(silent.end == .signaled(SIGKILL))
    let full = try coprocess("exec sleep 1000", patience: .milliseconds(1))
    try full.write([UInt8](repeating: 0, count: 3_000_000))
    #expect(full.end == .signaled(SIGKILL))
  }

  @Test("Nothing of it is left when it is not wanted any more")
  func killed() throws {
    let tether = try Tether(in: scratch)
    do {
      let process = try coprocess(
        "exec 9>'\(tether.path)'; echo held >&9; echo up; trap '' TERM; sleep 1000 & sleep 1000")
      #expect(try process.read() == Array("up\n".utf8))
    }
    #expect(tether.isLoose(after: "held\n"))
  }
}
