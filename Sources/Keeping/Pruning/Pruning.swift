package import BotFiles
package import FoundationEssentials
import Git
import Glibc
import Model
import Scheduling
import Storing

/// Takes from a home what nobody needs any more: workspaces of branches, repositories and bots that are gone, and reports
/// of one-shot runs beyond what is kept of them.
///
/// A watcher may run meanwhile: what somebody builds in is locked and stays. What bots keep is the watcher's business.
package struct Pruning: Sendable {
  /// One folder that may go.
  package struct Leftover: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
      case workspace, report
      /// The copy of a repository that lies elsewhere.
      case mirror
    }

    package var kind: Kind
    /// The bot, or the name that one-shot runs of a package are kept under; empty for a mirror, which may be of several.
    package var bot: String
    /// The folder of the workspace or mirror, or the number of the integration.
    package var name: String
    package var bytes: Int
    /// A sentence.
    package var reason: String
  }

  private let home: WatchHome
  private let settings: ServerSettings
  /// The bots that there are, whether their files are right or not.
  private let known: Set<String>
  /// The repositories of those whose files are right.
  private let repositories: [String: String]
  private let now: Date

  /// - Parameter more: bots beside those of the configuration, such as those of a watcher that was started with another, with
  ///   their repositories; an empty one is not known.
  package init(
    _ home: WatchHome, configuration: Configuration, besides more: [String: String] = [:], now: Date
  ) throws {
    self.home = home
    self.now = now
    settings = try configuration.settings()
    let files = try configuration.botFiles()
    var repositories = more.filter { !$0.value.isEmpty }
    for file in files {
      // What the file of a broken bot names is not known, so that nothing of it goes.
      repositories[Configuration.name(ofBotAt: file)] = try? configuration.bot(at: file, settings: settings)
        .placed(in: home.mirrors).repository
    }
    self.repositories = repositories
    known = Set(files.map(Configuration.name)).union(more.keys)
  }

  /// What may go, by bot.
  ///
  /// - Parameter run: the only name of one-shot runs that is looked at; nil for everything.
  package func removals(of run: String? = nil) throws -> [Leftover] {
    var store = try Store(at: home.database)
    let removed = Set(try store.bots()).subtracting(known)
    let names = Set(folders(in: home.allWorkspaces) + folders(in: "\(home.path)/integrations")).sorted()
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

  /// The mirrors that no bot names; none where a bot's file does not tell what it names.
  private func mirrors() -> [Leftover] {
    guard known.allSatisfy({ repositories[$0] != nil }) else { return [] }
    let used = Set(repositories.values)
    return folders(in: home.mirrors).sorted().filter { name in
      let path = "\(home.mirrors)/\(name)"
      return !used.contains(path) && !WorkspaceLock.isHeld(path)
    }.map { name in
      Leftover(
        kind: .mirror, bot: "", name: name, bytes: DiskUse.bytes(of: "\(home.mirrors)/\(name)"),
        reason: "No bot names its repository any more.")
    }
  }

  /// Of one-shot runs.
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
        outcome: line.outcome)
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

  /// The workspaces of branches that are gone.
  private func workspaces(of name: String, in repository: String) -> [Leftover] {
    guard let branches = Self.branches(of: repository) else {
      // One that is there and cannot be read may be mended.
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

  /// The branches of a repository; nil when it cannot be read.
  private static func branches(of repository: String) -> [String]? {
    // Who integrates from it says what is wrong with it.
    try? Repository(at: repository).branchNames()
  }

  /// The git folder that one-shot runs of a name are of; nil when nothing of them is kept.
  private func owner(of name: String) -> String? {
    guard let data = FileManager.default.contents(atPath: "\(home.integrations(of: name))/repository") else {
      return nil
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }

  /// Whether a bot ever integrated under a name.
  private func isMarked(_ name: String) -> Bool { access("\(home.integrations(of: name))/bot", F_OK) == 0 }

  private func folders(in folder: String) -> [String] { WatchHome.names(in: folder).filter { !$0.hasPrefix(".") } }
}

extension Pruning {
  /// Removes what was found, if it still may go.
  ///
  /// - Parameter say: takes what could not be removed, as a sentence.
  /// - Returns: what was removed.
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
    // Taken from their places, they are nobody's any more; so is what an earlier one could not clear.
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
      // The pages go first, so that nothing shows what is no longer there.
      let pages = try trash.take(home.site(of: removal.bot, number), as: "\(removal.bot)-\(number)-pages")
      let results = try trash.take(home.integration(number, of: removal.bot), as: "\(removal.bot)-\(number)-results")
      return pages != nil || results != nil
    case .mirror: return try trash.takeMirror(removal.name, in: home) != nil
    }
  }
}
