import Glibc

/// When a file was written, as far as a change can be told by it.
package struct WriteTime: Equatable, Sendable {
  private var inode: ino_t = 0
  private var seconds = 0
  private var nanoseconds = 0

  /// Of a file that is not there.
  package init() {}

  package init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    (inode, seconds, nanoseconds) = (status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }

  package var description: String { "\(inode)-\(seconds)-\(nanoseconds)" }
}
