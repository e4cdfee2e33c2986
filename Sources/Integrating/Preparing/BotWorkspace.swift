import Git
import Glibc
import Model
import Processes

/// The folder in which one bot builds what belongs together, held by one integration at a time: a branch's folder is
/// reused by the next integration, any other is removed with its integration.
struct BotWorkspace: ~Copyable {
  /// The checked-out tree, in a folder named after the bot, since SwiftPM names a package after its folder.
  let source: Folder
  /// A second checkout, in which nothing of the package was built or tested; in a folder of the same name.
  let release: Folder
  /// The home of contained programs other than tests; new for each integration.
  let home: Folder
  /// The folder for SwiftPM's caches; new for each of its runs.
  let caches: Folder
  /// The temporary files of contained programs other than tests; removed with the integration.
  let temporary: Folder
  /// Martlet's memory of the sources and of what was built from them; no contained program sees it.
  let state: Folder
  /// The folder for a build from scratch beside the existing one.
  let audit: Folder
  /// The folder of scratch folders.
  private let builds: Folder
  private let folder: Folder
  private let group: WorkspaceGroup
  private let lock: FileLock

  private init(_ folder: Folder, of group: WorkspaceGroup, bot: String, lock: consuming FileLock) {
    self.folder = folder
    self.group = group
    // Each has a base of its own: everything above it is Martlet's or the user's, links included.
    source = Folder(folder.folder("source").file(bot))
    release = Folder(folder.folder("release").file(bot))
    builds = Folder(folder.file("build"))
    home = Folder(folder.file("home"))
    caches = Folder(folder.file("caches"))
    temporary = Folder(folder.file("tmp"))
    audit = Folder(folder.file("audit"))
    state = Folder(folder.file("state"))
    self.lock = lock
  }

  /// How often the watcher may remove a workspace while it is being claimed.
  private static let mostAttempts = 10

  /// Creates the workspace of a group if necessary, and waits until no other integration holds it.
  ///
  /// - Parameter workspaces: the folder of the bot's workspaces.
  static func claim(
    _ group: WorkspaceGroup, of bot: String, in workspaces: Folder, cancellation: Cancellation,
    progress: ProgressHandler
  ) throws(IntegratingError) -> BotWorkspace {
    try removeAbandoned(in: workspaces)
    var attempts = 0
    while true {
      attempts += 1
      let folder = try place(of: group, in: workspaces)
      do throws(IntegratingError) {
        if let lock = try hold(folder, of: group, cancellation, progress) {
          return BotWorkspace(folder, of: group, bot: bot, lock: lock)
        }
      } catch {
        // A folder that the watcher removed in between is created again.
        guard error.kind == .service, attempts < mostAttempts, !folder.exists else { throw error }
      }
    }
  }

  /// Returns the folder of a group's workspace; a new one if the group is alone.
  private static func place(of group: WorkspaceGroup, in workspaces: Folder) throws(IntegratingError) -> Folder {
    switch group {
    case .branch(let name): return workspaces.folder(FileSystemName.workspace(of: name))
    case .alone:
      try workspaces.create()
      var number = 1
      while true {
        let folder = workspaces.folder("\(FileSystemName.aloneBeginning)\(number)")
        if mkdir(folder.path, 0o700) == 0 { return folder }
        guard errno == EEXIST else { throw .storage("create the folder", folder.path, errno: errno) }
        number += 1
      }
    }
  }

  /// Removes the workspaces of interrupted integrations that were alone.
  private static func removeAbandoned(in workspaces: Folder) throws(IntegratingError) {
    for name in workspaces.names() where name.hasPrefix(FileSystemName.aloneBeginning) {
      let folder = workspaces.folder(name)
      do throws(IntegratingError) {
        let lock = try FileLock.open(folder.file("lock"))
        if try lock.take(), lock.isInPlace { try folder.takeAway() }
      } catch {
        // Its own integration may have removed it meanwhile.
        guard !folder.exists else { throw error }
      }
    }
  }

  /// Waits for the lock of a workspace; returns nil if the workspace was removed meanwhile.
  private static func hold(
    _ folder: Folder, of group: WorkspaceGroup, _ cancellation: Cancellation, _ progress: ProgressHandler
  ) throws(IntegratingError) -> FileLock? {
    // Earlier versions kept a file among the workspaces, and a branch may have the same name.
    if stat(folder.path)?.isFile == true { unlink(folder.path) }
    try folder.create()
    let lock = try FileLock.open(folder.file("lock"))
    var told = false
    while try !lock.take() {
      if !told { progress(.waiting(workspace: folder.path)) }
      told = true
      if cancellation.wait(atMost: .milliseconds(100)) {
        throw IntegratingError(.canceled, "canceled while waiting for another integration in \(folder.path).")
      }
    }
    guard lock.isInPlace else { return nil }
    try give(folder, to: group)
    try folder.folder("source").create()
    return lock
  }

