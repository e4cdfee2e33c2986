/// The two streams of a program's output without their secrets.
///
/// A secret that is held back until it is certain comes with the time of the bytes that made it so.
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

  /// Passes on what was held back.
  package mutating func finish(_ body: (OutputChunk) throws -> Void) rethrows {
    let time = time
    try output.finish { try body(OutputChunk(stream: .standardOutput, bytes: $0, time: time)) }
    try error.finish { try body(OutputChunk(stream: .standardError, bytes: $0, time: time)) }
  }
}
