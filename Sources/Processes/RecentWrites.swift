import Glibc

/// The files in a set of folders written since a certain time. Links are not followed and other disks are not entered.
///
/// The relevant time is that of the inode's last change, which no program can set.
struct RecentWrites {
  /// The depth limit, since each folder that is entered holds a descriptor.
  private static let deepest = 200

  private let folders: [String]
  private let since: timespec

  /// Starts tracking files from now on.
  init(in folders: [String]) {
    self.folders = folders
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // The kernel uses the time of its last tick, of which there are at least a hundred a second.
    let nanoseconds = now.tv_nsec - 10_000_000
    since = timespec(
      tv_sec: nanoseconds < 0 ? now.tv_sec - 1 : now.tv_sec,
      tv_nsec: nanoseconds < 0 ? nanoseconds + 1_000_000_000 : nanoseconds)
  }

  /// Returns the disk space used by the files, in bytes. Counting stops beyond a limit.
  func bytes(countingTo bound: Int) -> Int {
    var sum = 0
    walk(mending: false) { _, _, status in
      sum = sum.addingReportingOverflow(Int(status.st_blocks) * 512).partialValue
      return sum <= bound
    }
    return sum
  }

  /// Removes the files. Call this only when nothing writes there anymore. Files that cannot be removed remain.
  func remove() {
    walk(mending: true) { folder, name, _ in
      unlinkat(folder, name, 0)
      return true
    }
  }

  /// - Parameters:
  ///   - mending: Whether to restore the owner's access to folders that deny it.
  ///   - body: Receives the folder's descriptor, the file's name in it and its metadata. Returns false to end the walk.
  private func walk(mending: Bool, _ body: (Int32, [CChar], stat) -> Bool) {
    for folder in folders {
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      var top = stat()
      guard descriptor >= 0, fstat(descriptor, &top) == 0 else { continue }
      guard walk(descriptor, on: top.st_dev, depth: 0, mending: mending, body) else { return }
    }
  }

  /// Takes ownership of the descriptor.
  private func walk(
    _ descriptor: Int32, on disk: dev_t, depth: Int, mending: Bool, _ body: (Int32, [CChar], stat) -> Bool
  ) -> Bool {
    var goesOn = true
    Descriptor.eachName(closing: descriptor) { name in
      var status = stat()
      guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_dev == disk else { return true }
      if status.st_mode & S_IFMT != S_IFDIR {
        goesOn = !isNew(status) || body(descriptor, name, status)
      } else if depth < Self.deepest, let inner = enter(name, in: descriptor, mending: mending) {
        goesOn = walk(inner, on: disk, depth: depth + 1, mending: mending, body)
      }
      return goesOn
    }
    return goesOn
  }

  private func enter(_ name: [CChar], in folder: Int32, mending: Bool) -> Int32? {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    var inner = openat(folder, name, flags)
    if mending, inner < 0, errno == EACCES, fchmodat(folder, name, 0o700, AT_SYMLINK_NOFOLLOW) == 0 {
      inner = openat(folder, name, flags)
    }
    if mending, inner >= 0 { fchmod(inner, 0o700) }
    return inner < 0 ? nil : inner
  }

  private func isNew(_ status: stat) -> Bool {
    (status.st_ctim.tv_sec, status.st_ctim.tv_nsec) >= (since.tv_sec, since.tv_nsec)
  }
}
