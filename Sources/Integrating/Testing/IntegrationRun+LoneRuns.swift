import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Runs each test alone in a process of its own, and records which of them end differently than they did together:
  /// each time, or by chance.
  ///
  /// They run one after the other: tests share a temporary folder, a home and ports, so tests in two processes at once
  /// would not be alone. The step's time limit applies to both passes together. Nothing that runs here counts as
  /// covered, and what tests attach again is not kept again.
  func isolate(
    _ report: inout TestReport, of listing: TestSession.Listing, with session: inout TestSession,
    into whole: inout IsolationReport?, _ record: inout StepRecord
  ) throws(IntegrationStop) {
    guard request.tests.isolation else { return }
    let tests = report.results.enumerated().filter { $1.state != .notRun && $1.id.module != "?" }
    var isolation = whole ?? IsolationReport(ran: 0, differing: [])
    for (done, (index, test)) in tests.enumerated() {
      guard session.allowance.timeLeft() > .zero else {
        isolation.left += tests.count - done
        break
      }
      integrator.progress(.activity(words: "alone: \(test.id)", done: done, total: tests.count))
      let runs = try runAlone(test, of: listing, with: &session, &record)
      guard let finding = runs.finding else {
        // There was no time to see whether it ends differently, and whether it always does.
        isolation.left += 1
        continue
      }
      isolation.ran += 1
      switch finding {
      case .same: break
      case .flaky:
        report.results[index] = runs.joined
        isolation.unsteady = (isolation.unsteady ?? []) + [test.id]
      case .orderDependent:
        guard let alone = runs.first else { continue }
        report.results[index].alone = alone
        isolation.differing.append(
          IsolationReport.Difference(
            id: test.id, together: test.state, alone: alone.state, message: alone.message))
      }
    }
    whole = IsolationReport(
      ran: isolation.ran, left: isolation.left, differing: isolation.differing, unsteady: isolation.unsteady ?? [])
  }

  /// Runs a test alone until it is clear what that shows, as long as there is time.
  private func runAlone(
    _ test: TestResult, of listing: TestSession.Listing, with session: inout TestSession, _ record: inout StepRecord
  ) throws(IntegrationStop) -> LoneRuns {
    var runs = LoneRuns(of: test)
    repeat {
      let (alone, hadTime) = try session.runAlone(test, of: listing, keepsTraces: false, record: &record)
      guard hadTime, let result = alone.report.results.first(where: { $0.id == test.id }) else { break }
      runs.note(result)
    } while runs.finding == nil && session.allowance.timeLeft() > .zero
    return runs
  }

  /// Runs every red test again, alone and in a fresh process, as often as requested or until it passes.
  ///
  /// What the attempts run counts as covered: the tests did run it on this commit. A pass that its own process cannot
  /// prove heals nothing, and what is odd about it is reported, as is what a sanitizer found in any of them.
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
      var cutOff: TestResult?
      while attempts.count < request.tests.retries, attempts.last?.state != .passed,
        session.allowance.timeLeft() > .zero
      {
        integrator.progress(
          .activity(words: "again: \(first.id)", done: position, total: red.count))
        try session.output.log.note(
          .attempt(attempts.count + 2, of: request.tests.retries + 1, test: first.id.description))
        let (again, hadTime) = try session.runAlone(first, of: listing, keepsTraces: true, record: &record)
        product.report.add(again.report.sanitizerReports)
        guard var result = again.report.results.first(where: { $0.id == first.id }) else { break }
        guard hadTime else {
          cutOff = result
          break
        }
        if result.state == .passed, !again.isProven || !again.gaps.isEmpty || !again.unattributedFailures.isEmpty {
          result.state = .notRun
          product.gaps += again.gaps.map { .ofAttempt(attempts.count + 2, first.id, $0) }
        }
        attempts.append(result)
      }
      product.report.results[index] = first.retried(attempts, cutOff: cutOff)
    }
  }
}
