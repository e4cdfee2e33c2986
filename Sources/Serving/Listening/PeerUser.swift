import Glibc
import Model
import Processes
import Synchronization

/// Whether the program at the other end of a connection on this machine belongs to the user of this one, as the kernel's
/// table of sockets says (https://man7.org/linux/man-pages/man5/proc_pid_net.5.html); looked up when it is first asked.
package final class PeerUser: Sendable {
  private let look: @Sendable () -> Bool
  private let known = Mutex<Bool?>(nil)

  /// - Parameter look: looks it up.
  package init(_ look: @escaping @Sendable () -> Bool) { self.look = look }

  /// Whose is at the other end of a connected socket; nil where it is none of TCP.
  convenience init?(ofSocket descriptor: Int32) {
    guard let own = SocketEnd(descriptor, getsockname), let other = SocketEnd(descriptor, getpeername) else {
      return nil
    }
    self.init {
      let table = KernelFile.text(own.isSix ? "/proc/net/tcp6" : "/proc/net/tcp")
      return Self.owner(of: other.text, connectedTo: own.text, in: table) == geteuid()
    }
  }

  package var isOwn: Bool {
    known.withLock { known in
      let isOwn = known ?? look()
      known = isOwn
      return isOwn
    }
  }

  /// Whose socket has one end and is connected with the other; nil where there is none, or its program let go of it, as the
  /// kernel then says that it is root's.
  static func owner(of end: String, connectedTo other: String, in table: String) -> uid_t? {
    for line in table.split(separator: "\n") {
      let columns = line.split(separator: " ")
      guard columns.count > 9, columns[1] == end, columns[2] == other else { continue }
      let (isEstablished, isHeld) = (columns[3] == "01", columns[9] != "0")
      return isEstablished && isHeld ? uid_t(columns[7]) : nil
    }
    return nil
  }
}

/// One end of a TCP connection.
private struct SocketEnd {
  let isSix: Bool
  /// As the kernel's table has it: words of the address in the machine's order, and the port.
  let text: String

  init?(
    _ descriptor: Int32,
    _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let bytes: [UInt8]? = withUnsafeMutableBytes(of: &address) { buffer in
      guard let start = buffer.baseAddress,
        name(descriptor, start.assumingMemoryBound(to: sockaddr.self), &length) == 0
      else { return nil }
      return Array(buffer)
    }
    // Family, port, then the address, behind four bytes more in version 6 (https://man7.org/linux/man-pages/man7/ipv6.7.html).
    guard let bytes, [sa_family_t(AF_INET), sa_family_t(AF_INET6)].contains(address.sin6_family) else { return nil }
    isSix = address.sin6_family == sa_family_t(AF_INET6)
    let words = (isSix ? 2..<6 : 1..<2).flatMap { word in
      let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: word * 4, as: UInt32.self) }
      return withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
    // The port is in the order of the network, which is that of its digits.
    text = "\(words.hexadecimal):\(withUnsafeBytes(of: address.sin6_port) { Array($0) }.hexadecimal)".uppercased()
  }
}
