import Glibc

/// How much a disk still takes.
enum DiskRoom {
  /// The bytes that may still be written to the disk that a path lies on; nil when it cannot be asked.
  static func free(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
