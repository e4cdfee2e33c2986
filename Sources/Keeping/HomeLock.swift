import Glibc

/// The watcher's claim to its home: while it stands, no other watcher uses the home. The kernel takes it back with the
/// process, however that ends.
struct HomeLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock and writes this process's id into it.
  ///
  /// - Throws: a `request` error that names the other watcher when there is one.
  init(_ home: WatchHome) throws(KeepingError) {
    let descriptor = open(home.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw .system("open", home.lock, errno: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      defer { close(descriptor) }
      guard number == EWOULDBLOCK else { throw .system("lock", home.lock, errno: number) }
      throw KeepingError(
        .request,
        "Another watcher uses the home \(home.path): process \(Self.owner(descriptor)). Stop it, or use another --home."
      )
    }
    self.descriptor = descriptor
    let text = Array("\(getpid())\n".utf8)
    // The number only helps the next one to say who was first; the lock holds without it.
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
  }

  deinit {
    // Not left to the closing: a program that is just being started may hold a copy for a moment.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func owner(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let digits = buffer.prefix(max(0, count)).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    return digits.isEmpty ? "of unknown number" : String(decoding: digits, as: UTF8.self)
  }
}
