import Glibc

/// The kernel's notifications of changes in folders: https://man7.org/linux/man-pages/man7/inotify.7.html.
struct Inotify: ~Copyable {
  struct Event: Hashable {
    /// The number of the watch, or -1 if events were lost.
    var watch: Int32
    var mask: UInt32
    /// The name of the file in the folder; empty for the folder itself. Broken UTF-8 is repaired.
    var name: String

    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    /// Whether the watch was removed along with its folder.
    var isGone: Bool { mask & UInt32(IN_IGNORED) != 0 }
    /// Whether the folder was moved, so that the watch now reports on the wrong path.
    var isMoved: Bool { mask & UInt32(IN_MOVE_SELF) != 0 }
  }

  /// The reason a folder cannot be watched.
  enum Refusal: Error, Hashable {
    /// There is no such folder.
    case missing
    /// The user's limit on watches has been reached.
    case limit
    case other(Int32)
  }

  let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  init() throws(WatchingError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    if descriptor < 0 { throw .start(errno: errno) }
  }

  deinit { close(descriptor) }

  /// All events that can change a folder's entries or the contents of its files.
  static let changes = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// The event of a file that is renamed into a folder.
  static let arrivals = UInt32(IN_MOVED_TO | IN_ONLYDIR)

  /// The events of a folder that goes away or is moved.
  static let moves = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// Watches a folder. A folder that is already watched keeps its number, and the events for which it is watched.
  func add(_ folder: String, for events: UInt32 = changes) throws(Refusal) -> Int32 {
    let watch = inotify_add_watch(descriptor, folder, events | UInt32(IN_MASK_ADD))
    if watch >= 0 { return watch }
    switch errno {
    case ENOENT, ENOTDIR: throw .missing
    case ENOSPC: throw .limit
    default: throw .other(errno)
    }
  }

  /// Removes a watch if it still exists.
  func remove(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor, watch)
  }

  /// Reads all pending events without waiting.
  mutating func read() -> [Event] {
    var events: [Event] = []
    while true {
      let descriptor = self.descriptor
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return events }
      buffer.withUnsafeBytes { Self.parse(UnsafeRawBufferPointer(rebasing: $0[..<count]), into: &events) }
    }
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [Event]) {
    let header = MemoryLayout<inotify_event>.size
    var start = 0
    while start + header <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
      let end = min(start + header + Int(event.len), bytes.count)
      let name = bytes[(start + header)..<end].prefix { $0 != 0 }
      events.append(Event(watch: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
      start = end
    }
  }
}
