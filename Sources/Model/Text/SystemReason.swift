import FoundationEssentials
import Glibc

/// What the system said, where Foundation wraps it.
package enum SystemReason {
  /// The reason in the system's own words, such as `No space left on device`; an error of another kind as it tells itself.
  package static func of(_ error: any Error) -> String {
    if let error = error as? POSIXError { return words(of: error.code.rawValue) }
    guard let error = error as? CocoaError else { return "\(error)" }
    if let underlying = error.underlying as? POSIXError { return words(of: underlying.code.rawValue) }
    return numbers[error.code].map(words(of:)) ?? "the file system refused it (Cocoa error \(error.code.rawValue))"
  }

  /// The words of an error number.
  package static func words(of number: Int32) -> String { String(cString: strerror(number)) }

  private static let numbers: [CocoaError.Code: Int32] = [
    .fileNoSuchFile: ENOENT, .fileReadNoSuchFile: ENOENT, .fileReadNoPermission: EACCES, .fileReadTooLarge: EFBIG,
    .fileWriteFileExists: EEXIST, .fileWriteInvalidFileName: ENAMETOOLONG, .fileWriteNoPermission: EACCES,
    .fileWriteOutOfSpace: ENOSPC, .fileWriteVolumeReadOnly: EROFS, .fileReadUnknown: EIO, .fileWriteUnknown: EIO,
  ]
}
