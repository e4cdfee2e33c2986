import Glibc

/// A lock that one process at a time can hold; the kernel lets go of it with the process, however that ends.
struct FileLock: ~Copyable {
  private let path: String
  private let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    // Not left to the closing: a program that is just being started may hold a copy for a moment.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Opens the lock's file, creating it when it is not there; the lock is not taken yet.
  static func open(_ path: String) throws(IntegratingError) -> FileLock {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .storage("lock", path, errno: errno) }
    return FileLock(path: path, descriptor: descriptor)
  }

  /// Takes the lock; false when another process holds it.
  func take() throws(IntegratingError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK || errno == EINTR else { throw .storage("lock", path, errno: errno) }
    return false
  }

  /// Whether the lock's file is still at its path: who takes one that was moved away holds nothing.
  var isInPlace: Bool {
    var (mine, found) = (stat(), stat())
    guard fstat(descriptor, &mine) == 0, lstat(path, &found) == 0 else { return false }
    return mine.st_dev == found.st_dev && mine.st_ino == found.st_ino
  }

  /// Takes the lock, however long another process holds it.
  func await() throws(IntegratingError) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .storage("lock", path, errno: errno) }
    }
  }
}
