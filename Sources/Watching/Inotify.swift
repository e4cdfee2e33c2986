import Glibc

/// The kernel's word on changes in folders: https://man7.org/linux/man-pages/man7/inotify.7.html.
struct Inotify: ~Copyable {
  /// One thing that happened in a folder.
  struct Event: Hashable {
    /// The number of the watch; -1 when events were lost.
    var watch: Int32
    var mask: UInt32
    /// The name of the file in the folder, empty for the folder itself. Broken UTF-8 is mended.
    var name: String

    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    /// Whether the watch has gone with its folder.
    var isGone: Bool { mask & UInt32(IN_IGNORED) != 0 }
    /// Whether the folder has another name now, so that the watch tells of the wrong place.
    var isMoved: Bool { mask & UInt32(IN_MOVE_SELF) != 0 }
  }

  /// Why a folder is not watched.
  enum Refusal: Error, Hashable {
    /// There is no such folder.
    case missing
    /// The user's number of watches is used up.
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

  /// Everything that can change what names stand in a folder or what is in its files.
  static let changes = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// Watches a folder; a folder that is watched already keeps its number.
  func add(_ folder: String) throws(Refusal) -> Int32 {
    let watch = inotify_add_watch(descriptor, folder, Self.changes)
    if watch >= 0 { return watch }
    switch errno {
    case ENOENT, ENOTDIR: throw .missing
    case ENOSPC: throw .limit
    default: throw .other(errno)
    }
  }

  /// Ends a watch; one that has gone already is fine.
  func remove(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor, watch)
  }

  /// Takes all events that are there, without waiting.
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
