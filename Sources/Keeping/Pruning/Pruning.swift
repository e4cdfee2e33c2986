package import BotFiles
package import FoundationEssentials
import Git
import Glibc
import Model
import Scheduling
import Storing

/// The removal of what is no longer needed from a home: workspaces of deleted branches, repositories and bots, and
/// reports of one-shot runs beyond the number that is kept.
///
/// A watcher may be running: workspaces in use are locked and stay. Retention for bots is the watcher's business.
package struct Pruning: Sendable {
  /// A folder that may be removed.
  package struct Leftover: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
      case workspace, report
      /// The copy of a remote repository.
      case mirror
    }

    package var kind: Kind
    /// The bot, or the name under which a package's one-shot runs are kept; empty for a mirror, which several may
    /// share.
    package var bot: String
    /// The folder of the workspace or mirror, or the number of the integration.
    package var name: String
    package var bytes: Int
    /// The reason, as a sentence.
    package var reason: String
  }

  private let home: WatchHome
  private let settings: ServerSettings
  /// All bots, whether or not their files are valid.
  private let known: Set<String>
  /// The repositories of the bots with valid files.
  private let repositories: [String: String]
  private let now: Date

  /// - Parameter more: Bots outside the configuration, such as those of a watcher started with another one, with their
  ///   repositories; an empty repository is unknown.
  package init(
    _ home: WatchHome, configuration: Configuration, besides more: [String: String] = [:], now: Date
  ) throws {
    self.home = home
    self.now = now
    settings = try configuration.settings()
    let files = try configuration.botFiles()
    var repositories = more.filter { !$0.value.isEmpty }
    for file in files {
      // The repository of a broken bot is unknown, so nothing of it is removed.
      repositories[Configuration.name(ofBotAt: file)] = try? configuration.bot(at: file, settings: settings)
        .placed(in: home.mirrors).repository
    }
    self.repositories = repositories
    known = Set(files.map(Configuration.name)).union(more.keys)
  }

  /// Returns what may be removed, by bot.
  ///
  /// - Parameter run: The only name of one-shot runs to examine; nil for everything.
  package func removals(of run: String? = nil) throws -> [Leftover] {
    var store = try Store(at: home.database)
    let removed = Set(try store.bots()).subtracting(known)
    let names = Set(
      WatchHome.visibleNames(in: home.allWorkspaces) + WatchHome.visibleNames(in: home.allIntegrations)
    ).sorted()
    var found: [Leftover] = []
    if run == nil { found += mirrors() }
    for name in names where run == nil || run == name {
      let isBot = known.contains(name) || isMarked(name)
      if run == nil, !known.contains(name), isBot || removed.contains(name) {
        found += workspaces(of: name) { _ in "The bot was removed." }
      } else if known.contains(name) {
        found += repositories[name].map { workspaces(of: name, in: $0) } ?? []
      } else if !isBot {
        found += try leftovers(of: name, &store)
      }
    }
    return found
  }

  /// Returns the mirrors that no bot uses; none if the repository of any bot is unknown.
  private func mirrors() -> [Leftover] {
    guard known.allSatisfy({ repositories[$0] != nil }) else { return [] }
    let used = Set(repositories.values)
    return WatchHome.visibleNames(in: home.mirrors).sorted().filter { name in
      let path = "\(home.mirrors)/\(name)"
      return !used.contains(path) && !WorkspaceLock.isHeld(path)
    }.map { name in
      Leftover(
        kind: .mirror, bot: "", name: name, bytes: DiskUse.bytes(of: "\(home.mirrors)/\(name)"),
        reason: "No bot names its repository any more.")
    }
  }

  /// Returns the leftovers of one-shot runs.
  private func leftovers(of name: String, _ store: inout Store) throws -> [Leftover] {
    guard let repository = owner(of: name) else {
      return workspaces(of: name) { _ in "Nothing is kept of what was built there." }
    }
    return workspaces(of: name, in: repository) + (try reports(of: name, in: repository, &store))
  }

  private func reports(of name: String, in repository: String, _ store: inout Store) throws -> [Leftover] {
    let there = Set(WatchHome.names(in: home.integrations(of: name)).compactMap(Int.init))
    let kept = try store.lines(of: name).filter { there.contains($0.number) }.map { line in
      KeptIntegration(
        bot: name, ref: line.branch.map { RefName(branch: $0) }, number: line.number, endedAt: line.endedAt,
        outcome: line.outcome, gateBases: line.gateBases)
    }
    let refs = Self.branches(of: repository).map { Set($0.map { RefName(branch: $0) }) }
    return Retention.expired(kept, keep: settings.keepRuns, refs: refs, by: "'keep-runs' in martlet.yml", at: now).map {
      one in
      let folders = [home.integration(one.number, of: name), home.site(of: name, one.number)]
      return Leftover(
        kind: .report, bot: name, name: "\(one.number)", bytes: folders.reduce(0) { $0 + DiskUse.bytes(of: $1) },
        reason: one.reason)
    }
  }

  /// Returns the workspaces of deleted branches.
  private func workspaces(of name: String, in repository: String) -> [Leftover] {
    guard let branches = Self.branches(of: repository) else {
      // A repository that exists but cannot be read may be repaired.
      guard access(repository, F_OK) != 0, errno == ENOENT else { return [] }
      return workspaces(of: name) { _ in "There is no \(repository) any more." }
    }
    let kept = Set(branches.map(FileSystemName.workspace(of:)))
    return workspaces(of: name) { workspace in
      if workspace.hasPrefix(FileSystemName.aloneBeginning) { return "Its integration was cut off." }
      return kept.contains(workspace) ? nil : "Its branch is gone."
    }
  }

  private func workspaces(of name: String, because reason: (String) -> String?) -> [Leftover] {
    home.workspaceNames(of: name).compactMap { workspace in
      let folder = home.workspace(workspace, of: name)
      guard let reason = reason(workspace), !WorkspaceLock.isHeld(folder) else { return nil }
      return Leftover(
        kind: .workspace, bot: name, name: workspace, bytes: DiskUse.bytes(of: folder), reason: reason)
    }
  }

  /// Returns the branches of a repository, or nil if it cannot be read.
  private static func branches(of repository: String) -> [String]? {
    // Integrations from it report what is wrong with it.
    try? Repository(at: repository).branchNames()
  }

  /// Returns the git folder to which a name's one-shot runs belong; nil if nothing of them is kept.
  private func owner(of name: String) -> String? {
    guard let data = FileManager.default.contents(atPath: home.ownerFile(of: name)) else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }

  /// Returns whether a bot ever integrated under a name.
  private func isMarked(_ name: String) -> Bool { access(home.botMark(of: name), F_OK) == 0 }
}

