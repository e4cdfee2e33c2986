import Glibc
import Processes

/// A socket that waits for observers in a folder of its own; in the end, the socket is removed, but not the folder.
struct ObserverSocket: ~Copyable {
  private static let name = "s"

  /// The folder in which processes find the socket.
  let folder: Folder
  /// The descriptor to wait for.
  let descriptor: Int32
  /// The folder itself, whatever a process puts in its place.
  private let place: Int32

  /// Makes the folder, which processes may change once they run, and the socket.
  init(in folder: Folder, mostWaiting: Int32) throws(IntegratingError) {
    // Everything that may fail comes first, before there is anything to own.
    let made = try folder.create()
    let opened = open(made.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else { throw .storage("open", made.path, errno: errno) }
    let listener: Int32
    do {
      listener = try Self.listen(in: opened, made, mostWaiting)
    } catch {
      close(opened)
      throw error
    }
    (self.folder, descriptor, place) = (made, listener, opened)
  }

  deinit {
    close(descriptor)
    unlinkat(place, Self.name, 0)
    close(place)
  }

  /// Accepts the next connection, which the caller then owns; returns nil if there is none. Never waits.
  borrowing func accept() -> Int32? {
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    return accepted
  }

  /// Makes the socket, named through the folder's descriptor because its path must be short
  /// ([unix(7)](https://man7.org/linux/man-pages/man7/unix.7.html)).
  private static func listen(
    in place: Int32, _ folder: Folder, _ mostWaiting: Int32
  ) throws(IntegratingError) -> Int32 {
    let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let listener = socket(AF_UNIX, type, 0)
    guard listener >= 0 else { throw .storage("make a socket in", folder.path, errno: errno) }
    var address = SocketAddress(name, inFolder: place)
    guard address?.withPointer({ bind(listener, $0, $1) }) == 0, Glibc.listen(listener, mostWaiting) == 0 else {
      let reason = errno
      Glibc.close(listener)
      throw .storage("make a socket in", folder.path, errno: reason)
    }
    return listener
  }
}
