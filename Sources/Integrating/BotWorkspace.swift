import Git
import Processes

/// The folder in which one bot builds one branch, reused from one integration to the next, held by one at a time.
struct BotWorkspace: ~Copyable {
  /// The checked-out tree, in a folder of the bot's name, since SwiftPM calls a package by its folder.
  let source: Folder
  /// What contained programs have as their home, with SwiftPM's caches.
  let home: Folder
  /// What contained programs have for temporary files.
  let temporary: Folder
  /// What Martlet remembers about the sources and what was built of them; no contained program sees it.
  let state: Folder
  /// The folder of scratch folders.
  private let builds: Folder
  private let lock: FileLock

  private init(_ folder: Folder, bot: String, lock: consuming FileLock) {
    // Each begins a way of its own: what lies above them is Martlet's or the user's, links included.
    source = Folder(folder.folder("source").file(bot))
    builds = Folder(folder.file("build"))
    home = Folder(folder.file("home"))
    temporary = Folder(folder.file("tmp"))
    state = Folder(folder.file("state"))
    self.lock = lock
  }

  /// Creates the workspace when it is not there, and waits until no other integration holds it.
  static func claim(_ folder: Folder, of bot: String, for integrator: Integrator) throws(IntegratingError)
    -> BotWorkspace
  {
    try folder.folder("state").create()
    try folder.folder("source").create()
    let lock = try FileLock.open(folder.file("lock"))
    var told = false
    while try !lock.take() {
      if !told { integrator.progress(.waiting(workspace: folder.path)) }
      told = true
      if integrator.cancellation.wait(atMost: .milliseconds(100)) {
        throw IntegratingError(.canceled, "canceled while waiting for another integration in \(folder.path).")
      }
    }
    return BotWorkspace(folder, bot: bot, lock: lock)
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
}
