import Glibc

/// The last bytes of a stream, in a nameless file of fixed size that is written round and round.
struct TailFile: ~Copyable {
  private let path: String
  private let file: Descriptor
  private let capacity: Int
  private var total = 0

  /// Makes the file in the log's folder, on the disk where the bytes will be needed.
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
