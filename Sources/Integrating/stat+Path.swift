import Glibc

extension stat {
  /// What the kernel tells of the item at a path; nil, with the reason in `errno`, if there is none.
  ///
  /// - Parameter follows: whether a link counts as what it leads to.
  init?(_ path: String, followingLinks follows: Bool = false) {
    self.init()
    guard fstatat(AT_FDCWD, path, &self, follows ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
  }

  /// What the kernel tells of an open file.
  init?(_ descriptor: Int32) {
    self.init()
    guard fstat(descriptor, &self) == 0 else { return nil }
  }

  var isFile: Bool { st_mode & S_IFMT == S_IFREG }
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}

extension timespec {
  /// The time as text, for telling versions of a file apart.
  var text: String { "\(tv_sec).\(tv_nsec)" }
}
