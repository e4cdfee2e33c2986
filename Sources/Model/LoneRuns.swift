/// The runs of a test alone, and what they show beside its run with the others.
///
/// A test that depends on the others ends in the same different way each time it is alone. One that ends by chance does
/// so alone too, so one different result proves nothing.
package struct LoneRuns: Sendable {
  package enum Finding: Hashable, Sendable {
    /// It ends alone as it does with the others.
    case same
    /// It ends differently each time it is alone.
    case orderDependent
    /// It ends now so, now otherwise.
    case flaky
  }

  /// How often a test must end differently. A test that fails every other time by chance is then called dependent on the
  /// others in one case out of 32.
  package static let proof = 5

  private let together: TestResult
  private var runs: [TestResult] = []

  package init(of together: TestResult) { self.together = together }

  package mutating func note(_ run: TestResult) { runs.append(run) }

  /// What the runs show; nil as long as they show nothing.
  package var finding: Finding? {
    guard let first = runs.first else { return nil }
    if first.state == together.state { return .same }
    if runs.contains(where: { $0.state != first.state }) { return .flaky }
    return runs.count >= Self.proof ? .orderDependent : nil
  }

  /// The first run alone.
  package var first: TestAttempt? { runs.first.map { TestAttempt($0) } }

  /// The test's result with all its runs. A red one stays red: only a retry that was asked for makes up for a failure.
  package var joined: TestResult {
    var result = together
    result.attempts =
      (together.attempts.isEmpty ? [TestAttempt(together)] : together.attempts) + runs.map { TestAttempt($0) }
    result.isFlaky = together.isFlaky || together.state == .passed
    return result
  }
}
