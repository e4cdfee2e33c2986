import Glibc
import Model

/// An error from watching the file system, whose text includes what to do next.
package struct WatchingError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }

  static func start(errno number: Int32) -> WatchingError {
    let limit = "Raise it with `sysctl fs.inotify.max_user_instances=512`."
    let next = number == EMFILE ? limit : "Look at the system's log."
    return WatchingError("Cannot start watching folders: \(SystemReason.words(of: number)). \(next)")
  }
}
