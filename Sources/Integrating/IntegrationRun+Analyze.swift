import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Runs the bot's command that looks for findings in the sources, in the sandbox of builds.
  ///
  /// Analyzers say with their exit status that they found something, so it counts only when they report nothing.
  func analyze() throws(IntegrationStop) {
    guard isBuilt, request.actions.contains(.analyze), let words = request.analyze else { return }
    try step(.analyzing) { (record) throws(IntegrationStop) in
      let log = try StepLog(.analyzing, in: kept, mask: mask)
      let paths = paths
      var report = AnalyzerReport { paths.relative($0) }
      let command = Command(
        "/bin/sh", ["-c", words], environment: environment(for: .building), workingDirectory: packageFolder.path
      ).contained(in: sandbox(for: .building))
      let result = try log.run(
        command, limits: request.resources.limits(wallClock: request.limits.step),
        cancellation: integrator.cancellation, record: &record
      ) {
        report.append($0.bytes, isStandardOutput: $0.stream == .standardOutput)
      }
      try log.close()
      integration.analysis = report.finish()
      let isRead = !report.isDamaged && (result.succeeded || !integration.analysis.isEmpty)
      isAnalyzed = result.why == .byItself && isRead
      guard !isAnalyzed else { return }
      // What was not analyzed must not look as if nothing had been found.
      integration.analysis.append(Diagnostic(severity: .warning, message: failure(result, isDamaged: report.isDamaged)))
    }
  }

  /// How the command failed, as a sentence.
  private func failure(_ result: ProcessResult, isDamaged: Bool) -> String {
    let how: String
    if let excess = request.resources.excess(result) {
      how = "was stopped: \(excess)"
    } else if case .timedOut(let limit) = result.why {
      how = "was stopped, because it took longer than \(limit.words)"
    } else if case .signaled(let number) = result.end {
      how = "was ended by signal \(number)"
    } else if isDamaged {
      how = "printed a SARIF document that cannot be read: it is cut off, too long or damaged, see the log of the step"
    } else if case .exited(let status) = result.end {
      how = "failed with exit status \(status), and reported nothing that could be read"
    } else {
      how = "was not started"
    }
    return "The command of the analyze action \(how)."
  }
}
