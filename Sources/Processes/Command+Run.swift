extension Command {
  /// Runs the program until nothing of it is left, and gives its output to a closure as it comes.
  ///
  /// The calling thread is blocked meanwhile. When the program has ended and its output is closed, or not closed in time,
  /// its descendants are killed. On cancellation or at a limit its process group gets SIGTERM first. Should
  /// this process die, everything is killed as well.
  ///
  /// - Throws: `ProcessError` when the program could not be started, and whatever the closure throws, after everything
  ///   was killed. A program that fails is a result.
  package func run(
    limits: Limits, cancellation: Cancellation, supervision: Supervision? = nil,
    output: (OutputChunk) throws -> Void
  ) throws -> ProcessResult {
    try validate()
    let file = try lookUp()
    if cancellation.isCanceled { return ProcessResult(end: .notStarted, why: .canceled) }
    var run = try Run(self, file: file, limits: limits, cancellation: cancellation, supervision: supervision)
    return try run.finish(output: output)
  }
}
