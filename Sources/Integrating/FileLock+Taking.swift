import Glibc
import Processes

extension FileLock {
  /// Opens the lock's file, creating it if necessary; does not take the lock.
  static func open(_ path: String) throws(IntegratingError) -> FileLock {
    guard let lock = FileLock(path) else { throw .storage("lock", path, errno: errno) }
    return lock
  }

  /// Takes the lock; returns false if another process holds it.
  func take() throws(IntegratingError) -> Bool {
    let number = take(waiting: false)
    guard number == 0 || number == EWOULDBLOCK else { throw .storage("lock", path, errno: number) }
    return number == 0
  }

  /// Takes the lock, waiting as long as another process holds it.
  func await() throws(IntegratingError) {
    let number = take(waiting: true)
    guard number == 0 else { throw .storage("lock", path, errno: number) }
  }

  /// Whether the lock's file is still at its path; a lock on a file that was moved away protects nothing.
  var isInPlace: Bool {
    guard let mine = stat(descriptor), let found = stat(path) else { return false }
    return mine.st_dev == found.st_dev && mine.st_ino == found.st_ino
  }
}