  /// Empties a workspace unless it has the mark of the group.
  private static func give(_ folder: Folder, to group: WorkspaceGroup) throws(IntegratingError) {
    let state = folder.folder("state")
    let mark = Array(group.mark.utf8)
    guard state.read("group") != mark else { return }
    for name in folder.names() where name != "lock" { try folder.folder(name).takeAway() }
    try state.create().write(mark, to: "group")
  }

  /// Removes the workspace if no other integration is to find it.
  func leave() {
    guard group == .alone else { return }
    // What cannot be removed now is removed when the next workspace is claimed.
    try? folder.takeAway()
  }

  /// What shares a scratch folder: the builds of one package of the repository for one build system and destination, so
  /// that none relies on what another left.
  struct BuildPlace {
    /// The folder of the package, relative to the repository.
    var package: String
    var system: BuildSystem
    /// The destination; nil for the leading one.
    var cell: String?
  }

  /// Returns SwiftPM's scratch folder; at a fixed path, because a moved one is rebuilt.
  func scratch(for place: BuildPlace) -> Folder { builds.folder(name(for: place)) }

  /// Returns the scratch folder of a package's release builds, which begin in an empty one.
  func releaseScratch(for package: String) -> Folder {
    Folder(builds.file("\(name(for: package))+release"))
  }

  /// Returns the modules folder of the builds in a scratch folder; beside it, where nothing can replace it with a link.
  func modules(for place: BuildPlace) -> Folder {
    Folder(folder.file("modules-\(name(for: place.package))\(ending(for: place.cell))"))
  }

  /// Returns the folder for SwiftPM's caches in runs of one purpose; each destination has its own, since several may be
  /// built at once.
  ///
  /// - Parameter cell: the destination; nil for the leading one.
  func caches(for purpose: Purpose, of cell: String?) -> Folder {
    caches.folder("\(purpose.rawValue)\(ending(for: cell))")
  }

  /// Returns the folders of a destination's tests in one integration; removed with it.
  ///
  /// - Parameter cell: the destination; nil for the leading one.
  func tests(of cell: String?) -> TestFolders {
    TestFolders(Folder(folder.file("\(Self.testsName)\(ending(for: cell))")))
  }

  private static let testsName = "tests"

  /// Returns the folder in which Martlet remembers things about a scratch folder.
  func memory(for place: BuildPlace) -> Folder { state.folder("builds").folder(name(for: place)) }

  /// Removes what was built for destinations that a bot no longer has.
  ///
  /// - Parameter cells: the current destinations, except the leading one.
  func removeCells(besides cells: [String]) throws(IntegratingError) {
    let kept = Set(cells.map { ending(for: $0).dropFirst() })
    for parent in [builds, state.folder("builds"), folder] {
      for name in parent.names() {
        guard let mark = name.lastIndex(of: Self.cellMark), !kept.contains(name[name.index(after: mark)...]) else {
          continue
        }
        try Folder(parent.file(name)).takeAway()
      }
    }
  }

  /// Returns the folder in which a difference waits for the next integration to report it.
  func findings(for package: String) -> Folder { state.folder("findings").folder(name(for: package)) }

  /// The character before the name of a destination, which no other name in these folders contains.
  private static let cellMark: Character = "@"

  private func ending(for cell: String?) -> String {
    cell.map { "\(Self.cellMark)\(FileSystemName.fingerprint($0))" } ?? ""
  }

  private func name(for place: BuildPlace) -> String {
    let system = place.system == .native ? "" : "+\(place.system.rawValue)"
    return name(for: place.package) + system + ending(for: place.cell)
  }

  private func name(for package: String) -> String {
    package == "." ? "root" : "package-\(FileSystemName.encode(package))"
  }

  /// The workspace in the form that the target `Git` expects.
  var checkout: Workspace { Workspace(folder: source.path, state: state.folder("checkout").path) }

  /// The same for `release`, in which nothing stays that the commit does not have.
  var releaseCheckout: Workspace {
    var checkout = Workspace(folder: release.path, state: state.folder("release-checkout").path)
    checkout.keepsIgnored = false
    return checkout
  }

  /// Removes what does not outlive an integration.
  func removePassing() throws(IntegratingError) {
    for name in folder.names() where name.prefix(while: { $0 != Self.cellMark }) == Self.testsName {
      try Folder(folder.file(name)).takeAway()
    }
    try temporary.takeAway()
  }
}
