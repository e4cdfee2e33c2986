import Glibc
import Model

/// Files on their way from one machine to another: for each, a line of JSON and then its bytes.
enum FileStream {
  struct Header: Codable {
    /// Empty for the end.
    var path: String
    var bytes: Int
    var isExecutable: Bool?
  }

  /// The size of the pieces in which files are read, in bytes.
  private static let piece = 1 << 18

  /// Writes one file of Martlet's own.
  ///
  /// - Parameter write: takes the bytes, in order.
  static func write(
    _ path: String, from file: String, isExecutable: Bool? = nil, to write: ([UInt8]) throws -> Void
  ) throws {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw IntegratingError.storage("read", file, errno: errno) }
    defer { close(descriptor) }
    guard let status = stat(descriptor) else { throw IntegratingError.storage("read", file, errno: errno) }
    var left = Int(status.st_size)
    try write(try Header(path: path, bytes: left, isExecutable: isExecutable).jsonLine)
    var buffer = [UInt8](repeating: 0, count: piece)
    while left > 0 {
      let count = read(descriptor, &buffer, min(buffer.count, left))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw IntegratingError.storage("read", file, errno: count < 0 ? errno : EIO) }
      try write(Array(buffer[..<count]))
      left -= count
    }
  }

  /// Writes one file from memory.
  static func write(_ path: String, _ bytes: [UInt8], to write: ([UInt8]) throws -> Void) throws {
    try write(try Header(path: path, bytes: bytes.count).jsonLine + bytes)
  }

  static func writeEnd(to write: ([UInt8]) throws -> Void) throws {
    try write(try Header(path: "", bytes: 0).jsonLine)
  }

  /// Writes a file that comes into a folder.
  ///
  /// - Parameter next: returns some of its bytes, in order, given how many are missing.
  static func make(_ header: Header, in folder: Folder, _ next: (Int) throws -> ArraySlice<UInt8>) throws {
    let path = folder.file(header.path)
    let mode: mode_t = header.isExecutable == true ? 0o700 : 0o600
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw IntegratingError.storage("write", path, errno: errno) }
    var (left, code) = (header.bytes, Int32(0))
    do {
      while left > 0, code == 0 {
        let bytes = try next(left)
        code = Folder.write(bytes, to: descriptor)
        left -= bytes.count
      }
    } catch {
      close(descriptor)
      throw error
    }
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code == 0 else { throw IntegratingError.storage("write", path, errno: code) }
  }

  static let damaged = IntegratingError(
    .service,
    "cannot read the files that another machine sent: the stream is damaged. Check that both run the same martlet.")

  /// Whether a path stays in the folder that it is relative to, and names something in it.
  static func isInner(_ path: String) -> Bool {
    !path.utf8.contains(0) && path.utf8.count < Int(PATH_MAX) && Folder.staysBeneath(path)
  }
}
