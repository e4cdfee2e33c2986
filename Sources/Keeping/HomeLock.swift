import Glibc

/// The watcher's exclusive claim to its home. The kernel releases the lock when the process ends, however it ends.
struct HomeLock: ~Copyable {
  private let descriptor: Int32

  /// The most steps of 20 ms to wait for a dead watcher's remains.
  private static let mostSteps = 250

  /// Takes the lock and writes this process's ID into it.
  ///
  /// A process that a killed watcher was just starting holds the lock until it executes its program; this waits for it
  /// for at most 5 s.
  ///
  /// - Throws: A `request` error that names the other watcher if there is one.
  init(_ home: WatchHome) throws(KeepingError) {
    let descriptor = open(home.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system("open", home.lock, errno: errno) }
    var (number, steps) = (Self.take(descriptor), 0)
    while number == EWOULDBLOCK, steps < Self.mostSteps, !Self.ownerLives(descriptor) {
      usleep(20_000)
      (number, steps) = (Self.take(descriptor), steps + 1)
    }
    guard number == 0 else {
      defer { close(descriptor) }
      guard number == EWOULDBLOCK else { throw .system("lock", home.lock, errno: number) }
      throw KeepingError(
        .request,
        "Another watcher uses the home \(home.path): process \(Self.owner(descriptor) ?? "of unknown number"). "
          + "Stop it, or use another --home."
      )
    }
    self.descriptor = descriptor
    let text = Array("\(getpid())\n".utf8)
    // The number only lets the next watcher report which process was first; the lock holds without it.
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
  }

  deinit {
    // Not left to closing the descriptor: a program that is just being started may hold a copy for a moment.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Returns 0, or the reason the lock is unavailable.
  private static func take(_ descriptor: Int32) -> Int32 {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
  }

  /// Returns whether the process that wrote its ID is alive. One that has yet to write it is waited for too.
  private static func ownerLives(_ descriptor: Int32) -> Bool {
    guard let owner = owner(descriptor).flatMap(pid_t.init), owner > 0 else { return false }
    return kill(owner, 0) == 0 || errno != ESRCH
  }

  private static func owner(_ descriptor: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let digits = buffer.prefix(max(0, count)).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
  }
}
