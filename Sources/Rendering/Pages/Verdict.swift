package import Model

/// What one integration found, as the sentence that its page begins with.
package struct Verdict {
  /// The sentence, without a full stop.
  package let sentence: String

  /// Judges by the outcome; a number is said only where it was counted.
  package init(_ integration: Integration) {
    sentence =
      switch integration.outcome {
      case .succeeded, .warnings, .analyzerWarnings: Self.green(integration)
      case .testFailures: Self.testFailures(integration)
      case .buildErrors: Self.buildErrors(integration)
      case .incomplete: Self.incomplete(integration.tests.counts)
      case .triggerError: "A before-trigger failed"
      case .checkoutError: "The commit could not be checked out"
      case .canceled: "The integration was canceled"
      case .internalError: "Martlet could not do its job"
      }
  }

  private static func green(_ integration: Integration) -> String {
    let counts = integration.tests.counts
    var sentence = "Everything passed"
    if counts.listed == 0 {
      sentence = "The build succeeded; no tests were asked for"
    } else if counts.red > 0 {
      // Only silenced issues leave an integration green with tests that are not.
      sentence =
        "\(CountText.counted(counts.red, "red test")) \(counts.red == 1 ? "is" : "are") silenced, nothing else failed"
    } else if counts.passed < counts.listed {
      let all = CountText.counted(counts.listed, "test")
      sentence = "Nothing failed: \(CountText.plain(counts.passed)) of \(all) passed"
    }
    if let again = again(integration) { sentence += ", \(again)" }
    guard integration.outcome != .succeeded else { return sentence }
    let ofTests = integration.tests.results.reduce(0) { $0 + $1.warnings.count }
    let warnings = integration.diagnostics.filter { $0.severity == .warning }.count + ofTests
    let dependent = integration.tests.isolation?.differing.count ?? 0
    let analyzer = integration.issues.filter { $0.kind == .analyzerWarning && $0.status.isOpen }.count
    let found = [
      (counts.flaky, "flaky test"), (dependent, "order-dependent test"), (analyzer, "analyzer warning"),
      (warnings, "warning"),
    ].filter { $0.0 > 0 }.map { CountText.counted($0.0, $0.1) }
    return "\(sentence), with \(found.isEmpty ? "a warning" : CountText.list(found))"
  }

  /// What is green that was red in the baseline.
  private static func again(_ integration: Integration) -> String? {
    guard let baseline = integration.baseline, integration.tests.counts.listed > 0 else { return nil }
    if baseline.outcome == .buildErrors { return "and it builds, which \(CountText.plain(baseline.number)) did not" }
    let fixed = integration.tests.results.count {
      $0.state == .passed && !$0.isFlaky && baseline.states[$0.id]?.isRed == true
    }
    guard fixed > 0 else { return nil }
    return "\(CountText.counted(fixed, "test")) fixed since \(CountText.plain(baseline.number))"
  }

  private static func testFailures(_ integration: Integration) -> String {
    let counts = integration.tests.counts
    let gates = failedGates(integration)
    if integration.isFailedGate { return gates.prefix(1).uppercased() + gates.dropFirst() }
    guard counts.red > 0 else {
      let more = gates.isEmpty ? "" : ", and \(gates)"
      return "No test is red, but something failed outside of them\(more)"
    }
    let red = "\(CountText.counted(counts.red, "test")) \(counts.red == 1 ? "is" : "are") red"
    guard let baseline = integration.baseline else { return red }
    guard !baseline.states.isEmpty else { return "\(red); \(baseline.number) listed none to compare with" }
    let new = integration.tests.results.filter { $0.state.isRed && baseline.states[$0.id]?.isRed != true }.count
    switch (new, counts.red) {
    case (1, 1): return "\(red), new since \(baseline.number)"
    case (0, 1): return "\(red), as it was in \(baseline.number)"
    case (0, _): return "\(red), none of them new since \(baseline.number)"
    case (let new, let all) where new == all: return "\(red), all new since \(baseline.number)"
    default: return "\(red), \(CountText.plain(new)) of them new since \(baseline.number)"
    }
  }

  /// Which gates failed and count, in the middle of a sentence; empty when none did.
  private static func failedGates(_ integration: Integration) -> String {
    let silenced = Set(integration.issues.filter { $0.kind == .gate && $0.status == .silenced }.map(\.message))
    switch integration.gates.count(where: { $0.state == .failed && !silenced.contains($0.message) }) {
    case 0: return ""
    case 1: return "a gate failed"
    case let number: return "\(CountText.plain(number)) gates failed"
    }
  }

  private static func buildErrors(_ integration: Integration) -> String {
    let errors = integration.diagnostics.filter { $0.severity == .error }
    let isResolving = integration.steps.contains { $0.name == .resolving && $0.hasFailed }
    let failed = isResolving ? "The dependencies could not be resolved" : "The build failed"
    guard !errors.isEmpty else { return failed }
    let noun = errors.allSatisfy(\.isLinker) ? "linker error" : "error"
    return "\(failed): \(CountText.counted(errors.count, noun))"
  }

  private static func incomplete(_ counts: TestCounts) -> String {
    if counts.listed == 0 { return "Incomplete: no tests are listed" }
    if counts.notRun > 0 { return "Incomplete: \(CountText.counted(counts.notRun, "listed test")) did not run" }
    return "Incomplete: the end of the tests was not seen"
  }
}

extension StepRecord {
  /// Whether the step's process ended badly.
  var hasFailed: Bool { signal != nil || (exitStatus ?? 0) != 0 }
}
