/// Bytes of a program's output as they came, cut anywhere.
///
/// The order within a stream is the program's; between the two streams it is known only roughly.
package struct OutputChunk: Sendable {
  package enum Stream: Hashable, Sendable {
    case standardOutput
    case standardError
  }

  package var stream: Stream
  package var bytes: ArraySlice<UInt8>
  /// The time since the start of the program.
  package var time: Duration
}
