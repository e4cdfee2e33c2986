/// Bytes of a program's output as they arrived, cut at arbitrary points.
///
/// The order within each stream is exact; between the two streams it is only approximate.
package struct OutputChunk: Sendable {
  package enum Stream: Hashable, Sendable {
    case standardOutput
    case standardError
  }

  package var stream: Stream
  package var bytes: ArraySlice<UInt8>
  /// The time since the program started.
  package var time: Duration
}
