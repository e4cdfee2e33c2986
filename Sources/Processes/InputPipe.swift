import Glibc

/// A named pipe through which a program receives its input, so that secrets are never on the disk.
///
/// When this is destroyed, the program sees the end of its input and thereby knows that whoever started it is gone.
package struct InputPipe: ~Copyable {
  /// The path at which the program opens the pipe.
  package let path: String
  /// Becomes writable when there is room for more input.
  package let descriptor: Int32

  /// Creates the pipe and writes the input into it.
  package static func make(_ input: [UInt8], at path: String) throws(ProcessError) -> InputPipe {
    unlink(path)
    guard mkfifo(path, 0o600) == 0 else { throw .pipe("make", path, errno: errno) }
    // Open for both reading and writing, so that neither side waits for the other.
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .pipe("open", path, errno: errno) }
    let pipe = InputPipe(path: path, descriptor: descriptor)
    _ = fcntl(descriptor, setPipeSize, Int32(1 << 20))
    guard Glibc.write(descriptor, input, input.count) == input.count else {
      throw ProcessError(
        .malformed,
        "Cannot hand an order of \(input.count) bytes to its process. Shorten the bot's file or its secrets.")
    }
    return pipe
  }

  /// Writes as much of some more input as there is room for, without waiting, and returns how much that is.
  package func write(_ bytes: ArraySlice<UInt8>) throws(ProcessError) -> Int {
    while true {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      if errno == EAGAIN { return 0 }
      guard errno == EINTR else { throw .pipe("write into", path, errno: errno) }
    }
  }

  /// A macro that is not imported into Swift: https://man7.org/linux/man-pages/man2/F_SETPIPE_SZ.2const.html.
  private static let setPipeSize: Int32 = 1031

  deinit {
    close(descriptor)
    unlink(path)
  }
}
