import Glibc

/// A socket in a folder of its own on which observers are awaited; the folder goes with it.
struct ObserverSocket: ~Copyable {
  private static let name = "s"

  /// Where processes find it.
  let folder: Folder
  /// What to wait for.
  let descriptor: Int32

  /// Makes the folder and the socket.
  init(in folder: Folder, mostWaiting: Int32) throws(IntegratingError) {
    // All that may fail comes first, before there is anything to own.
    let made = try folder.create()
    let listener = try Self.listen(in: made, mostWaiting)
    (self.folder, descriptor) = (made, listener)
  }

  deinit {
    close(descriptor)
    unlink(folder.file(Self.name))
    rmdir(folder.path)
  }

  /// The next connection, which the caller owns; nil when there is none. Never waits.
  borrowing func accept() -> Int32? {
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    return accepted
  }

  /// The socket is named by way of the folder's descriptor, because its path must be short
  /// ([unix(7)](https://man7.org/linux/man-pages/man7/unix.7.html)).
  private static func listen(in folder: Folder, _ mostWaiting: Int32) throws(IntegratingError) -> Int32 {
    let place = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard place >= 0 else { throw .storage("open", folder.path, errno: errno) }
    defer { Glibc.close(place) }
    let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let listener = socket(AF_UNIX, type, 0)
    guard listener >= 0 else { throw .storage("make a socket in", folder.path, errno: errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "/proc/self/fd/\(place)/\(name)".utf8) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0, Glibc.listen(listener, mostWaiting) == 0 else {
      let reason = errno
      Glibc.close(listener)
      throw .storage("make a socket in", folder.path, errno: reason)
    }
    return listener
  }
}
