import FoundationEssentials
import Glibc

/// A package whose test hangs, so that there is time to interrupt it.
struct InterruptionStory {
  static let told = Result { try InterruptionStory() }
  static let bot = "Hanging"

  let scratch: ScratchFolder
  /// Ctrl-C while a test hangs, and again while the package is built; then SIGTERM.
  let interrupted: Ending
  let interruptedBuild: Ending
  let terminated: Ending
  /// SIGKILL while a test hangs.
  let killed: Ending
  /// A run without the hanging test after each of them.
  let next: [Integrated]
  /// What had changed in the watched repository after all of them.
  let touched: [String]

  /// How a run ended that was sent a signal.
  struct Ending {
    var run: Program.Run
    /// Whether the test was running when the signal was sent.
    var wasRunning: Bool
    /// Whether the test and the process that it started are gone.
    var isOver: Bool
    /// Command lines of processes that outlived the run.
    var remaining: [String]
  }

  private init() throws {
    let scratch = try ScratchFolder("hanging")
    self.scratch = scratch
    let program = Program(scratch: scratch)
    let repository = try GitFolder(Self.bot, in: scratch)
    // In the scratch folder, which tests can read, so that test and story both reach it.
    let shared = scratch.file("home/workspaces/\(Self.bot)/main/\(Program.buildFolder)")
    let path = shared + "/pipe"
    try repository.commit("Begin", Self.files(pipe: path))
    let before = try FolderSnapshot(repository.path)

    func interrupt(with signal: Int32) throws -> Ending {
      let pipe = try NamedPipe(path)
      let running = try RunningProgram(program, ["run", repository.path])
      let isTesting = try running.waits(for: "Testing") && pipe.isWrittenTo(within: 60)
      running.send(signal)
      return Ending(
        run: try running.end(), wasRunning: isTesting, isOver: isTesting && pipe.isLetGo(within: 20),
        remaining: ProcessList.remaining(naming: scratch.path))
    }
    func again() throws -> Integrated {
      try program.integrate(repository.path, "--skip", "test_hangs", "--quiet", bot: Self.bot)
    }

    let building = try RunningProgram(program, ["run", repository.path])
    let isBuilding = try building.waits(for: "Building")
    building.send(SIGINT)
    interruptedBuild = Ending(
      run: try building.end(), wasRunning: isBuilding, isOver: true,
      remaining: ProcessList.remaining(naming: scratch.path))
    // What a report leaves that was being written when its process was killed: no process has that number.
    try scratch.write("half", to: "home/site/\(Self.bot)/.0.999999999.new/index.html")
    var next = [try again()]
    interrupted = try interrupt(with: SIGINT)
    next.append(try again())
    killed = try interrupt(with: SIGKILL)
    next.append(try again())
    terminated = try interrupt(with: SIGTERM)
    next.append(try again())
    self.next = next
    touched = try FolderSnapshot(repository.path).differences(from: before)
  }

  private static func files(pipe: String) -> [String: String] {
    [
      "Package.swift": SmallManifest.tested("Hanging"),
      "Sources/Hanging/Hanging.swift": "public func answer() -> Int { 42 }\n",
      "Tests/HangingTests/HangingTests.swift": """
      import Glibc
      import Hanging
      import XCTest

      final class HangingTests: XCTestCase {
        func test_answers() {
          XCTAssertEqual(answer(), 42)
        }

        /// Starts a process in a session of its own that holds the pipe, too, and both ignore polite signals.
        func test_hangs() {
          let pipe = open("\(pipe)", O_WRONLY)
          signal(SIGTERM, SIG_IGN)
          signal(SIGINT, SIG_IGN)
          var attributes = posix_spawnattr_t()
          posix_spawnattr_init(&attributes)
          posix_spawnattr_setflags(&attributes, 0x80)  // A session of its own.
          let script = "trap '' TERM INT HUP; while :; do sleep 1000; done"
          var words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(script), nil]
          var process = pid_t()
          posix_spawn(&process, "/bin/sh", nil, &attributes, &words, nil)
          write(pipe, "x", 1)
          while true { sleep(1000) }
        }
      }

      """,
    ]
  }
}
