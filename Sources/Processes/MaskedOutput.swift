/// The two streams of a program's output with secrets masked.
///
/// Bytes held back as a possible secret carry the time of the bytes that settled the question.
package struct MaskedOutput {
  private var output: MaskedStream
  private var error: MaskedStream
  private var time = Duration.zero

  package init(_ mask: SecretMask) {
    output = MaskedStream(mask)
    error = output
  }

  package mutating func feed(_ chunk: OutputChunk, _ body: (OutputChunk) throws -> Void) rethrows {
    time = chunk.time
    var passed = chunk
    switch chunk.stream {
    case .standardOutput:
      try output.feed(chunk.bytes) {
        passed.bytes = $0
        try body(passed)
      }
    case .standardError:
      try error.feed(chunk.bytes) {
        passed.bytes = $0
        try body(passed)
      }
    }
  }

  /// Passes on everything that was held back.
  package mutating func finish(_ body: (OutputChunk) throws -> Void) rethrows {
    let time = time
    try output.finish { try body(OutputChunk(stream: .standardOutput, bytes: $0, time: time)) }
    try error.finish { try body(OutputChunk(stream: .standardError, bytes: $0, time: time)) }
  }
}
