import Glibc

/// How much of a disk the files of a run may take, in the folders that it can write.
package struct DiskLimit: Hashable, Sendable {
  /// They lie on one disk; what the run writes there is removed where it is too much.
  package var folders: [String]
  /// Bytes; nil for all that the disk has free at the start but a tenth, or but a gigabyte where that is more. A disk that
  /// has less than four gigabytes may be full without anybody's having taken too much, so that there is no limit then.
  package var bytes: Int?

  package init(folders: [String], bytes: Int? = nil) {
    self.folders = folders
    self.bytes = bytes
  }
}

/// Watches how much of a disk a run takes.
///
/// Asking the disk how much is free costs next to nothing; only where so much is missing that the run may have written
/// too much, its files are counted, since others write to the disk as well.
struct DiskWatch {
  private let files: RecentWrites
  private let place: String
  private let limit: Int
  /// The free bytes below which the files are counted.
  private var mark: Int

  /// Nil where there is no limit, or the disk cannot be asked.
  init?(_ limit: DiskLimit) {
    guard let place = limit.folders.first, let free = Self.free(at: place) else { return nil }
    guard let bytes = limit.bytes ?? Self.share(of: free) else { return nil }
    files = RecentWrites(in: limit.folders)
    self.place = place
    self.limit = bytes
    mark = free - bytes
  }

  /// Whether the run has written more than it may; says how much that is.
  mutating func excess() -> Int? {
    guard let free = Self.free(at: place), free < mark else { return nil }
    if files.bytes(countingTo: limit) > limit { return limit }
    // It was somebody else; until much more is gone there is no reason to count again.
    mark = free - max(limit / 10, 1 << 20)
    return nil
  }

  /// Removes what the run wrote; nothing of it may be running.
  func clear() { files.remove() }

  private static func share(of free: Int) -> Int? {
    free < 4_000_000_000 ? nil : free - max(free / 10, 1_000_000_000)
  }

  private static func free(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
