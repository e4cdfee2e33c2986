import BotFiles
import Foundation
import Model
import Processes
import Scheduling
import Synchronization
import TestGround

@testable import Keeping

/// Clocks that a test moves.
final class ManualClock: Sendable {
  private let time = Mutex(1_700_000_000.0)
  /// By how many seconds the time of day is ahead.
  private let error = Mutex(0.0)

  func advance(_ seconds: Double) { time.withLock { $0 += seconds } }

  /// Sets the time of day, which no steady clock shows.
  func set(ahead seconds: Double) { error.withLock { $0 = seconds } }

  var now: Date { Date(timeIntervalSince1970: time.withLock(\.self) + error.withLock(\.self)) }

  var clock: Clock { Clock(now: { self.now }, seconds: { self.time.withLock(\.self) }) }
}

/// Lines that a watcher has said.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock(\.self) }
}

/// A home, bots and repositories of one test, with a watcher whose children are stubs.
final class KeptWatch {
  let scratch: RepositoryScratch
  let time = ManualClock()
  let lines = Lines()
  let launcher = StubLauncher()
  var options = Watcher.Options()
  /// Whether the disk is fuller than it may be.
  var isFull = false { didSet { fill() } }
  private(set) var watcher: Watcher?

  init(_ name: String = #function) throws {
    scratch = try RepositoryScratch(name)
    try FileManager.default.createDirectory(atPath: "\(scratch.path)/config/bots", withIntermediateDirectories: true)
  }

  var home: WatchHome { WatchHome("\(scratch.path)/home") }

  /// Writes a bot file that names a repository of the scratch folder.
  func bot(_ name: String, _ repository: String = "Greeter", _ more: String = "") throws {
    let text = "repository: \(scratch.path)/\(repository)\nschedule: {also-when-toolchain-changes: false}\n\(more)"
    try write("config/bots/\(name).yml", text)
  }

  /// Puts a file in its place whole: a process that another test starts meanwhile would hold one that is being written
  /// open, and the kernel would tell of it later.
  func write(_ file: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/\(file)"), options: .atomic)
  }

  func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: "\(scratch.path)/\(file)") }

  /// Starts a watcher; another one that was started before is dropped as if it had been killed.
  @discardableResult
  func start() throws -> Watcher {
    watcher = nil
    let configuration = Configuration(folder: "\(scratch.path)/config", userHome: scratch.path)
    let lines = lines
    let started = try Watcher(
      home: home, configuration: configuration, options: options, launcher: launcher, clock: time.clock,
      say: { lines.add($0) })
    watcher = started
    fill()
    settle()
    return started
  }

  private func fill() {
    let disk = DiskSpace(total: 1_000_000, free: isFull ? 0 : 1_000_000)
    watcher?.space = { _ in disk }
  }

  /// Drops the watcher as if it had been killed, with its children.
  func crash() {
    watcher = nil
    for child in launcher.running {
      child.kill()
      _ = child.takeEnd()
    }
  }

  /// Lets the watcher do all that follows from what has happened.
  func settle() {
    for _ in 0..<8 {
      watcher?.turn(atMost: 0)
      time.advance(0.06)
    }
  }

  /// The only child that runs.
  var child: StubIntegration? { launcher.running.count == 1 ? launcher.running.first : nil }

  /// Ends the only child that runs, and lets the watcher hear of it.
  func finish(_ outcome: Outcome = .succeeded, reason: String? = nil, onlyGatesFailed: Bool = false) {
    child?.finish(outcome, reason: reason, onlyGatesFailed: onlyGatesFailed, at: time.now)
    settle()
  }

  /// What the watcher wrote of tests that run.
  func progress() throws -> WatchProgress {
    try JSONDecoder().decode(
      WatchProgress.self, from: Data(contentsOf: URL(filePath: home.progress)))
  }

  func status(of bot: String) throws -> StatusDocument.Bot? {
    try watcher?.status().bots.first { $0.name == bot }
  }
}
