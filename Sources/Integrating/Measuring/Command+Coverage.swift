package import Parsing
package import Processes

/// The result of `llvm-cov export`.
package struct ExportedCoverage: Sendable {
  package var result: ProcessResult
  package var standardError: [UInt8]
  /// The standard output, parsed as far as possible while it arrived.
  package var stream: CoverageExportStream
}

extension Command {
  /// The maximum size of both output streams together, in bytes.
  private static let mostOutput = 1 << 30

  /// Runs `llvm-cov export`, and parses its output as it arrives.
  ///
  /// - Throws: the errors of `run`, and `ProcessError` if there is far too much output.
  package func exportCoverage(limits: Limits, cancellation: Cancellation) throws -> ExportedCoverage {
    var command = self
    // It builds its whole output in memory before writing any; in large pages, that takes a quarter less time.
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
