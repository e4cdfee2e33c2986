package import Glibc

/// The address of a Unix socket (https://man7.org/linux/man-pages/man7/unix.7.html).
package struct SocketAddress {
  private var address = sockaddr_un()
  private var length = 0

  /// Creates an address from a path, or an abstract name that begins with `@`; nil if it is too long for the kernel.
  package init?(path: String) {
    var bytes = Array(path.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // The length of an abstract name is given explicitly.
    length = MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1)
  }

  /// Creates the address of `file` in a folder that is open as `folder`, so that paths of any length fit.
  package init?(_ file: String, inFolder folder: Int32) {
    self.init(path: "/proc/self/fd/\(folder)/\(file)")
  }

  /// Hands the address to a system call.
  package mutating func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    let length = socklen_t(length)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
