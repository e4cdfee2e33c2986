import Glibc

/// The C library's own words.
enum SystemError {
  /// What an error number means, written into the thread's own buffer.
  static func reason(of number: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return "error \(number)" }
      start.pointee = 0
      // Glibc's Swift module has the XSI variant, which fills the buffer.
      let status = strerror_r(number, start, buffer.count)
      return status == 0 ? String(cString: start) : "error \(number)"
    }
  }
}
