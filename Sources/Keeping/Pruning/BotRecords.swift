package import BotFiles
import FoundationEssentials
import Git
import Glibc
import Model
import Processes
import Storing

/// The records of a bot: its file and secrets, and its data in the home. They can be removed or renamed.
package struct BotRecords {
  private let name: String
  private let home: WatchHome
  private let configuration: Configuration
  /// The bot according to its file, with the mirror in place of an address; nil if the file cannot be read.
  private let bot: Bot?

  /// - Parameter includesRuns: Whether it may be what somebody ran by hand, which has a name but no file.
  /// - Throws: A `request` error if there is no such bot.
  package init(
    of name: String, in home: WatchHome, _ configuration: Configuration, includesRuns: Bool = false
  ) throws {
    self.name = name
    self.home = home
    self.configuration = configuration
    bot = Self.bots(in: configuration, home).first { $0.name == name }.flatMap(\.bot)
    let names = Set(try configuration.botFiles().map(Configuration.name))
    let isAlsoRun = includesRuns && BotFile.fault(inName: name) == nil
    let mark = isAlsoRun ? home.integrations(of: name) : home.botMark(of: name)
    guard names.contains(name) || access(mark, F_OK) == 0 else {
      let nearest = EditDistance.nearest(to: name, among: names.sorted()).first.map { " Did you mean '\($0)'?" } ?? ""
      throw KeepingError(.request, "There is no bot '\(name)'.\(nearest) 'martlet bots' lists them.")
    }
  }

  private var file: String { configuration.file(of: name) }

  /// Returns the folders of the home that belong to a bot.
  private func folders(of name: String) -> [String] {
    [home.integrations(of: name), home.site(of: name), home.workspaces(of: name)]
  }

  /// The extent of what a removal deletes.
  package struct Extent: Hashable, Sendable {
    package var files: [String]
    package var integrations: Int
    package var bytes: Int
  }

  package func extent(keepsReports: Bool) -> Extent {
    let files: [String] = [file, configuration.secretsFile(of: name)].filter { (path: String) in access(path, F_OK) == 0
    }
    let gone = keepsReports ? [home.workspaces(of: name)] : folders(of: name)
    let numbers = WatchHome.names(in: home.integrations(of: name)).compactMap(Int.init)
    return Extent(
      files: files, integrations: keepsReports ? 0 : numbers.count,
      bytes: (gone + [unsharedMirror?.repository].compactMap(\.self)).reduce(0) { $0 + DiskUse.bytes(of: $1) })
  }

  /// Returns all bot files, each with its bot if it can be read.
  private static func bots(in configuration: Configuration, _ home: WatchHome) -> [(name: String, bot: Bot?)] {
    // Problems with files and settings are reported elsewhere; without them nothing is known.
    guard let settings = try? configuration.settings(), let files = try? configuration.botFiles() else { return [] }
    return files.map { file in
      let bot = try? configuration.bot(at: file, settings: settings)
      return (Configuration.name(ofBotAt: file), bot?.placed(in: home.mirrors))
    }
  }

  /// The bot, if it has a mirror that no other bot uses.
  private var unsharedMirror: Bot? {
    guard let bot, bot.remote != nil else { return nil }
    let others = Self.bots(in: configuration, home).filter { $0.name != name }
    return others.allSatisfy { $0.bot != nil && $0.bot?.repository != bot.repository } ? bot : nil
  }
}

extension BotRecords {
  /// Removes the bot, waiting until a running watcher has let go of it.
  ///
  /// - Parameter keepsReports: Whether its integrations are kept as history.
  package func remove(keepsReports: Bool) throws {
    do throws(KeepingError) {
      try release(ControlClient(home))
      try removeFolders(keepsReports: keepsReports)
    } catch {
      guard error.kind == .absent else { throw error }
      try removeUnwatched(keepsReports: keepsReports)
    }
    if !keepsReports { try forget() }
    if let mirror = unsharedMirror?.mirrorName {
      var trash = Trash(home.trash)
      _ = try trash.takeMirror(mirror, in: home)
    }
    try Removal.remove(home.trash)
  }

  private func forget() throws(StoringError) {
    guard access(home.database, F_OK) == 0 else { return }
    var store = try Store(at: home.database)
    try store.remove(name)
  }

  /// Keeps watchers from starting; nil where there is no home yet, and so nothing of the bot but its file.
  private func lockHome() throws(KeepingError) -> HomeLock? {
    access(home.path, F_OK) == 0 ? try HomeLock(home, isWatcher: false) : nil
  }

  /// Removes the bot while no watcher can start.
  private func removeUnwatched(keepsReports: Bool) throws(KeepingError) {
    let lock = try lockHome()
    try removeFiles()
    try removeFolders(keepsReports: keepsReports)
    _ = consume lock
  }

  /// The number of times, and the interval in microseconds, to ask a watcher whether it has noticed that the file is
  /// gone.
  private static let (mostQuestions, pause) = (200, UInt32(50_000))

  /// Takes the bot away from a running watcher.
  /// - Throws: An `absent` error if no watcher is running.
  private func release(_ watcher: ControlClient) throws(KeepingError) {
    if let running = try bot(of: watcher)?.running {
      throw KeepingError(
        .request,
        "Integration \(running.number) of \(name) is running. Cancel it with 'martlet cancel \(name)/\(running.number)', or wait for its end."
      )
    }
    try removeFiles()
    for _ in 0..<Self.mostQuestions {
      if try bot(of: watcher) == nil { return try emptyQueue(of: watcher) }
      usleep(Self.pause)
    }
    throw KeepingError(
      .service,
      "The files of \(name) are gone, but the running watcher still has the bot: it was started with another configuration. Remove the bot there, then run this again."
    )
  }