extension Pruning {
  /// Removes the given leftovers if they still may be removed.
  ///
  /// - Parameter say: Receives a sentence about each one that could not be removed.
  /// - Returns: The removed leftovers.
  package func remove(_ removals: [Leftover], say: (String) -> Void) throws -> [Leftover] {
    var trash = Trash(home.trash)
    var gone: [Leftover] = []
    for removal in removals {
      do throws(KeepingError) {
        if try remove(removal, to: &trash) { gone.append(removal) }
      } catch {
        say(error.description)
      }
    }
    try noteRemoval(of: gone)
    // Moved from their places, these are no longer used, nor is anything that an earlier pruning could not clear.
    for folder in [home.trash] + trash.aside { try Removal.remove(folder) }
    return gone
  }

  private func noteRemoval(of gone: [Leftover]) throws(StoringError) {
    var store = try Store(at: home.database)
    for (bot, all) in Dictionary(grouping: gone.filter { $0.kind == .report }, by: \.bot) {
      try store.noteRemoval(of: all.compactMap { Int($0.name) }, of: bot)
    }
  }

  private func remove(_ removal: Leftover, to trash: inout Trash) throws(KeepingError) -> Bool {
    switch removal.kind {
    case .workspace:
      let taken = try trash.takeWorkspace(removal.name, of: removal.bot, in: home)
      home.removeEmptyWorkspaces(of: removal.bot)
      return taken != nil
    case .report:
      guard let number = Int(removal.name) else { return false }
      return try trash.takeIntegration(number, of: removal.bot, in: home)
    case .mirror: return try trash.takeMirror(removal.name, in: home) != nil
    }
  }
}
