import Git
import Glibc
package import Model

/// Martlet's home: the folder that holds workspaces, integrations and the site.
package struct Home: Sendable {
  package let folder: Folder

  package init(_ path: String) {
    folder = Folder(path, isPrivate: true)
  }

  /// Returns the home named by the option or the environment: `--home`, `MARTLET_HOME`, or the XDG state folder.
  ///
  /// https://specifications.freedesktop.org/basedir-spec/latest/
  package static func locate(option: String?, environment: [String: String], currentFolder: String)
    throws(IntegratingError) -> Home
  {
    let candidates = [option, environment["MARTLET_HOME"]].compactMap { $0 }.filter { !$0.isEmpty }
    if let named = candidates.first {
      return Home(named.hasPrefix("/") ? named : "\(currentFolder)/\(named)")
    }
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return Home("\(state)/martlet") }
    guard let user = environment["HOME"], user.hasPrefix("/") else {
      throw IntegratingError(
        .service,
        "cannot find a home for Martlet: neither HOME nor MARTLET_HOME is set. Set one of them, or use --home.")
    }
    return Home("\(user)/.local/state/martlet")
  }

  /// Creates the home and verifies that it is writable.
  package func prepare() throws(IntegratingError) {
    let isNew = !folder.holds(".")
    try folder.create()
    if isNew, chmod(folder.path, 0o700) != 0 { throw .storage("close", folder.path, errno: errno) }
    guard access(folder.path, R_OK | W_OK | X_OK) == 0 else {
      throw .storage("use the home", folder.path, errno: errno)
    }
    for name in Self.closedFolders { try folder.folder(name).create() }
    try close()
  }

  /// Throws if everybody on the machine may write to the home; a missing home is fine.
  package func requirePrivate() throws(IntegratingError) {
    guard let status = stat(folder.path, followingLinks: true), status.st_mode & S_IWOTH != 0 else { return }
    throw IntegratingError(
      .service,
      "cannot use the home \(folder.path): everybody on this machine may write to it, and so change what is built and told. Run: chmod o-w \(RepeatCommand.quoted(folder.path))"
    )
  }

  /// The folder of what is kept of all bots.
  var integrations: Folder { folder.folder("integrations") }
  package func integrations(of bot: String) -> Folder { Folder(integrations.file(bot), isPrivate: true) }
  /// The folder of what is kept of an integration.
  package func integration(_ number: Int, of bot: String) -> Folder { integrations(of: bot).folder("\(number)") }
  package func workspaces(of bot: String) -> Folder { folder.folder("workspaces").folder(bot) }

  /// The path of the folder of what has not been delivered yet.
  package var outbox: String { folder.file("outbox") }

  /// What is made and remembered once for a toolchain; nothing that a commit runs can write there. It may be a link, so
  /// that several homes share it.
  var toolchains: Folder { Folder(folder.file("toolchains"), isPrivate: true) }

  /// The folder that is served or opened in a browser, also by other users.
  var site: Folder { folder.folder(Self.openFolder).readable }
  package func site(of bot: String) -> Folder { site.folder(bot) }
  /// The folder of an integration's report.
  func report(_ number: Int, of bot: String) -> Folder { site(of: bot).folder("\(number)") }
  /// The path of the site's folder.
  package var siteFolder: String { site.path }
  /// The path of the site's first page.
  package var firstPage: String { site.file("index.html") }
}

extension Home {
  /// Creates the folder of an integration at the given place, or under the bot's next number.
  func createIntegration(_ place: IntegrationRequest.Place?, of bot: String, repository: String)
    throws(IntegratingError) -> (number: Int, folder: Folder)
  {
    guard let place else { return try createIntegration(of: bot) }
    return (place.number, try createIntegration(place, of: repository))
  }

