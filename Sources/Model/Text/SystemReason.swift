import FoundationEssentials
import Glibc

/// The system's reasons for errors that Foundation wraps.
package enum SystemReason {
  /// Returns the reason in the system's own words, such as `No space left on device`; other errors are described by
  /// themselves.
  package static func of(_ error: any Error) -> String {
    if let number = number(of: error) { return words(of: number) }
    return (error as? CocoaError).map { "the file system refused it (Cocoa error \($0.code.rawValue))" } ?? "\(error)"
  }

  /// Returns the system's error number, or nil if there is none.
  package static func number(of error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    guard let error = error as? CocoaError else { return nil }
    return (error.underlying as? POSIXError)?.code.rawValue ?? numbers[error.code]
  }

  /// Returns the words for an error number, using a temporary buffer instead of shared storage.
  package static func words(of number: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return "error \(number)" }
      start.pointee = 0
      // Glibc's Swift module has the XSI variant, which fills the buffer.
      return strerror_r(number, start, buffer.count) == 0 ? String(cString: start) : "error \(number)"
    }
  }

  private static let numbers: [CocoaError.Code: Int32] = [
    .fileNoSuchFile: ENOENT, .fileReadNoSuchFile: ENOENT, .fileReadNoPermission: EACCES, .fileReadTooLarge: EFBIG,
    .fileWriteFileExists: EEXIST, .fileWriteInvalidFileName: ENAMETOOLONG, .fileWriteNoPermission: EACCES,
    .fileWriteOutOfSpace: ENOSPC, .fileWriteVolumeReadOnly: EROFS, .fileReadUnknown: EIO, .fileWriteUnknown: EIO,
  ]
}
