import Glibc

/// A file that only this user can access.
package enum PrivateFile {
  /// The error number of what failed.
  package struct Failure: Error {
    package let number: Int32
  }

  /// Writes a temporary file and renames it into place, so that a reader sees either the old or the new bytes.
  ///
  /// - Parameter isSynced: Whether the bytes are on the disk before they are in place.
  package static func write(_ bytes: [UInt8], to path: String, isSynced: Bool = false) throws(Failure) {
    let aside = "\(path).\(getpid()).new"
    unlink(aside)
    let descriptor = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure(number: errno) }
    var (written, number) = (0, Int32(0))
    while written < bytes.count, number == 0 {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { written += count } else if count == 0 || errno != EINTR { number = count == 0 ? EIO : errno }
    }
    if isSynced, number == 0, fsync(descriptor) != 0 { number = errno }
    if close(descriptor) != 0, number == 0 { number = errno }
    if number == 0, rename(aside, path) != 0 { number = errno }
    guard number != 0 else { return }
    unlink(aside)
    throw Failure(number: number)
  }
}
