import Glibc

enum DiskRoom {
  /// Returns the number of bytes that can still be written to the disk of a path; nil if that cannot be determined.
  static func free(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
