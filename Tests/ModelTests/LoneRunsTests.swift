import Model
import Testing

@Suite("A test that was also run alone")
struct LoneRunsTests {
  private func result(_ state: TestState) -> TestResult {
    let failures = state == .failed ? [TestFailure(location: nil, message: "tails")] : []
    return TestResult(
      id: TestID(module: "M", suite: "S", name: "t"), library: .xctest, state: state, duration: 1, failures: failures)
  }

  private func runs(_ together: TestState, _ alone: [TestState]) -> LoneRuns {
    var runs = LoneRuns(of: result(together))
    for state in alone { runs.note(result(state)) }
    return runs
  }

  @Test(
    "Depends on the others only if it ends differently each time, and is flaky if it varies",
    arguments: [
      ([], nil), ([.passed], .same), ([.failed], nil), ([.failed, .failed, .failed, .failed], nil),
      ([.failed, .failed, .failed, .failed, .failed], .orderDependent), ([.failed, .passed], .flaky),
      ([.failed, .failed, .crashed], .flaky),
    ] as [([TestState], LoneRuns.Finding?)])
  func finding(alone: [TestState], finding: LoneRuns.Finding?) {
    #expect(runs(.passed, alone).finding == finding)
  }

  @Test("Is flaky with all its runs, in their order")
  func flaky() {
    let joined = runs(.passed, [.failed, .passed]).joined
    #expect(joined.state == .passed)
    #expect(joined.isFlaky)
    #expect(joined.attempts.map(\.state) == [.passed, .failed, .passed])
    #expect(joined.attempts.map(\.message) == [nil, "tails", nil])
  }

  @Test("Stays red when it passes alone now and then")
  func red() {
    let joined = runs(.failed, [.passed, .failed]).joined
    #expect(joined.state == .failed)
    #expect(!joined.isFlaky)
    #expect(joined.attempts.map(\.state) == [.failed, .passed, .failed])
  }
}
