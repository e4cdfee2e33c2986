import Glibc

/// A splitter of byte streams into lines, regardless of chunk boundaries.
///
/// A line keeps at most `limit` bytes. The beginning and the end of a longer line are kept, because the text of a test
/// that prints without a newline ends up in front of the library's own line.
struct LineSplitter: Sendable {
  private let limit: Int
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  /// The number of discarded bytes of the current line.
  private var dropped = 0

  init(limit: Int) {
    self.limit = Swift.max(limit, 2)
  }

  /// Adds the next bytes and returns the completed lines, without their line feeds.
  mutating func consume(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    bytes.withContiguousStorageIfAvailable { take($0) } ?? Array(bytes).withUnsafeBufferPointer { take($0) }
  }

  private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
    guard let base = bytes.baseAddress else { return [] }
    var lines: [[UInt8]] = []
    var start = 0
    // The input is usually large, so the C library searches for the line feeds.
    while let feed = memchr(base + start, 0x0A, bytes.count - start) {
      let end = UnsafeRawPointer(feed) - UnsafeRawPointer(base)
      append(UnsafeBufferPointer(rebasing: bytes[start..<end]))
      lines.append(takeLine())
      start = end + 1
    }
    append(UnsafeBufferPointer(rebasing: bytes[start...]))
    return lines
  }

  /// Returns the unfinished last line, if there is one.
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

/// The stream that a chunk of a process's output came from.
package enum ProcessStream: Hashable, CaseIterable, Sendable {
  case standardOutput
  case standardError
}
