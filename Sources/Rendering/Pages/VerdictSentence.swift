package import Model

/// What one integration found, as the sentence that its page begins with.
package struct VerdictSentence {
  /// The sentence, without a full stop.
  package let sentence: String

  /// Judges by the outcome; a number is said only where it was counted.
  package init(_ integration: Integration) {
    sentence =
      switch integration.outcome {
      case .succeeded, .warnings, .analyzerWarnings: Self.green(integration)
      case .testFailures: Self.testFailures(integration)
      case .buildErrors: Self.buildErrors(integration)
      case .incomplete: Self.incomplete(integration.tests)
      case .triggerError: "A before-trigger failed"
      case .checkoutError: "The commit could not be checked out"
      case .canceled: "The integration was canceled"
      case .internalError: "Martlet could not do its job"
      }
  }

  private static func green(_ integration: Integration) -> String {
    let counts = integration.tests.counts
    let omitted = Set(integration.omissions.map(\.code))
    var sentence = omitted.contains(.testsLeftOut) ? "Everything that ran passed" : "Everything passed"
    if counts.listed == 0 {
      sentence = "The build succeeded; no tests \(omitted.contains(.testsNotRun) ? "ran" : "were asked for")"
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
    let analyzer = integration.findings.filter { $0.kind == .analyzerWarning && $0.status.isOpen }.count
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
    let more = gates.isEmpty ? "" : ", and \(gates)"
    guard counts.red > 0 else { return "No test is red, but something failed outside of them\(more)" }
    let red = "\(CountText.counted(counts.red, "test")) \(counts.red == 1 ? "is" : "are") red"
    guard let baseline = integration.baseline else { return red + more }
    guard !baseline.states.isEmpty else { return "\(red); \(baseline.number) listed none to compare with\(more)" }
    let comebacks = integration.comebacks
    let anew = integration.testsRedAnew
    let notBefore = integration.tests.results.filter {
      $0.state.isRed && (baseline.states[$0.id]?.isRed != true || anew.contains($0.id))
    }
    let back = notBefore.compactMap { comebacks[$0.id] }
    return red + news(notBefore.count - back.count, back, of: counts.red, since: baseline.number) + more
  }

  /// How many of the red tests are new, and how many came back, as it fits behind their number.
  private static func news(
    _ new: Int, _ back: [(lastSeen: Int, back: Int)], of all: Int, since number: Int
  ) -> String {
    switch (new, back.count, all) {
    case (1, 0, 1): return ", new since \(number)"
    case (0, 1, 1): return ", came back (\(back[0].lastSeen), \(back[0].back))"
    case (0, 0, 1): return ", as it was in \(number)"
    case (0, 0, _): return ", none of them new since \(number)"
    case (all, _, _): return ", all new since \(number)"
    case (_, all, _): return ", all came back"
    case (0, _, _): return ", \(CountText.plain(back.count)) of them came back"
    case (_, 0, _): return ", \(CountText.plain(new)) of them new since \(number)"
    default: return ", \(CountText.plain(new)) of them new since \(number), \(CountText.plain(back.count)) came back"
    }
  }

  /// Which gates failed and count, in the middle of a sentence; empty when none did.
  private static func failedGates(_ integration: Integration) -> String {
    let silenced = Set(integration.issues.filter { $0.kind == .gate && $0.status == .silenced }.compactMap(\.gate))
    let failed = integration.gates.filter { $0.state == .failed && !silenced.contains($0.rule) }
    switch failed.count {
    case 0: return ""
    case 1: return "\(failed[0].name) failed"
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

  private static func incomplete(_ tests: TestReport) -> String {
    let counts = tests.counts
    if counts.listed == 0 { return "Incomplete: no tests are listed" }
    let quit = tests.results.filter { $0.quit != nil }
    let parts = [
      quit.count == 1 ? quit[0].quit.map { "\(quit[0].title) \($0.words)" } : nil,
      quit.count > 1 ? "\(CountText.plain(quit.count)) tests ended the process" : nil,
      counts.unseen > 0 ? "\(CountText.counted(counts.unseen, "listed test")) did not run" : nil,
    ].compactMap(\.self)
    return "Incomplete: \(parts.isEmpty ? "the end of the tests was not seen" : CountText.list(parts))"
  }
}

extension Integration {
  /// The red tests that were red before, but not in the baseline, with when.
  fileprivate var comebacks: [TestID: (lastSeen: Int, back: Int)] {
    let known = issues.filter(\.kind.isOfRedTest).compactMap { issue in
      issue.test.flatMap { test in issue.comeback.map { (test, $0) } }
    }
    return Dictionary(known, uniquingKeysWith: { first, _ in first })
  }
}

extension StepRecord {
  /// Whether the step's process ended badly.
  var hasFailed: Bool { signal != nil || (exitStatus ?? 0) != 0 }
}