  /// Creates the folder of an integration with the given bot and number.
  ///
  /// From then on, the bot owns its name: one-shot runs of other repositories get another. Leftovers of an interrupted
  /// process under the number are removed.
  /// - Parameter keepsLogs: whether what the interrupted process logged stays; somebody may be reading it.
  /// - Throws: if the integration is finished, since finished integrations are never changed.
  package func createIntegration(
    _ place: IntegrationRequest.Place, of commonPath: String, keepsLogs: Bool = false
  ) throws(IntegratingError) -> Folder {
    let all = integrations(of: place.bot)
    try all.create()
    let owner = Array("\(commonPath)\n".utf8)
    if all.read(RunName.ownerFile) != owner { try all.write(owner, to: RunName.ownerFile) }
    if !all.holds(RunName.botMark) { try all.write([], to: RunName.botMark) }
    let folder = integration(place.number, of: place.bot)
    guard !folder.holds(StoredIntegration.fileName) else {
      throw IntegratingError(
        .service,
        "cannot carry out \(place.bot) \(place.number): it is finished, in \(folder.path). Integrate the commit under a new number."
      )
    }
    try HeldMessages(of: place.bot, place.number, in: self).drop()
    if keepsLogs {
      for name in folder.names() where name != "log" { try folder.folder(name).remove() }
    } else {
      try folder.remove()
    }
    return try folder.create()
  }

  /// Creates the folder of a bot's next integration, whose number is the highest existing one plus one.
  ///
  /// A number is not reused while the site has a page for it, even if that only says that the report was removed, or
  /// while the index has a line for it.
  package func createIntegration(of bot: String) throws(IntegratingError) -> (number: Int, folder: Folder) {
    let all = integrations(of: bot)
    try all.create()
    var number = (all.names() + site(of: bot).names()).compactMap(Int.init).max() ?? 0
    number = max(number, try PastIndex(of: self).highestNumber(of: bot)) + 1
    while true {
      let folder = integration(number, of: bot)
      if mkdir(folder.path, 0o700) == 0 { return (number, folder) }
      guard errno == EEXIST else { throw .storage("create the folder", folder.path, errno: errno) }
      number += 1
    }
  }
}

extension Home {
  /// Returns the disk space taken by an integration's results and report, in bytes.
  package func bytes(of bot: String, _ number: Int) -> Int {
    [integration(number, of: bot), report(number, of: bot)].reduce(0) { $0 + DiskUse.bytes(of: $1.path) }
  }
}

extension Home {
  /// The state that the watcher of this home last wrote; nil if there is none, or if this Martlet cannot read it.
  package var watchState: WatchState? { folder.value(WatchState.self, in: WatchState.fileName) }

  /// Returns the branches of a bot's repository; nil if it cannot be read, so that it is unknown which are gone.
  ///
  /// - Parameters:
  ///   - repository: its location; nil or empty for where the bot last integrated.
  ///   - globs: the globs from the bot's file; nil without a file.
  package func branches(of bot: String, in repository: String?, asked globs: [String]?) -> KnownBranches? {
    // A repository at an address has a mirror, which is what the bot last integrated.
    let known = repository.flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let path = known ?? repositoryPath(of: bot),
      // Integrating from it reports what is wrong with it.
      let tips = try? Repository(at: path).tips(withTags: false)
    else { return nil }
    return KnownBranches(tips, asked: globs)
  }

  /// Returns the path of the repository that a bot last integrated; for a remote repository, that of its mirror.
  func repositoryPath(of bot: String) -> String? {
    integrations(of: bot).text(of: RunName.ownerFile)?.split(separator: "\n").first.map(String.init)
  }
}

extension Home {
  /// The folder for everybody who can reach the home.
  private static let openFolder = "site"

  /// The folders that only Martlet's user may enter.
  ///
  /// What Martlet writes there is private to that user, too. Items made by others (files of commits, products, files
  /// written by programs) keep their modes, which matter to those who get a copy.
  static let closedFolders = ["integrations", "workspaces", "toolchains"]

  /// Closes the home and everything in it except the site to other users of the machine.
  ///
  /// Earlier versions did not: others could read what is kept, and start any program there that runs with its owner's
  /// rights. The home can still be passed through if it could be before, so that a web server continues to serve the
  /// site.
  package func close() throws(IntegratingError) {
    try close(folder.path, leaving: 0o711)
    for name in folder.names() where name != Self.openFolder { try close(folder.file(name), leaving: 0o700) }
  }

  private func close(_ path: String, leaving mask: mode_t) throws(IntegratingError) {
    // A folder reached through a link is just as much part of the home; a folder of another user is not.
    guard let status = stat(path, followingLinks: true), status.st_uid == geteuid() else { return }
    let mode = status.st_mode & 0o7777
    guard mode & ~mask != 0, chmod(path, mode & mask) != 0, errno != ENOENT else { return }
    throw .storage("close", path, errno: errno)
  }
}
