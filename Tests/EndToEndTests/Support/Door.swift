import Glibc

/// A service of this machine, at which somebody may call.
final class Door: Sendable {
  let port: UInt16
  private let number: Int32

  /// - Parameter address: where it listens, in the network's order; the loopback unless another is given.
  init(at address: in_addr_t = in_addr_t(0x7F00_0001).bigEndian) throws {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    try check(number)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = address
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, length) == 0 && listen(number, 16) == 0 ? getsockname(number, $0, &length) : -1
      }
    }
    try check(code)
    self.number = number
    port = UInt16(bigEndian: place.sin_port)
  }

  deinit {
    close(number)
  }

  /// Whether somebody called since this was last asked.
  var wasCalled: Bool {
    var called = false
    while case let caller = accept(number, nil, nil), caller >= 0 {
      close(caller)
      called = true
    }
    return called
  }
}
