import Glibc

/// Whether a watcher runs on a home, told without touching the lock that it holds.
enum WatcherLife {
  /// The kernel lists who holds which lock (https://man7.org/linux/man-pages/man5/proc_locks.5.html); trying to take it could
  /// keep a watcher that is just starting from doing so.
  static func isRunning(on home: String) -> Bool {
    var status = stat()
    guard stat("\(home)/watcher.lock", &status) == 0, let locks = fopen("/proc/locks", "re") else { return false }
    defer { fclose(locks) }
    var (line, capacity) = (UnsafeMutablePointer<CChar>?.none, 0)
    defer { free(line) }
    while getline(&line, &capacity, locks) > 0, let text = line {
      if isHeld(String(cString: text), status.st_ino, status.st_dev) { return true }
    }
    return false
  }

  /// Whether a line such as `1: FLOCK  ADVISORY  WRITE 708 fe:01:786452 0 EOF` is of a lock on the file.
  static func isHeld(_ line: String, _ inode: ino_t, _ device: dev_t) -> Bool {
    let words = line.split(separator: " ")
    guard words.count > 5, words[1] == "FLOCK" else { return false }
    let place = words[5].split(separator: ":")
    guard place.count == 3, let major = UInt32(place[0], radix: 16), let minor = UInt32(place[1], radix: 16) else {
      return false
    }
    // As the C library takes a device's number apart.
    let ownMajor = UInt32((device >> 8) & 0xFFF | (device >> 32) & ~0xFFF)
    let ownMinor = UInt32(device & 0xFF | (device >> 12) & ~0xFF)
    // Some file systems have another device in the list than in their files; the inode is telling enough.
    return ino_t(place[2]) == inode && ((major, minor) == (ownMajor, ownMinor) || major == 0)
  }
}
