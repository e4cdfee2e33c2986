import Glibc

/// A file that another process writes, read on from where the last reading ended.
final class GrowingFile {
  let path: String
  private let descriptor: Int32
  private var position = 0

  /// Creates the file, so that what is read is the file that was made here and no other.
  init(_ path: String) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Passes on what was written since the last time.
  func readOn(_ body: ([UInt8]) -> Void) {
    guard descriptor >= 0 else { return }
    while true {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = pread(descriptor, &buffer, buffer.count, position)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      position += count
      body(Array(buffer[..<count]))
    }
  }
}
