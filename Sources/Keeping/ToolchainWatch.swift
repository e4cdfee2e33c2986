import Git
import Glibc
import Model
import Processes
import Scheduling
import Storing
import Watching

/// The toolchain with which each bot would be integrated now.
struct ToolchainWatch {
  private struct Seen {
    /// One program for each toolchain with which its destinations are built.
    var programs: [String]
    var identity: String?
    /// The time since which the identity has been the same, on the steady clock.
    var since: Double?
    /// Whether the change has been handled.
    var isSettled = false
  }

  /// The seconds for which a toolchain has to stay the same: it changes many times while it is being installed.
  static let quiet = 10.0

  private var seen: [String: Seen] = [:]
  private(set) var nextTime: Double?
  /// The folders in which a change can mean a new toolchain.
  private(set) var folders: Set<String> = []

  /// Updates the plans for the current bots.
  mutating func plan(_ bots: [Bot], environment: [String: String]) {
    var plans: [String: Seen] = [:]
    folders = []
    for bot in bots where bot.schedule.alsoWhenToolchainChanges {
      let programs = bot.toolchains.compactMap { Self.program($0, searchPath: environment["PATH"] ?? "") }
      guard !programs.isEmpty else { continue }
      var plan = seen[bot.name] ?? Seen(programs: programs)
      if plan.programs != programs { plan = Seen(programs: programs) }
      plans[bot.name] = plan
      for program in programs {
        folders.formUnion([Self.folder(of: program)] + ToolchainStamp.folders(of: Self.realFolder(of: program)))
      }
    }
    seen = plans
    nextTime = seen.isEmpty ? nil : 0
  }

  /// Returns each bot whose toolchain has stayed the same for long enough, once, with the toolchain's identity.
  mutating func settled(now: Double) -> [(bot: String, identity: String)] {
    nextTime = nil
    var found: [(bot: String, identity: String)] = []
    // Most bots have the same one.
    var identities: [String: String] = [:]
    for program in Set(seen.values.flatMap(\.programs)) { identities[program] = Self.identity(of: program) }
    for (bot, var plan) in seen.sorted(by: { $0.key < $1.key }) {
      let identity = plan.programs.compactMap { identities[$0] }.nonEmpty?.joined(separator: "\n")
      if identity != plan.identity { (plan.identity, plan.since, plan.isSettled) = (identity, now, false) }
      if let identity, !plan.isSettled, let since = plan.since {
        if now - since >= Self.quiet {
          plan.isSettled = true
          found.append((bot, identity))
        } else {
          nextTime = min(nextTime ?? .infinity, since + Self.quiet)
        }
      }
      seen[bot] = plan
    }
    return found
  }

  /// Reports a settled toolchain once more, because it could not be recorded.
  mutating func unsettle(_ bot: String, now: Double) {
    seen[bot]?.isSettled = false
    nextTime = now + Self.quiet
  }

  mutating func settle(_ bot: String) { seen[bot]?.isSettled = true }

  private static func program(_ folder: String?, searchPath: String) -> String? {
    let folders =
      folder.map { folder in ["usr/bin", "bin", "."].map { "\(folder)/\($0)" } }
      ?? searchPath.split(separator: ":").map(String.init)
    return folders.map { "\($0)/swift" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// Identifies a build of a toolchain without running it; nil if there is none.
  private static func identity(of program: String) -> String? {
    guard access(program, X_OK) == 0 else { return nil }
    return ToolchainStamp.of(programs: realFolder(of: program))
  }

  private static func realFolder(of program: String) -> String { folder(of: program.withoutLinks) }

  private static func folder(of program: String) -> String {
    program.lastIndex(of: "/").map { String(program[..<$0]) } ?? program
  }
}

extension Watcher {
  /// Queues the integrations that follow from a changed toolchain.
  func keepToolchains() {
    let now = clock.seconds()
    guard !isStopping, let time = toolchains.nextTime, time <= now else { return }
    for (name, identity) in toolchains.settled(now: now) {
      keepingStore("note the toolchain of \(name)", repository: registry.bots[name]?.repository) {
        toolchains.unsettle(name, now: now)
        if try keepToolchain(of: name, identity) { toolchains.settle(name) }
      }
    }
  }

  /// - Returns: Whether nothing is left to do; a repository that cannot be read now may be readable later.
  private func keepToolchain(of name: String, _ identity: String) throws -> Bool {
    guard let bot = registry.bots[name] else { return true }
    // Nothing follows from what an older Martlet remembered of another kind.
    let remembered = try store.memory(of: name).toolchain
    let known = remembered.flatMap { ToolchainStamp.isStamp($0) ? $0 : nil }
    guard known != identity else { return true }
    // The first known toolchain is remembered without reading the repository.
    var sighting = Sighting(seen: nil, tips: Tips(refs: [:]))
    if known != nil {
      guard let reading = try read(bot.repository, bots(of: bot.repository)) else { return false }
      sighting = try decide(bot, reading.tips)
      say("\(name): the toolchain changed.")
    }
    let decision = CommitDecision(bot).followToolchain(identity, known: known, sighting, at: clock.now())
    try apply(decision)
    return true
  }
}
