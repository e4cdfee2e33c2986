import Foundation
import Synchronization

/// The end of the folders that tests work in.
package enum ScratchRemoval {
  /// The variable that keeps them for a look, whatever its value.
  package static let keeping = "MARTLET_KEEP_SCRATCH"

  /// Those that go at the end of the process; nil until there is one.
  private static let waiting = Mutex<[String]?>(nil)

  /// Removes a folder with all that is in it, unless somebody wants to look at it; one that resists harms nobody.
  package static func remove(_ path: String) {
    guard ProcessInfo.processInfo.environment[keeping] == nil else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes a folder at the end of the process. For small ones this is quicker than at once: where files were deleted
  /// in the last minutes, ext4 looks long for the place of a new one
  /// (https://github.com/torvalds/linux/blob/v6.6/fs/ext4/ialloc.c, `recently_deleted`).
  package static func removeAtEnd(_ path: String) {
    let isFirst = waiting.withLock { waiting in
      defer { waiting = (waiting ?? []) + [path] }
      return waiting == nil
    }
    if isFirst { atexit { ScratchRemoval.waiting.withLock { $0 ?? [] }.forEach(ScratchRemoval.remove) } }
  }
}
