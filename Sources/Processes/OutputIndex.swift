/// A table next to a log that records when each piece was printed and to which stream, so that the two streams can be
/// separated again byte by byte.
///
/// Each line contains the milliseconds since the step began; `out`, `err`, or `own` for Martlet's own text; the piece's
/// offset in the log, as if nothing had been cut; and its length. Pieces with the same stream and millisecond are
/// merged.
package final class OutputIndex {
  private let file: LogFile
  private var last: (milliseconds: Int64, stream: OutputChunk.Stream?, offset: Int, length: Int)?

  /// Creates the file, or empties an existing one. Like a log, a long index keeps its beginning and its end.
  package init(path: String, limit: LogFile.Limit = LogFile.Limit(head: 8_000_000, tail: 8_000_000))
    throws(ProcessError)
  {
    file = try LogFile(path: path, limit: limit)
  }

  /// Records a piece; without a stream, it is Martlet's own.
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
