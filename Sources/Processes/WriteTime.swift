import Glibc

/// A file's modification time and inode, for detecting changes; zeros for one that does not exist.
package struct WriteTime: Equatable, Sendable {
  private var inode: ino_t = 0
  private var seconds = 0
  private var nanoseconds = 0

  package init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    (inode, seconds, nanoseconds) = (status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }

  package var description: String { "\(inode)-\(seconds)-\(nanoseconds)" }
}
