extension TestResult {
  /// The result of a red test that was run again on the same commit.
  ///
  /// A test that passes at last is passed and flaky: it keeps the messages of its first attempt, and with them what the
  /// page can tell. A test that never passes keeps the gravest of its results, the first of several. An attempt that is
  /// skipped, canceled or not run proves nothing and heals nothing.
  ///
  /// - Parameter retries: the results of the later attempts, in order.
  package func retried(_ retries: [TestResult]) -> TestResult {
    guard state.isRed, let last = retries.last else { return self }
    let all = [self] + retries
    let order = TestState.allCases
    var result = self
    if last.state == .passed {
      result.state = .passed
      result.isFlaky = true
      result.duration = last.duration
    } else {
      let red = all.filter(\.state.isRed)
      let gravest = red.min { (order.firstIndex(of: $0.state) ?? 0) < (order.firstIndex(of: $1.state) ?? 0) }
      result = gravest ?? self
    }
    result.attempts = all.map {
      TestAttempt(state: $0.state, duration: $0.duration, message: $0.failures.first?.message)
    }
    result.attachments = all.flatMap(\.attachments)
    return result
  }
}
