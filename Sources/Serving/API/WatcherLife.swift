import FoundationEssentials
import Glibc
import Integrating

/// Whether a watcher runs on a home, told without touching the lock that it holds.
enum WatcherLife {
  /// The process whose number is in the lock's file has to hold it, as the kernel tells of its open files
  /// (https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html). Trying to take the lock could keep a watcher that is
  /// just starting from doing so, and the list of all locks, /proc/locks, is handed out in pieces: where others come and
  /// go in between, one may be passed over.
  static func isRunning(on home: String) -> Bool {
    let lock = "\(home)/watcher.lock"
    var status = stat()
    guard stat(lock, &status) == 0, let owner = lines(of: lock).first.flatMap({ pid_t($0) }) else { return false }
    let files = "/proc/\(owner)/fdinfo"
    return Folder(files).names().contains { name in
      lines(of: "\(files)/\(name)").contains { $0.hasPrefix("lock:") && isHeld($0, status.st_ino, status.st_dev) }
    }
  }

  private static func lines(of path: String) -> [Substring] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }

  /// Whether a line such as `lock: 1: FLOCK  ADVISORY  WRITE 708 fe:01:786452 0 EOF` is of a lock on the file.
  private static func isHeld(_ line: Substring, _ inode: ino_t, _ device: dev_t) -> Bool {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard words.count > 6, words[2] == "FLOCK" else { return false }
    let place = words[6].split(separator: ":")
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
