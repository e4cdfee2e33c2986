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
    var number = Descriptor.write(bytes[...], to: descriptor)
    if isSynced, number == 0, fsync(descriptor) != 0 { number = errno }
    if close(descriptor) != 0, number == 0 { number = errno }
    if number == 0, rename(aside, path) != 0 { number = errno }
    guard number != 0 else { return }
    unlink(aside)
    throw Failure(number: number)
  }
}
