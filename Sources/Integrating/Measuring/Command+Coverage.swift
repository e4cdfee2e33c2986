package import Parsing
package import Processes

/// What `llvm-cov export` said, and what it means.
package struct ExportedCoverage: Sendable {
  package var result: ProcessResult
  package var standardError: [UInt8]
  /// All of its output, read as far as it was read while it came.
  package var stream: CoverageExportStream
}

extension Command {
  /// What the two streams of the program may hold together, in bytes.
  private static let mostOutput = 1 << 30

  /// Runs `llvm-cov export`, and reads its answer on the way.
  ///
  /// - Throws: what `run` throws, and `ProcessError` when there is far too much output.
  package func exportCoverage(limits: Limits, cancellation: Cancellation) throws -> ExportedCoverage {
    var command = self
    // It builds its whole answer in memory before it writes any. In large pages that takes it a quarter less time.
    command.environment["GLIBC_TUNABLES"] =
      "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864:glibc.malloc.trim_threshold=1073741824"
    var stream = CoverageExportStream()
    var standardError: [UInt8] = []
    let result = try command.run(limits: limits, cancellation: cancellation) { chunk in
      guard stream.bytes.count + standardError.count + chunk.bytes.count <= Self.mostOutput else {
        throw ProcessError.tooMuchOutput(executable, limit: Self.mostOutput)
      }
      switch chunk.stream {
      case .standardOutput: stream.add(chunk.bytes)
      case .standardError: standardError += chunk.bytes
      }
    }
    return ExportedCoverage(result: result, standardError: standardError, stream: stream)
  }
}