  /// Takes out of the queue what waits for the bot's file to come back.
  private func emptyQueue(of watcher: ControlClient) throws(KeepingError) {
    let status = try watcher.ask(ControlRequest(.status)).status
    guard status?.queue.contains(where: { $0.bot == name }) == true else { return }
    _ = try watcher.ask(ControlRequest(.cancel, bot: name))
  }

  private func bot(of watcher: ControlClient) throws(KeepingError) -> StatusDocument.Bot? {
    try watcher.ask(ControlRequest(.status)).status?.bots.first { $0.name == name }
  }

  private func removeFiles() throws(KeepingError) {
    for path in [file, configuration.secretsFile(of: name)] where unlink(path) != 0 && errno != ENOENT {
      throw .system("remove", path, errno: errno)
    }
  }

  private func removeFolders(keepsReports: Bool) throws(KeepingError) {
    try removeWorkspaces()
    guard !keepsReports else { return }
    var trash = Trash(home.trash)
    for (number, folder) in folders(of: name).enumerated() { _ = try trash.take(folder, as: "\(name)-\(number)-bot") }
    try changeState { $0.remove(name) }
  }

  /// - Throws: A `request` error if something is being built in a workspace.
  private func removeWorkspaces() throws(KeepingError) {
    var trash = Trash(home.trash)
    for workspace in home.workspaceNames(of: name) {
      guard try trash.takeWorkspace(workspace, of: name, in: home) == nil else { continue }
      throw KeepingError(
        .request, "Something is being built in \(home.workspace(workspace, of: name)). Try again when it is over.")
    }
    home.removeEmptyWorkspaces(of: name)
  }

  /// Changes the last watcher's recorded state, if there is any.
  private func changeState(_ change: (inout WatchState) -> Void) throws(KeepingError) {
    guard let data = FileManager.default.contents(atPath: home.state),
      var state = try? JSONDecoder().decode(WatchState.self, from: data)
    else { return }
    change(&state)
    // A value that was just decoded can be encoded.
    guard let bytes = try? JSONEncoder().encode(state) else { return }
    do {
      try PrivateFile.write(Array(bytes), to: home.state)
    } catch {
      throw .system("write", home.state, errno: error.number)
    }
  }
}

extension BotRecords {
  /// Renames the bot. No watcher can run during this.
  ///
  /// Repeating an interrupted renaming gives the same result: anything that already has the new name is left alone.
  ///
  /// - Parameters:
  ///   - new: A valid bot name.
  ///   - rewrite: Receives the new name, to update documents once their folders have it.
  package func rename(to new: String, rewrite: (String) throws -> Void) throws {
    let lock = try lockHome()
    try moveAll(to: new, rewrite)
    _ = consume lock
  }

  private func moveAll(to new: String, _ rewrite: (String) throws -> Void) throws {
    try requireFree(new)
    try removeWorkspaces()
    for (old, new) in zip(folders(of: name), folders(of: new)).prefix(2) { try move(old, to: new) }
    try rewrite(new)
    try renameRows(to: new)
    try changeState { $0.rename(name, to: new) }
    try moveMirror(to: new)
    try move(configuration.secretsFile(of: name), to: configuration.secretsFile(of: new))
    try move(file, to: configuration.file(of: new))
    try Removal.remove(home.trash)
  }

  /// Moves the mirror, if any. One that is accessed with the bot's own token is located by the bot's name.
  private func moveMirror(to name: String) throws {
    guard var renamed = bot, renamed.remote != nil, let old = bot?.repository else { return }
    renamed.name = name
    renamed = renamed.placed(in: home.mirrors)
    guard renamed.repository != old else { return }
    try move(old, to: renamed.repository)
    let owner = home.ownerFile(of: name)
    guard access(owner, F_OK) == 0 else { return }
    try PrivateFile.write(Array("\(renamed.repository)\n".utf8), to: owner)
  }

  private func renameRows(to new: String) throws(StoringError) {
    guard access(home.database, F_OK) == 0 else { return }
    var store = try Store(at: home.database)
    try store.rename(name, to: new)
  }

  private func requireFree(_ new: String) throws {
    if let other = try configuration.botFiles().map(Configuration.name).first(where: {
      $0 != name && $0.lowercased() == new.lowercased()
    }) {
      throw KeepingError(.request, "There is a bot '\(other)' already. Choose another name.")
    }
    for (old, new) in zip(folders(of: name), folders(of: new)) where access(new, F_OK) == 0 && access(old, F_OK) == 0 {
      throw KeepingError(
        .request, "There is a folder \(new) already, of runs or of a bot that was removed. Choose another name.")
    }
    guard access(home.database, F_OK) == 0 else { return }
    var store = try Store(at: home.database)
    guard try store.isFree(new, for: name) else {
      throw KeepingError(
        .request, "The queue still has something of a bot '\(new)' that was removed. Choose another name.")
    }
  }

  private func move(_ old: String, to new: String) throws(KeepingError) {
    if Glibc.rename(old, new) != 0, errno != ENOENT { throw .system("rename", old, errno: errno) }
  }
}
