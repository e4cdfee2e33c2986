import Glibc

/// A named pipe through which a child receives its order, so that secrets are never on the disk.
///
/// When this is destroyed, the child sees the end of its input and thereby knows that the watcher is gone.
struct OrderPipe: ~Copyable {
  /// The path at which the child opens the pipe.
  let path: String
  private let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Creates the pipe and writes the order into it.
  static func make(_ order: [UInt8], at path: String) throws(KeepingError) -> OrderPipe {
    unlink(path)
    guard mkfifo(path, 0o600) == 0 else { throw .system("make the pipe", path, errno: errno) }
    // Open for both reading and writing, so that neither side waits for the other.
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

  /// A macro that is not imported into Swift: https://man7.org/linux/man-pages/man2/F_SETPIPE_SZ.2const.html.
  private static let setPipeSize: Int32 = 1031

  deinit {
    close(descriptor)
    unlink(path)
  }
}
