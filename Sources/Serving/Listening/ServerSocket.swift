import Glibc
import Processes

/// A listening socket, which is closed with its owner; the file of a Unix socket is removed then.
struct ServerSocket: ~Copyable {
  /// The address, with the port that the system chose if none was requested.
  let address: ServerAddress
  let descriptor: Int32
  /// The identity of a Unix socket's file when it was made, so that another program's file is not removed.
  private let file: (device: dev_t, inode: ino_t)?

  init(_ address: ServerAddress) throws(ServingError) {
    switch address {
    case .unix(let path):
      descriptor = try Self.unix(path)
      self.address = address
      var status = stat()
      file = lstat(path, &status) == 0 ? (status.st_dev, status.st_ino) : nil
    case .loopback(let isSix, let port):
      descriptor = try Self.loopback(isSix: isSix, port)
      self.address = .loopback(isSix: isSix, port: Self.port(of: descriptor))
      file = nil
    }
  }

  deinit {
    close(descriptor)
    guard case .unix(let path) = address, let file else { return }
    var status = stat()
    if lstat(path, &status) == 0, (status.st_dev, status.st_ino) == file { unlink(path) }
  }

  private static let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
  private static let backlog: Int32 = 128

  private static func loopback(isSix: Bool, _ port: UInt16) throws(ServingError) -> Int32 {
    let what = "listen on \(ServerAddress.loopback(isSix: isSix, port: port).description)"
    let descriptor = socket(isSix ? AF_INET6 : AF_INET, flags, 0)
    guard descriptor >= 0 else { throw .system(what, errno: errno, next: "Name another address with --listen.") }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    // The bytes after the head of an answer are then sent before the client has acknowledged the head
    // (https://www.rfc-editor.org/rfc/rfc896); connections inherit the option from this socket.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    let bound = isSix ? bind(six: descriptor, port) : bind(four: descriptor, port)
    guard bound == 0, listen(descriptor, backlog) == 0 else {
      let number = errno
      close(descriptor)
      let next =
        number == EADDRINUSE
        ? "Look there: an earlier 'martlet serve' may answer. Or name another port with --listen."
        : "Name another address with --listen."
      throw .system(what, errno: number, next: next)
    }
    return descriptor
  }

  private static func bind(four descriptor: Int32, _ port: UInt16) -> Int32 {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return bind(descriptor, &name)
  }

  private static func bind(six descriptor: Int32, _ port: UInt16) -> Int32 {
    var name = sockaddr_in6()
    name.sin6_family = sa_family_t(AF_INET6)
    name.sin6_port = port.bigEndian
    name.sin6_addr = in6addr_loopback
    return bind(descriptor, &name)
  }

  private static func bind<Name>(_ descriptor: Int32, _ name: inout Name) -> Int32 {
    withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
      }
    }
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var name = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    withUnsafeMutablePointer(to: &name) {
      _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    // Both address structures have the port at the same offset.
    return UInt16(bigEndian: name.sin6_port)
  }
}

extension ServerSocket {
  /// Returns a socket for its owner and group, replacing one that a dead server left.
  private static func unix(_ path: String) throws(ServingError) -> Int32 {
    let what = "listen on unix:\(path)"
    guard !path.utf8.contains(0), var name = SocketAddress(path: path) else {
      throw ServingError(.request, "cannot \(what): the kernel takes paths of up to 107 bytes. Name a shorter one.")
    }
    try clear(path, &name)
    let descriptor = socket(AF_UNIX, flags, 0)
    guard descriptor >= 0 else { throw .system(what, errno: errno, next: "Name another path with --listen.") }
    // At first only the owner has access, whatever the process's mask permits.
    guard fchmod(descriptor, 0o600) == 0, name.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0,
      chmod(path, 0o660) == 0,
      listen(descriptor, backlog) == 0
    else {
      let number = errno
      close(descriptor)
      throw .system(what, errno: number, next: "Name a path in a folder that is there and can be written.")
    }
    return descriptor
  }

  /// Removes a socket that a dead server left.
  private static func clear(_ path: String, _ name: inout SocketAddress) throws(ServingError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ServingError(
        .request, "cannot listen on unix:\(path): there is something else at that path. Remove it, or name another one."
      )
    }
    let probe = socket(AF_UNIX, flags, 0)
    defer { close(probe) }
    guard name.withPointer({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else {
      throw ServingError(
        .request, "cannot listen on unix:\(path): another program does. End it, or name another path with --listen.")
    }
    unlink(path)
  }
}
