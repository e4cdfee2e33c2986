package import Model

/// A namespace for turning the findings of an integration into issues.
package enum IssueFinder {
  /// Returns the issues of an integration, not yet compared with those of another and therefore without ids: errors
  /// first, then red tests, tests that quit, failed gates, triggers and warnings.
  ///
  /// A test whose result differs when it runs alone causes a warning, whichever of the two results is red: if it fails
  /// with the other tests, that failure is an issue of its own, and if it passes with them, nothing has failed yet.
  ///
  /// - Parameters:
  ///   - silenced: the silenced findings of red tests; anything else that such a test fails on is an issue of its own.
  ///   - looseReports: the sanitizer reports outside of any test.
  ///   - gates: the conditions on coverage that failed.
  ///   - isolation: the results of running each test alone, if that was done.
  ///   - serviceWarnings: what Martlet could not do as it should.
  ///   - steps: the step that found each diagnostic, if known.
  package static func issues(
    diagnostics: [Diagnostic], tests: [TestResult], silenced: SilencedFindings = SilencedFindings(),
    looseReports: [SanitizerReport] = [], gates: [OwnFinding] = [], isolation: IsolationReport? = nil,
    triggerErrors: [OwnFinding] = [], analysis: [Diagnostic] = [], serviceWarnings: [OwnFinding] = [],
    steps: [Diagnostic: Step] = [:]
  ) -> [Issue] {
    var found = diagnostics.filter { $0.severity == .error }.map { issue($0, of: steps[$0]) }
    found += tests.filter { $0.state.isRed && !$0.isRedBySanitizerAlone }.flatMap { issues(of: $0, silenced) }
    found += tests.compactMap { test in
      test.quit.map { issue(.quit, $0.words.capitalizedFirst, at: $0.location, of: test) }
    }
    found += tests.flatMap { test in
      test.sanitizerReports.map { issue(.sanitizer, $0.message, at: $0.location, of: test) }
    }
    found += looseReports.map { Issue(id: "", kind: .sanitizer, message: $0.placedMessage, location: $0.location) }
    found += gates.map { $0.issue(.gate) }
    found += triggerErrors.map { $0.issue(.triggerError) }
    found += diagnostics.filter { $0.severity == .warning }.map { issue($0, of: steps[$0]) }
    found += analysis.map {
      Issue(id: "", kind: .analyzerWarning, message: $0.message, location: $0.location)
    }
    found += tests.flatMap { test in
      test.warnings.map { issue(.warning, $0.message, at: $0.location, of: test) }
    }
    let places = tests.keyed(by: \.id, \.location)
    found += (isolation?.differing ?? []).map { issue($0, at: places[$0.id] ?? nil) }
    return found + serviceWarnings.map { $0.issue(.serviceWarning) }
  }

  /// A finding of Martlet itself, with a sentence for people.
  package struct OwnFinding: Hashable, Sendable {
    package var subject: IssueSubject
    package var sentence: String
    package var location: SourceLocation?
    private var failedGate: GateResult?

    package init(_ subject: IssueSubject, _ sentence: String, at location: SourceLocation? = nil) {
      self.subject = subject
      self.sentence = sentence
      self.location = location
    }

    /// - Parameter sentence: what to say of it.
    package init(_ gate: GateResult, _ sentence: String) {
      self.init(.gate(gate.rule), sentence, at: gate.location)
      failedGate = gate
    }

    fileprivate func issue(_ kind: Issue.Kind) -> Issue {
      var issue = Issue(id: "", kind: kind, message: sentence, location: location)
      issue.subject = subject
      issue.failedGate = failedGate
      return issue
    }
  }

  private static func issue(_ diagnostic: Diagnostic, of step: Step?) -> Issue {
    let kind: Issue.Kind =
      switch (diagnostic.severity, diagnostic.isLinker) {
      case (.error, true): .linkerError
      case (.error, false): .error
      default: .warning
      }
    var issue = Issue(id: "", kind: kind, message: diagnostic.message, location: diagnostic.location)
    issue.step = step
    return issue
  }

  /// Returns one issue for everything that a red test failed on, unless part of it is silenced.
  private static func issues(of result: TestResult, _ silenced: SilencedFindings) -> [Issue] {
    let kind = result.state.issueKind ?? .testFailure
    let parts = silenced.parts(of: result.findings, in: result.id, kind)
    return parts.map { part in
      let failures =
        parts.count == 1 ? result.failures : result.ownFailures.filter { part.contains(Fingerprint.of($0.message)) }
      var issue = issue(
        kind, failures.first?.message ?? defaultMessage(for: result, part),
        at: failures.lazy.compactMap(\.location).first, of: result)
      issue.findings = part
      issue.end = failures.first?.end
      return issue
    }
  }

  private static func issue(
    _ kind: Issue.Kind, _ message: String, at location: SourceLocation?, of test: TestResult
  ) -> Issue {
    var issue = Issue(id: "", kind: kind, message: message, location: location ?? test.location, test: test.id)
    issue.displayName = test.displayName
    return issue
  }

  private static func issue(_ difference: IsolationReport.Difference, at location: SourceLocation?) -> Issue {
    var issue = Issue(
      id: "", kind: .warning,
      message: "The result depends on the other tests: "
        + "\(difference.together.rawValue) with them, \(difference.alone.rawValue) alone.",
      location: location, test: difference.id)
    issue.subject = .orderDependence
    return issue
  }

  private static func defaultMessage(for result: TestResult, _ part: [String]) -> String {
    if part == [TestResult.unknownFindings] {
      return "Failures were left out, and nobody knows whether they are silenced."
    }
    return switch result.state {
    case .crashed: "The process ended while this test was running."
    case .timedOut: "The test took longer than it may."
    default: "The test failed without a message."
    }
  }
}
