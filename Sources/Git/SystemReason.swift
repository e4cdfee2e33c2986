import Glibc

/// The words of the C library for an error number, in the thread's own buffer.
func reason(of number: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let start = buffer.baseAddress else { return "error \(number)" }
    start.pointee = 0
    // Glibc's Swift module has the XSI variant, which fills the buffer.
    let status = strerror_r(number, start, buffer.count)
    return status == 0 ? String(cString: start) : "error \(number)"
  }
}
