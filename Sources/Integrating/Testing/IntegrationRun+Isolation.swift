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
      guard session.timeLeft() > .zero else {
        isolation.left += tests.count - done
        break
      }
      integrator.progress(.activity(words: "alone: \(test.id)", done: done, total: tests.count))
      let runs = try runAlone(test, of: listing, with: &session, &record)
      guard let finding = runs.finding else {
        // It ended differently, and there was no time to see whether it always does.
        isolation.left += 1
        continue
      }
      isolation.ran += 1
      switch finding {
      case .same: break
      case .flaky: report.results[index] = runs.joined
      case .orderDependent:
        guard let alone = runs.first else { continue }
        report.results[index].alone = alone
        isolation.differing.append(
          IsolationReport.Difference(
            id: test.id, together: test.state, alone: alone.state, message: alone.message))
      }
    }
    whole = IsolationReport(ran: isolation.ran, left: isolation.left, differing: isolation.differing)
  }

  /// Runs a test alone until it is clear what that shows, as long as there is time.
  private func runAlone(
    _ test: TestResult, of listing: TestSession.Listing, with session: inout TestSession, _ record: inout StepRecord
  ) throws(IntegrationStop) -> LoneRuns {
    var runs = LoneRuns(of: test)
    repeat {
      let alone = try session.runAlone(test, of: listing, keepsTraces: false, record: &record)
      guard let result = alone.report.results.first(where: { $0.id == test.id }) else { break }
      runs.note(result)
    } while runs.finding == nil && session.timeLeft() > .zero
    return runs
  }

  /// Returns the functions in the package's test targets that look like tests but are none.
  func neverRunMethods(in sources: [TestDeclarations.Source], beside run: TestRun) -> [NeverRunMethod] {
    let tests = run.report.results.map(\.id) + run.filteredOut
    let names = Set(tests.map { "\($0.module).\($0.suite)/\($0.name)" })
    return NeverRunMethods.find(in: sources).filter { !names.contains("\($0.target).\($0.name)") }
  }
}
