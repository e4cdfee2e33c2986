/// The whole output of a program that ran to its end, however it ended.
package struct CollectedOutput: Hashable, Sendable {
  package var result: ProcessResult
  package var standardOutput: [UInt8]
  package var standardError: [UInt8]
}

extension Command {
  /// Runs a program that writes little, and keeps its output.
  ///
  /// - Parameter limit: The bytes that both streams together may have.
  /// - Throws: what `run` throws, and `ProcessError` when there is more output; the program is killed then.
  package func collect(limits: Limits, cancellation: Cancellation, limit: Int) throws -> CollectedOutput {
    var standardOutput: [UInt8] = []
    var standardError: [UInt8] = []
    let result = try run(limits: limits, cancellation: cancellation) { chunk in
      guard standardOutput.count + standardError.count + chunk.bytes.count <= limit else {
        throw ProcessError.tooMuchOutput(executable, limit: limit)
      }
      switch chunk.stream {
      case .standardOutput: standardOutput += chunk.bytes
      case .standardError: standardError += chunk.bytes
      }
    }
    return CollectedOutput(result: result, standardOutput: standardOutput, standardError: standardError)
  }
}
