import Glibc

/// A lock that one process at a time can hold; the kernel releases it when the process ends, for whatever reason.
struct FileLock: ~Copyable {
  private let path: String
  private let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    // Closing the file may not release the lock: a program that is being started may briefly hold a copy.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Opens the lock's file, creating it if necessary; does not take the lock.
  static func open(_ path: String) throws(IntegratingError) -> FileLock {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .storage("lock", path, errno: errno) }
    return FileLock(path: path, descriptor: descriptor)
  }

  /// Takes the lock; returns false if another process holds it.
  func take() throws(IntegratingError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw .storage("lock", path, errno: errno) }
    return false
  }

  /// Whether the lock's file is still at its path; a lock on a file that was moved away protects nothing.
  var isInPlace: Bool {
    guard let mine = stat(descriptor), let found = stat(path) else { return false }
    return mine.st_dev == found.st_dev && mine.st_ino == found.st_ino
  }

  /// Takes the lock, waiting as long as another process holds it.
  func await() throws(IntegratingError) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .storage("lock", path, errno: errno) }
    }
  }
}
