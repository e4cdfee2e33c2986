import Glibc

/// How many files this process may have open.
package enum OpenFiles {
  /// As many as connections need, each with a file; what the machine allows at most where that is less.
  package static func allowMany() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 8192)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
