import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Runs every red test again, alone and in a fresh process, as often as requested or until it passes.
  ///
  /// What the attempts run counts as covered: the tests did run it on this commit. A pass that its own process cannot
  /// prove heals nothing, and what is odd about it is reported.
  func retry(
    _ product: inout TestReportBuilder.Product, of listing: TestSession.Listing, with session: inout TestSession,
    _ record: inout StepRecord
  ) throws(IntegrationStop) {
    guard request.tests.retries > 0 else { return }
    let red = product.report.results.indices.filter {
      product.report.results[$0].state.isRed && product.report.results[$0].id.module != "?"
    }
    for (position, index) in red.enumerated() {
      let first = product.report.results[index]
      var attempts: [TestResult] = []
      while attempts.count < request.tests.retries, attempts.last?.state != .passed, session.timeLeft() > .zero {
        integrator.progress(
          .activity(words: "again: \(first.id)", done: position, total: red.count))
        try session.log.note(
          "$ # attempt \(attempts.count + 2) of \(request.tests.retries + 1): \(first.id)\n")
        let again = try session.runAlone(first, of: listing, keepsTraces: true, record: &record)
        guard var result = again.report.results.first(where: { $0.id == first.id }) else { break }
        if result.state == .passed, !again.isProven || !again.gaps.isEmpty || !again.unattributedFailures.isEmpty {
          result.state = .notRun
          product.report.add(again.report.sanitizerReports)
          product.gaps += again.gaps.map { .ofAttempt(attempts.count + 2, first.id, $0) }
        }
        attempts.append(result)
      }
      product.report.results[index] = first.retried(attempts)
    }
  }
}
