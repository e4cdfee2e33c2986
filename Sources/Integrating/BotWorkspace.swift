import Git
import Glibc
import Model
import Processes

/// The folder in which one bot builds one branch, reused from one integration to the next, held by one at a time.
struct BotWorkspace: ~Copyable {
  /// The checked-out tree, in a folder of the bot's name, since SwiftPM calls a package by its folder.
  let source: Folder
  /// The commit's files once more, where nothing of the package was built or tested; a folder of the same name.
  let release: Folder
  /// What contained programs but tests have as their home, with SwiftPM's caches.
  let home: Folder
  /// What contained programs but tests have for temporary files; gone with the integration.
  let temporary: Folder
  /// What the tests of one integration have for themselves; gone with it.
  let tests: TestFolders
  /// What Martlet remembers about the sources and what was built of them; no contained program sees it.
  let state: Folder
  /// The folder of scratch folders.
  private let builds: Folder
  private let lock: FileLock

  private init(_ folder: Folder, bot: String, lock: consuming FileLock) {
    // Each begins a way of its own: what lies above them is Martlet's or the user's, links included.
    source = Folder(folder.folder("source").file(bot))
    release = Folder(folder.folder("release").file(bot))
    builds = Folder(folder.file("build"))
    home = Folder(folder.file("home"))
    temporary = Folder(folder.file("tmp"))
    tests = TestFolders(Folder(folder.file("tests")))
    state = Folder(folder.file("state"))
    self.lock = lock
  }

  /// How often a workspace may be removed by the watcher while it is claimed.
  private static let mostAttempts = 10

  /// Creates the workspace when it is not there, and waits until no other integration holds it.
  static func claim(
    _ folder: Folder, of bot: String, cancellation: Cancellation, progress: ProgressHandler
  ) throws(IntegratingError) -> BotWorkspace {
    var attempts = 0
    while true {
      attempts += 1
      do throws(IntegratingError) {
        if let lock = try hold(folder, cancellation, progress) {
          return BotWorkspace(folder, bot: bot, lock: lock)
        }
      } catch {
        // What the watcher removed in between is made anew.
        guard error.kind == .service, attempts < mostAttempts, !folder.exists else { throw error }
      }
    }
  }

  /// Waits for the lock of a workspace; nil when the workspace was removed meanwhile.
  private static func hold(
    _ folder: Folder, _ cancellation: Cancellation, _ progress: ProgressHandler
  ) throws(IntegratingError) -> FileLock? {
    var status = stat()
    // Earlier versions kept a file among the lanes, which a branch may be called like.
    if lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { unlink(folder.path) }
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
    try folder.folder("state").create()
    try folder.folder("source").create()
    return lock
  }

  /// SwiftPM's scratch folder for a package of the repository; at a fixed path, because a moved one is rebuilt.
  func scratch(for package: String) -> Folder { builds.folder(name(for: package)) }

  /// The scratch folder of a package's release builds, which begin in an empty one.
  func releaseScratch(for package: String) -> Folder {
    Folder(builds.file("\(name(for: package))+release"))
  }

  /// Where Martlet remembers things about a scratch folder.
  func memory(for package: String) -> Folder { state.folder("builds").folder(name(for: package)) }

  private func name(for package: String) -> String {
    package == "." ? "root" : "package-\(FileSystemName.encode(package))"
  }

  /// The workspace as target `Git` wants it.
  var checkout: Workspace { Workspace(folder: source.path, state: state.folder("checkout").path) }

  /// The same for `release`, where nothing stays that the commit does not have.
  var releaseCheckout: Workspace {
    var checkout = Workspace(folder: release.path, state: state.folder("release-checkout").path)
    checkout.keepsIgnored = false
    return checkout
  }

  /// Removes what goes with an integration.
  func removePassing() throws(IntegratingError) {
    try tests.root.takeAway()
    try temporary.takeAway()
  }
}
