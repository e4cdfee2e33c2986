import Glibc

/// The watcher's exclusive claim to its home.
struct HomeLock: ~Copyable {
  private let file: LockFile

  /// The most steps of 20 ms to wait for a dead watcher's remains.
  private static let mostSteps = 250

  /// Takes the lock and writes this process's ID into it.
  ///
  /// A process that a killed watcher was just starting holds the lock until it executes its program; this waits for it
  /// for at most 5 s.
  ///
  /// - Parameter isWatcher: Whether a watcher is being started; if not, something that no watcher may see.
  /// - Throws: A `request` error that names the other watcher if there is one.
  init(_ home: WatchHome, isWatcher: Bool = true) throws(KeepingError) {
    guard let file = LockFile(home.lock) else { throw .system("open", home.lock, errno: errno) }
    let descriptor = file.descriptor
    var (number, steps) = (file.take(), 0)
    while number == EWOULDBLOCK, steps < Self.mostSteps, !Self.ownerLives(descriptor) {
      usleep(20_000)
      (number, steps) = (file.take(), steps + 1)
    }
    guard number == 0 else {
      guard number == EWOULDBLOCK else { throw .system("lock", home.lock, errno: number) }
      throw KeepingError(
        .request,
        "\(isWatcher ? "Another" : "A") watcher uses the home \(home.path): process \(Self.owner(descriptor) ?? "of unknown number"). "
          + (isWatcher ? "Stop it, or use another --home." : "Stop it, then run this again.")
      )
    }
    let text = Array("\(getpid())\n".utf8)
    // The number only lets the next watcher report which process was first; the lock holds without it.
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    self.file = file
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
