@testable import Model
import Testing

@testable import Rendering

/// Sentences about measured values that became worse.
extension VerdictTests {
  /// Lets tests measure 42 % more than before, and one of them be skipped.
  private func measureMore(_ integration: inout Integration, tests: Int = 1, unit: String = "seconds") {
    integration.tests = results(.passed, .passed, .skipped)
    integration.practice = PracticeCard(hints: [PracticeHint(.measurements, .attention, "")])
    let points = [(42, 1.42), (41, 1.0)].map { number, average in
      MeasurementTrend.Point(
        number: number, commit: CommitID(rawValue: "a"), branch: "main",
        figure: MeasuredFigure(metric: "Size", unit: unit, average: average, deviation: 0, repetitions: 3))
    }
    for test in integration.tests.results.prefix(tests) {
      integration.trends[test.id] = [MeasurementTrend(metric: "Size", unit: unit, points: points)]
    }
  }

  @Test("What became slower comes before what passed, and is told of what is green only")
  func worse() {
    #expect(sentence(.succeeded) { measureMore(&$0) } == "Green, but 1 measured time 42% slower; 2 tests passed")
    #expect(
      sentence(.succeeded) { measureMore(&$0, tests: 2) }
        == "Green, but 2 measured times up to 42% slower; 2 tests passed")
    #expect(
      sentence(.succeeded) { measureMore(&$0, unit: "kB") } == "Green, but 1 measured value 42% higher; 2 tests passed")
    #expect(
      sentence(.warnings) {
        measureMore(&$0)
        $0.diagnostics = [Diagnostic(severity: .warning, message: "unused", location: nil)]
      } == "1 warning; 1 measured time 42% slower; 2 tests passed")
    #expect(
      sentence(.warnings) {
        measureMore(&$0)
        $0.diagnostics = []
      } == "1 measured time 42% slower; 2 tests passed, a warning")
    #expect(
      sentence(.succeeded) {
        measureMore(&$0)
        $0.practice = nil
      } == "Green: 2 passed, 1 skipped", "The hint is switched off.")
    #expect(
      !sentence(.testFailures) {
        measureMore(&$0)
        $0.tests.results[0].state = .failed
      }.contains("slower"))
  }
}
