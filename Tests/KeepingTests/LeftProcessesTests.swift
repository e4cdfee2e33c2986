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
      process.executableURL = URL(filePath: "/usr/bin/tail")
      process.arguments = ["-f", "/dev/null"]
      process.environment = [ProcessLauncher.mark: scratch.path]
      try process.run()
      return process
    }
    var said: [String] = []
    LeftProcesses.end(of: WatchHome(scratch.path)) { said.append($0) }
    #expect(said == words.map { "Ending \($0) that a dead watcher left." })
    for process in left {
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
    }
  }
}
