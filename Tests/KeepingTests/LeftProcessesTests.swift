import Foundation
import TestGround
import Testing

@testable import Keeping

@Suite("What a dead watcher left running")
struct LeftProcessesTests {
  @Test("It is ended, and counted as people count", arguments: [(0, []), (1, ["1 process"]), (2, ["2 processes"])])
  func ended(count: Int, words: [String]) throws {
    let scratch = try RepositoryScratch("left\(count)")
    let left = try (0..<count).map { _ in
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "echo; read -r never"]
      process.standardInput = Pipe()
      process.environment = [ProcessLauncher.mark: scratch.path, "PATH": "/usr/bin:/bin"]
      process.standardOutput = output
      try process.run()
      // A process carries the mark once it has become the program.
      #expect(output.fileHandleForReading.availableData.count == 1)
      return process
    }
    var said: [String] = []
    LeftProcesses.end(of: WatchHome(scratch.path)) { said.append($0) }
    #expect(said == words.map { "Ending \($0) that a dead watcher left." })
    for process in left {
      if said.isEmpty { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
    }
  }
}
