import Glibc

/// A file that records a program's output as it arrives, up to a limit.
///
/// It keeps the beginning and the end; a line in between gives the number of bytes that were cut. Once the limit is
/// exceeded, the file contains only the beginning until `close`. Must be used on a single thread.
package final class LogFile {
  /// The number of bytes to keep.
  package struct Limit: Hashable, Sendable {
    package var head: Int
    package var tail: Int

    package init(head: Int, tail: Int) {
      self.head = max(0, head)
      self.tail = max(0, tail)
    }

    package static let standard = Limit(head: 50_000_000, tail: 50_000_000)
  }

  package let path: String
  /// The number of bytes appended, including those that were cut.
  package private(set) var byteCount = 0
  private let limit: Limit
  private let file: Descriptor
  private var tail: TailFile?
  private var isClosed = false
  private var lastHeadByte: UInt8?
  /// Whether what was appended last goes on in the same line.
  package private(set) var isMidLine = false

  /// Creates the file, or empties an existing one.
  package init(path: String, limit: Limit = .standard) throws(ProcessError) {
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if number < 0 { throw .log(path, verb: "create", errno: errno) }
    self.path = path
    self.limit = limit
    file = Descriptor(owning: number)
  }

  /// The number of bytes missing between the beginning and the end.
  package var cutBytes: Int { max(0, byteCount - limit.head - limit.tail) }

  package func append(_ text: String) throws(ProcessError) {
    try append(Array(text.utf8)[...])
  }

  package func append(_ bytes: ArraySlice<UInt8>) throws(ProcessError) {
    precondition(!isClosed, "A closed log takes nothing more.")
    if let last = bytes.last { isMidLine = last != UInt8(ascii: "\n") }
    let head = bytes.prefix(max(0, limit.head - byteCount))
    let rest = bytes.dropFirst(head.count)
    try write(head)
    if let last = head.last { lastHeadByte = last }
    byteCount += bytes.count
    guard !rest.isEmpty else { return }
    if tail == nil { tail = try TailFile(beside: path, capacity: limit.tail) }
    try tail?.append(rest)
  }

  /// Joins the beginning and the end. Nothing can be appended afterward.
  package func close() throws(ProcessError) {
    guard !isClosed else { return }
    isClosed = true
    if cutBytes > 0 {
      let lineBreak = lastHeadByte == nil || lastHeadByte == UInt8(ascii: "\n") ? "" : "\n"
      let note =
        "[Martlet cut \(cutBytes) bytes here. This log keeps the first \(limit.head) and the last \(limit.tail) bytes.]"
      try write(Array("\(lineBreak)\(note)\n".utf8)[...])
    }
    try tail?.forEachPiece { piece throws(ProcessError) in try write(piece) }
    tail = nil
  }

  private func write(_ bytes: ArraySlice<UInt8>) throws(ProcessError) {
    let code = file.write(bytes)
    if code != 0 { throw .log(path, verb: "write", errno: code) }
  }
}

/// The last bytes of a stream, in an unlinked file of fixed size used as a ring buffer.
struct TailFile: ~Copyable {
  private let path: String
  private let file: Descriptor
  private let capacity: Int
  private var total = 0

  /// Creates the file in the log's folder, on the disk where the bytes will be needed.
  init(beside log: String, capacity: Int) throws(ProcessError) {
    let path = log + ".tail"
    let number = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if number < 0 { throw .log(path, verb: "create", errno: errno) }
    unlink(path)
    self.path = path
    file = Descriptor(owning: number)
    self.capacity = capacity
  }

  mutating func append(_ bytes: ArraySlice<UInt8>) throws(ProcessError) {
    let kept = bytes.suffix(capacity)
    total += bytes.count - kept.count
    guard !kept.isEmpty else { return }
    let position = total % capacity
    let first = kept.prefix(capacity - position)
    try write(first, at: position)
    try write(kept.dropFirst(first.count), at: 0)
    total += kept.count
  }

  /// Passes on the bytes, oldest first.
  func forEachPiece(_ body: (ArraySlice<UInt8>) throws(ProcessError) -> Void) throws(ProcessError) {
    guard capacity > 0 else { return }
    let start = total > capacity ? total % capacity : 0
    try read(start..<min(total, capacity), body)
    try read(0..<start, body)
  }

  private func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(ProcessError) {
    let code = file.write(bytes, at: offset)
    if code != 0 { throw .log(path, verb: "write", errno: code) }
  }

  private func read(
    _ range: Range<Int>, _ body: (ArraySlice<UInt8>) throws(ProcessError) -> Void
  ) throws(ProcessError) {
    var buffer = [UInt8](repeating: 0, count: min(range.count, 1024 * 1024))
    var position = range.lowerBound
    while position < range.upperBound {
      let wanted = min(buffer.count, range.upperBound - position)
      let count = pread(file.number, &buffer, wanted, position)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { throw .log(path, verb: "read", errno: count < 0 ? errno : EIO) }
      try body(buffer[..<count])
      position += count
    }
  }
}
