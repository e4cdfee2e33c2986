import Glibc
import Processes

/// The lock of a workspace or mirror, held while building or fetching in it.
struct WorkspaceLock: ~Copyable {
  private let file: FileLock

  /// Takes the lock of a workspace; nil if it is in use or gone.
  init?(_ folder: String) throws(KeepingError) {
    let path = "\(folder)/lock"
    guard let file = FileLock(path) else {
      if errno == ENOENT { return nil }
      throw .system("lock", path, errno: errno)
    }
    let number = file.take(waiting: false)
    if number == EWOULDBLOCK { return nil }
    if number != 0 { throw .system("lock", path, errno: number) }
    self.file = file
  }

  /// Returns whether a workspace is in use. Leaves no traces.
  static func isHeld(_ folder: String) -> Bool {
    let descriptor = open("\(folder)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
    flock(descriptor, LOCK_UN)
    return false
  }
}

/// The watcher's exclusive claim to its home.
struct HomeLock: ~Copyable {
  private let file: FileLock

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
    guard let file = FileLock(home.lock) else { throw .system("open", home.lock, errno: errno) }
    let descriptor = file.descriptor
    var (number, steps) = (file.take(waiting: false), 0)
    while number == EWOULDBLOCK, steps < Self.mostSteps, !Self.ownerLives(descriptor) {
      usleep(20_000)
      (number, steps) = (file.take(waiting: false), steps + 1)
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
    owner(descriptor).flatMap { ProcessNumber($0) }?.isGone == false
  }

  private static func owner(_ descriptor: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let digits = buffer.prefix(max(0, count)).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
  }
}
