/// A table beside a log: when each piece of it was printed, and to which stream, so that the two streams can be told
/// apart again byte by byte.
///
/// A line has the milliseconds since the step began; `out`, `err`, or `own` for words of Martlet's; where in the log the
/// piece begins, counted as if nothing had been cut; and its length. Pieces of one stream and one millisecond are one.
package final class OutputIndex {
  private let file: LogFile
  private var last: (milliseconds: Int64, stream: OutputChunk.Stream?, offset: Int, length: Int)?

  /// Creates the file, or empties it; like a log, a long one keeps its beginning and its end.
  package init(path: String, limit: LogFile.Limit = LogFile.Limit(head: 8_000_000, tail: 8_000_000))
    throws(ProcessError)
  {
    file = try LogFile(path: path, limit: limit)
  }

  /// Takes note of a piece; without a stream, it is Martlet's own.
  package func note(_ length: Int, of stream: OutputChunk.Stream?, at time: Duration, offset: Int)
    throws(ProcessError)
  {
    let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    if let last, last.milliseconds == milliseconds, last.stream == stream {
      self.last?.length += length
      return
    }
    try writeLast()
    last = (milliseconds, stream, offset, length)
  }

  package func close() throws(ProcessError) {
    try writeLast()
    try file.close()
  }

  private func writeLast() throws(ProcessError) {
    guard let piece = last else { return }
    last = nil
    let stream =
      switch piece.stream {
      case .standardOutput: "out"
      case .standardError: "err"
      case nil: "own"
      }
    try file.append("\(piece.milliseconds)\t\(stream)\t\(piece.offset)\t\(piece.length)\n")
  }
}
