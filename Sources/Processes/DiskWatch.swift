import Glibc

/// The disk space that a run's files may use in the folders it can write.
package struct DiskLimit: Hashable, Sendable {
  /// Folders on a single disk. Files that the run writes there are removed if the limit is exceeded.
  package var folders: [String]
  /// The limit in bytes. If nil, all the space free at the start except a tenth or a gigabyte, whichever is more. A
  /// disk with less than four gigabytes free may fill up through no fault of the run, so then there is no limit.
  package var bytes: Int?

  package init(folders: [String], bytes: Int? = nil) {
    self.folders = folders
    self.bytes = bytes
  }

  /// Returns the bytes that are free on the disk of a folder; nil where that cannot be told.
  package static func free(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}

/// A monitor of how much of a disk a run uses.
///
/// Querying the free space costs almost nothing. The run's files are counted only when so much is missing that the run
/// may have exceeded its limit, because others write to the disk as well.
struct DiskWatch {
  private let files: RecentWrites
  private let place: String
  private let limit: Int
  /// The number of free bytes below which the files are counted.
  private var mark: Int

  /// Nil if there is no limit or the disk cannot be queried.
  init?(_ limit: DiskLimit) {
    guard let place = limit.folders.first, let free = DiskLimit.free(at: place) else { return nil }
    guard let bytes = limit.bytes ?? Self.share(of: free) else { return nil }
    files = RecentWrites(in: limit.folders)
    self.place = place
    self.limit = bytes
    mark = free - bytes
  }

  /// Returns the limit if the run has exceeded it, otherwise nil.
  mutating func excess() -> Int? {
    guard let free = DiskLimit.free(at: place), free < mark else { return nil }
    if files.bytes(countingTo: limit) > limit { return limit }
    // Another process used the space; there is no reason to count again until much more is gone.
    mark = free - max(limit / 10, 1 << 20)
    return nil
  }

  /// Removes everything the run wrote. None of its processes may still be running.
  func clear() { files.remove() }

  private static func share(of free: Int) -> Int? {
    free < 4_000_000_000 ? nil : free - max(free / 10, 1_000_000_000)
  }
}
