package import Glibc

/// Addresses of the machine that a test runs on.
package enum NetworkAddress {
  /// An address of this machine that others could reach, in the network's order; nil when it has none.
  package static var outward: in_addr_t? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr.s_addr }
    }
    return nil
  }

  /// An address as people write it.
  package static func text(_ address: in_addr_t) -> String {
    withUnsafeBytes(of: address) { $0.map(String.init).joined(separator: ".") }
  }
}
