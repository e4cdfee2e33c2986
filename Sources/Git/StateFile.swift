import Glibc

/// Small files that are replaced atomically.
enum StateFile {
  /// Returns the bytes of a file, or nil if it does not exist.
  static func read(_ path: String) throws(GitError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw GitError(errno: errno, doing: "Cannot read \(path.quoted)")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw GitError(errno: errno, doing: "Cannot read \(path.quoted)") }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Writes a file next to its destination, under a name that includes the process ID, and renames it.
  static func write(_ bytes: [UInt8], to path: String) throws(GitError) {
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw GitError(errno: errno, doing: "Cannot write \(path.quoted)") }
    var number = write(bytes[...], to: descriptor)
    if close(descriptor) != 0, number == 0 { number = errno }
    if number == 0, rename(temporary, path) != 0 { number = errno }
    if number != 0 { throw GitError(errno: number, doing: "Cannot write \(path.quoted)") }
  }

  /// Writes all bytes to an open file. Returns 0 or an error number.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count < 0 ? errno : EIO }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  /// Removes a file if it exists.
  static func remove(_ path: String) throws(GitError) {
    if unlink(path) != 0, errno != ENOENT {
      throw GitError(errno: errno, doing: "Cannot remove \(path.quoted)")
    }
  }
}
