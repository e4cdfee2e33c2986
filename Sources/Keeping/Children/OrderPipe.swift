import Glibc

/// A pipe with a name, through which one child gets its order, so that secrets never lie on the disk.
///
/// The child sees the end of its input when this goes, and so that the watcher is gone.
struct OrderPipe: ~Copyable {
  /// Where the child finds it.
  let path: String
  private let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Makes the pipe and puts the order into it.
  static func make(_ order: [UInt8], at path: String) throws(KeepingError) -> OrderPipe {
    unlink(path)
    guard mkfifo(path, 0o600) == 0 else { throw .system("make the pipe", path, errno: errno) }
    // Open for both, so that neither side waits for the other.
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open the pipe", path, errno: errno) }
    let pipe = OrderPipe(path: path, descriptor: descriptor)
    _ = fcntl(descriptor, setPipeSize, Int32(1 << 20))
    guard write(descriptor, order, order.count) == order.count else {
      throw KeepingError(
        .service, "Cannot hand an order of \(order.count) bytes to its process. Shorten the bot's file or its secrets.")
    }
    return pipe
  }

  /// A macro that Swift does not see: https://man7.org/linux/man-pages/man2/F_SETPIPE_SZ.2const.html.
  private static let setPipeSize: Int32 = 1031

  deinit {
    close(descriptor)
    unlink(path)
  }
}
