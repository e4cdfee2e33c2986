/// The reading ends of a program's two output pipes.
struct OutputStreams {
  /// The maximum number of bytes that are read at once.
  static let mostAtOnce = 256 * 1024
  /// How many such reads empty a full pipe of 1 MiB.
  static let readsOfPipe = 4

  private let started: SuspendingClock.Instant
  private var outputIsOpen = true
  private var errorIsOpen = true
  /// The number of bytes read so far.
  private(set) var byteCount = 0
  private var buffer: [UInt8]

  /// - Parameter most: The most bytes to read at once.
  init(started: SuspendingClock.Instant, atOnce most: Int = OutputStreams.mostAtOnce) {
    self.started = started
    buffer = [UInt8](repeating: 0, count: most)
  }

  /// Whether nothing more can be read, because all writers have closed the pipes or reading has stopped.
  var areClosed: Bool { !outputIsOpen && !errorIsOpen }

  /// Returns the two descriptors to poll, with -1 for a closed stream.
  func descriptors(_ child: borrowing Child) -> [Int32] {
    [outputIsOpen ? child.output.number : -1, errorIsOpen ? child.error.number : -1]
  }

  mutating func close() {
    outputIsOpen = false
    errorIsOpen = false
  }

  /// Reads once from a stream and passes on the bytes. Returns how many there were.
  mutating func read(
    _ stream: OutputChunk.Stream, from child: borrowing Child, _ listener: (OutputChunk) throws -> Void
  ) rethrows -> Int {
    let isOutput = stream == .standardOutput
    guard isOutput ? outputIsOpen : errorIsOpen else { return 0 }
    let reading = isOutput ? child.output.read(into: &buffer) : child.error.read(into: &buffer)
    switch reading {
    case .nothingYet: return 0
    case .end:
      if isOutput { outputIsOpen = false } else { errorIsOpen = false }
      return 0
    case .bytes(let count):
      byteCount += count
      let time = started.duration(to: .now)
      try listener(OutputChunk(stream: stream, bytes: buffer[..<count], time: time))
      return count
    }
  }
}

/// Bytes of a program's output as they arrived, cut at arbitrary points.
///
/// The order within each stream is exact; between the two streams it is only approximate.
package struct OutputChunk: Sendable {
  package enum Stream: CaseIterable, Sendable {
    case standardOutput
    case standardError
  }

  package var stream: Stream
  package var bytes: ArraySlice<UInt8>
  /// The time since the program started.
  package var time: Duration
}
