import Glibc

/// Cuts a stream of bytes into lines, wherever the chunks happen to end.
///
/// A line keeps at most `limit` bytes: of a longer one the beginning and the end stay, because a test that prints
/// without a newline glues its text to the front of the library's own line.
struct LineSplitter: Sendable {
  private let limit: Int
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  /// Bytes of the current line that were thrown away.
  private var dropped = 0

  init(limit: Int) {
    self.limit = Swift.max(limit, 2)
  }

  /// Takes the next bytes and hands every completed line, without its line feed, to `body`.
  mutating func consume(_ bytes: some Sequence<UInt8>, _ body: ([UInt8]) -> Void) {
    let isTaken: Void? = bytes.withContiguousStorageIfAvailable { take($0, body) }
    if isTaken == nil { Array(bytes).withUnsafeBufferPointer { take($0, body) } }
  }

  private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ body: ([UInt8]) -> Void) {
    guard let base = bytes.baseAddress else { return }
    var start = 0
    // Most of what arrives here arrives in quantity, so the line feeds are looked for by the C library.
    while let feed = memchr(base + start, 0x0A, bytes.count - start) {
      let end = UnsafeRawPointer(feed) - UnsafeRawPointer(base)
      append(UnsafeBufferPointer(rebasing: bytes[start..<end]))
      body(takeLine())
      start = end + 1
    }
    append(UnsafeBufferPointer(rebasing: bytes[start...]))
  }

  /// The unfinished last line, if there is one.
  mutating func finish() -> [UInt8]? {
    head.isEmpty ? nil : takeLine()
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    let room = Swift.max(0, limit / 2 - head.count)
    head += bytes.prefix(room)
    let rest = bytes.dropFirst(room)
    guard !rest.isEmpty else { return }
    let skipped = Swift.max(0, rest.count - limit)
    if skipped > 0 {
      dropped &+= tail.count &+ skipped
      tail.removeAll(keepingCapacity: true)
    }
    tail += rest.dropFirst(skipped)
    if tail.count >= limit {
      let excess = tail.count - limit / 2
      dropped &+= excess
      tail.removeFirst(excess)
    }
  }

  private mutating func takeLine() -> [UInt8] {
    defer {
      head.removeAll(keepingCapacity: true)
      tail.removeAll(keepingCapacity: true)
      dropped = 0
    }
    var excess = dropped
    if head.count + tail.count > limit {
      excess &+= head.count + tail.count - limit
      tail.removeFirst(head.count + tail.count - limit)
    }
    guard excess > 0 else { return head + tail }
    return head + Array(" … \(excess) bytes left out … ".utf8) + tail
  }
}
