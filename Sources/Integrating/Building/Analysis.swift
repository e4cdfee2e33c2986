import Model
import Parsing
import Processes

struct Analysis {
  /// The findings, each as a warning.
  var findings: [Diagnostic]
  /// Whether the command finished and its report could be read.
  var isComplete: Bool
}

extension IntegrationRun {
  /// Runs the bot's analyzer command on the sources, in the sandbox for builds.
  ///
  /// Analyzers signal findings with their exit status, so a failure counts only if they report nothing.
  ///
  /// - Returns: nil if no analysis was requested.
  func analyze() throws(IntegrationStop) -> Analysis? {
    guard request.actions.contains(.analyze), let words = request.analyze else { return nil }
    return try step(.analyzing) { (record) throws(IntegrationStop) in
      let log = try StepLog(.analyzing, in: kept, mask: mask)
      let paths = paths
      var report = AnalyzerReport { paths.relative($0) }
      let result = try log.run(
        command("/bin/sh", ["-c", words], for: .building), limits: limits(for: .building),
        cancellation: integrator.cancellation, record: &record
      ) {
        report.append($0.bytes, from: $0.stream.parsed)
      }
      try log.noteEnd(of: result)
      try log.close()
      let findings = report.finish()
      let isRead = !report.isDamaged && (result.succeeded || !findings.isEmpty)
      guard result.why != .byItself || !isRead else { return Analysis(findings: findings, isComplete: true) }
      // Sources that were not analyzed must not look as if nothing had been found in them.
      var failure = request.resources.failure(result) ?? "was stopped"
      if case .exited = result.end, result.why == .byItself {
        failure =
          report.isDamaged
          ? "printed a SARIF document that cannot be read: it is cut off, too long or damaged, see the log of the step"
          : "\(failure), and reported nothing that could be read"
      }
      let problem = Diagnostic(severity: .warning, message: "The command of the analyze action \(failure).")
      return Analysis(findings: findings + [problem], isComplete: false)
    }
  }
}
