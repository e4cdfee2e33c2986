import Glibc

/// Why Martlet cannot look at what happens in the file system, in words that say what to do next.
package struct WatchingError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }

  static func start(errno number: Int32) -> WatchingError {
    let limit = "Raise it with `sysctl fs.inotify.max_user_instances=512`."
    let next = number == EMFILE ? limit : "Look at the system's log."
    return WatchingError("Cannot start watching folders: \(reason(of: number)). \(next)")
  }

  /// What an error number means, written into the thread's own buffer.
  static func reason(of number: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return "error \(number)" }
      start.pointee = 0
      return strerror_r(number, start, buffer.count) == 0 ? String(cString: start) : "error \(number)"
    }
  }
}
