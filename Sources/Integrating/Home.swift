import FoundationEssentials
import Glibc
import Model

/// Martlet's home: the folder that holds workspaces, integrations and the site.
package struct Home: Sendable {
  package let folder: Folder

  package init(_ path: String) {
    folder = Folder(path)
  }

  /// The home that the options and the environment name: `--home`, `MARTLET_HOME`, or the XDG state folder.
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

  /// Creates the home and proves that it can be written to.
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

  /// Refuses a home that everybody on the machine may write to; none at all is fine.
  package func requirePrivate() throws(IntegratingError) {
    var status = stat()
    guard stat(folder.path, &status) == 0, status.st_mode & S_IWOTH != 0 else { return }
    throw IntegratingError(
      .service,
      "cannot use the home \(folder.path): everybody on this machine may write to it, and so change what is built and told. Run: chmod o-w \(RepeatCommand.quoted(folder.path))"
    )
  }

  package func integrations(of bot: String) -> Folder {
    Folder(folder.folder("integrations").file(bot))
  }
  package func workspaces(of bot: String) -> Folder { folder.folder("workspaces").folder(bot) }
  package func site(of bot: String) -> Folder { folder.folder("site").folder(bot) }
}

extension Home {
  /// Creates the folder of an integration at its place, or at the next number of a bot.
  func createIntegration(_ place: IntegrationRequest.Place?, of bot: String, repository: String)
    throws(IntegratingError) -> (number: Int, folder: Folder)
  {
    guard let place else { return try createIntegration(of: bot) }
    return (place.number, try createIntegration(place, of: repository))
  }

  /// Creates the folder of an integration whose bot and number are given.
  ///
  /// The bot owns its name from then on: one-shot runs of other repositories get another. What a process that was cut
  /// off left under the number goes.
  /// - Throws: when the integration is finished, since finished ones are never changed.
  package func createIntegration(_ place: IntegrationRequest.Place, of commonPath: String)
    throws(IntegratingError) -> Folder
  {
    let all = integrations(of: place.bot)
    try all.create()
    let owner = Array("\(commonPath)\n".utf8)
    if all.read("repository") != owner { try all.write(owner, to: "repository") }
    if !all.holds(RunName.botMark) { try all.write([], to: RunName.botMark) }
    let folder = all.folder(String(place.number))
    guard !folder.holds(StoredIntegration.fileName) else {
      throw IntegratingError(
        .service,
        "cannot carry out \(place.bot) \(place.number): it is finished, in \(folder.path). Integrate the commit under a new number."
      )
    }
    try folder.remove()
    return try folder.create()
  }

  /// Creates the folder of the next integration of a bot; the highest number there is plus one.
  ///
  /// A number is not given anew while the site has a page for it, be it only one that says that the report was removed.
  package func createIntegration(of bot: String) throws(IntegratingError) -> (number: Int, folder: Folder) {
    let all = integrations(of: bot)
    try all.create()
    var number = ((all.names() + site(of: bot).names()).compactMap(Int.init).max() ?? 0) + 1
    while true {
      let folder = all.folder(String(number))
      if mkdir(folder.path, 0o755) == 0 { return (number, folder) }
      guard errno == EEXIST else { throw .storage("create the folder", folder.path, errno: errno) }
      number += 1
    }
  }
}

extension Home {
  /// What the results and the report of an integration take on the disk.
  package func bytes(of bot: String, _ number: Int) -> Int {
    [integrations(of: bot).folder(String(number)), site(of: bot).folder(String(number))]
      .reduce(0) { sum, folder in
        // A file that goes meanwhile takes nothing.
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return paths.reduce(sum) { sum, path in
          var status = stat()
          guard lstat(folder.file(path), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return sum }
          return sum + Int(status.st_blocks) * 512
        }
      }
  }
}
