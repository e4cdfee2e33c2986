import Git
import Glibc
import Processes

/// The folder in which one bot builds one branch, reused from one integration to the next, held by one at a time.
struct BotWorkspace: ~Copyable {
  /// The checked-out tree.
  let source: Folder
  /// SwiftPM's scratch folder; at a fixed path, because a moved one is rebuilt.
  let scratch: Folder
  /// What Martlet remembers about the two.
  let state: Folder
  private let lock: Int32

  /// Creates the workspace when it is not there, and waits until no other integration holds it.
  init(_ folder: Folder, integrator: Integrator) throws(IntegratingError) {
    source = folder.folder("source")
    scratch = folder.folder("build")
    state = try folder.folder("state").create()
    let path = folder.file("lock")
    lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lock >= 0 else { throw .storage("lock", path, errno: errno) }
    var told = false
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw .storage("lock", path, errno: errno) }
      if !told { integrator.progress(.waiting(workspace: folder.path)) }
      told = true
      if integrator.cancellation.wait(atMost: .milliseconds(100)) {
        throw IntegratingError(.canceled, "canceled while waiting for another integration in \(folder.path).")
      }
    }
  }

  deinit {
    // The kernel lets go of the lock with the descriptor, also when the process is killed.
    close(lock)
  }

  /// The workspace as target `Git` wants it.
  var checkout: Workspace { Workspace(folder: source.path, state: state.folder("checkout").path) }
}
