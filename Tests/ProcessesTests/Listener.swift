import Glibc

/// A server of this process on an address of the machine, that of the loopback unless another is given.
final class Listener {
  let port: UInt16
  private let number: Int32

  init(on host: in_addr_t = UInt32(0x7f00_0001).bigEndian) throws {
    number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = host
    let code = Self.listen(number, at: &address)
    port = UInt16(bigEndian: address.sin_port)
    if code != 0 { throw SystemFailure(call: "listen", code: code) }
  }

  private static func listen(_ number: Int32, at address: inout sockaddr_in) -> Int32 {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        if bind(number, address, length) != 0 || Glibc.listen(number, 5) != 0 { return errno }
        return getsockname(number, address, &length) == 0 ? 0 : errno
      }
    }
  }

  deinit {
    close(number)
  }
}
