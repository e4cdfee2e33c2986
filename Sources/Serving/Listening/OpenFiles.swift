import Glibc

/// The number of files that this process may have open.
package enum OpenFiles {
  /// Raises the limit to what connections with a file each need, or to the machine's maximum if that is lower.
  package static func allowMany() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 8192)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
