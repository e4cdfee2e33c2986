/// Cuts a stream of bytes into lines, of which it never holds more than a bounded length.
package struct LineSplitter: Sendable {
  /// One line without its line feed.
  package struct Line: Hashable, Sendable {
    package var bytes: ArraySlice<UInt8>
    /// The bytes at the end of the line that were dropped because it was too long.
    package var cut: Int
  }

  private let limit: Int
  /// The beginning of a line whose end has not come yet.
  private var pending: [UInt8] = []
  private var cut = 0

  /// Makes a splitter that keeps the first `limit` bytes of each line.
  package init(limit: Int = 64 * 1024) {
    self.limit = max(0, limit)
  }

  /// Takes more bytes and passes on the lines that they complete.
  package mutating func feed(_ bytes: ArraySlice<UInt8>, _ body: (Line) throws -> Void) rethrows {
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let piece = rest[..<end]
      rest = rest[(end + 1)...]
      if pending.isEmpty && cut == 0 {
        try body(Line(bytes: piece.prefix(limit), cut: piece.count - min(piece.count, limit)))
      } else {
        hold(piece)
        try finish(body)
      }
    }
    hold(rest)
  }

  /// Passes on a last line that did not end with a line feed.
  package mutating func finish(_ body: (Line) throws -> Void) rethrows {
    guard !pending.isEmpty || cut > 0 else { return }
    let line = Line(bytes: pending[...], cut: cut)
    pending = []
    cut = 0
    try body(line)
  }

  private mutating func hold(_ piece: ArraySlice<UInt8>) {
    let kept = piece.prefix(limit - pending.count)
    pending += kept
    cut += piece.count - kept.count
  }
}
