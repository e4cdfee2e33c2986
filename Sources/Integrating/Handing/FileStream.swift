import FoundationEssentials
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

  /// Whether a path stays in the folder that it is relative to, and names something in it.
  static func isInner(_ path: String) -> Bool {
    !path.utf8.contains(0) && path.utf8.count < Int(PATH_MAX) && Folder.staysBeneath(path)
  }
}

/// A reader of such a stream, which writes the files into a new folder.
final class FileStreamReader {
  private static let longestHeader = 1 << 16

  private let folder: Folder
  private var header: [UInt8] = []
  /// The bytes that are missing of the file that is being written.
  private var left = 0
  private var descriptor: Int32 = -1
  private var path = ""
  /// Whether the end has come; without it, the stream was cut.
  private(set) var isComplete = false
  private(set) var paths: Set<String> = []

  init(into folder: Folder) {
    self.folder = folder
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes bytes in order, and returns those behind the end of the stream.
  @discardableResult
  func take(_ bytes: ArraySlice<UInt8>) throws(IntegratingError) -> ArraySlice<UInt8> {
    var rest = bytes
    while !rest.isEmpty, !isComplete {
      if left > 0 {
        let part = rest.prefix(left)
        try append(part)
        left -= part.count
        rest = rest.dropFirst(part.count)
        if left == 0 { try finish() }
        continue
      }
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
        header += rest
        guard header.count < Self.longestHeader else { throw Self.damaged }
        return []
      }
      header += rest[..<end]
      rest = rest[(end + 1)...]
      try begin()
    }
    return rest
  }

  private static let damaged = IntegratingError(
    .service,
    "cannot read the files that another machine sent: the stream is damaged. Check that both run the same martlet.")

  private func begin() throws(IntegratingError) {
    guard let next = try? JSONDecoder().decode(FileStream.Header.self, from: Data(header)) else {
      throw Self.damaged
    }
    header = []
    if next.path.isEmpty {
      isComplete = true
      return
    }
    guard FileStream.isInner(next.path), next.bytes >= 0, paths.insert(next.path).inserted else { throw Self.damaged }
    try folder.createFolder(of: next.path)
    path = folder.file(next.path)
    descriptor = open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, next.isExecutable == true ? 0o700 : 0o600)
    guard descriptor >= 0 else { throw .storage("write", path, errno: errno) }
    left = next.bytes
    if left == 0 { try finish() }
  }

  private func append(_ bytes: ArraySlice<UInt8>) throws(IntegratingError) {
    let code = Folder.write(bytes, to: descriptor)
    guard code == 0 else { throw .storage("write", path, errno: code) }
  }

  private func finish() throws(IntegratingError) {
    let code = close(descriptor)
    descriptor = -1
    guard code == 0 else { throw .storage("write", path, errno: errno) }
  }
}
