package import Model

/// Makes issues of what an integration found.
package enum IssueFinder {
  /// Returns the issues of an integration, not yet compared with another and therefore without ids: errors first, then
  /// red tests, failed gates, triggers, and warnings.
  ///
  /// A test that ends otherwise alone than with the others is a warning, whichever of the two is red: where it is red
  /// with the others, it has an issue of its own for that, and where it passes with them, nothing has failed yet.
  ///
  /// - Parameters:
  ///   - gates: the conditions on coverage that were asked for.
  ///   - looseReports: what sanitizers found outside every test.
  ///   - isolation: what came of running each test alone, if that was done.
  ///   - triggerErrors: sentences about triggers that failed.
  ///   - analysis: what the analyze action found.
  ///   - serviceWarnings: sentences about what Martlet could not do as it should.
  package static func issues(
    diagnostics: [Diagnostic], tests: [TestResult], looseReports: [SanitizerReport] = [], gates: [GateResult] = [],
    isolation: IsolationReport? = nil, triggerErrors: [String] = [], analysis: [Diagnostic] = [],
    serviceWarnings: [String] = []
  ) -> [Issue] {
    var found = diagnostics.filter { $0.severity == .error }.map(issue)
    found += tests.filter { $0.state.isRed && !$0.isRedBySanitizerAlone }.map(issue)
    found += tests.flatMap(sanitizerIssues)
    found += looseReports.map { Issue(id: "", kind: .sanitizer, message: $0.placedMessage, location: $0.location) }
    found += gates.filter { $0.state == .failed }.map {
      Issue(id: "", kind: .gate, message: $0.message, location: $0.location)
    }
    found += triggerErrors.map { Issue(id: "", kind: .triggerError, message: $0) }
    found += diagnostics.filter { $0.severity == .warning }.map(issue)
    found += analysis.map {
      Issue(id: "", kind: .analyzerWarning, message: $0.message, location: $0.location)
    }
    found += tests.flatMap(warnings)
    let places = Dictionary(tests.map { ($0.id, $0.location) }, uniquingKeysWith: { first, _ in first })
    found += (isolation?.differing ?? []).map { issue($0, at: places[$0.id] ?? nil) }
    return found + serviceWarnings.map { Issue(id: "", kind: .serviceWarning, message: $0) }
  }

  private static func issue(_ diagnostic: Diagnostic) -> Issue {
    let kind: Issue.Kind =
      switch (diagnostic.severity, diagnostic.isLinker) {
      case (.error, true): .linkerError
      case (.error, false): .error
      default: .warning
      }
    return Issue(id: "", kind: kind, message: diagnostic.message, location: diagnostic.location)
  }

  private static func issue(_ result: TestResult) -> Issue {
    let kind = result.state.issueKind ?? .testFailure
    let message = result.failures.first?.message ?? defaultMessage(for: result.state)
    let location = result.failures.lazy.compactMap(\.location).first ?? result.location
    return Issue(id: "", kind: kind, message: message, location: location, test: result.id)
  }

  private static func warnings(of result: TestResult) -> [Issue] {
    result.warnings.map { warning in
      Issue(
        id: "", kind: .warning, message: warning.message, location: warning.location ?? result.location,
        test: result.id)
    }
  }

  private static func sanitizerIssues(of result: TestResult) -> [Issue] {
    result.sanitizerReports.map { report in
      Issue(
        id: "", kind: .sanitizer, message: report.message, location: report.location ?? result.location,
        test: result.id)
    }
  }

  /// How the message of every issue of an order-dependent test begins.
  static let orderDependence = "The result depends on the other tests: "

  private static func issue(_ difference: IsolationReport.Difference, at location: SourceLocation?) -> Issue {
    Issue(
      id: "", kind: .warning,
      message: "\(orderDependence)\(difference.together.rawValue) with them, \(difference.alone.rawValue) alone.",
      location: location, test: difference.id)
  }

  private static func defaultMessage(for state: TestState) -> String {
    switch state {
    case .crashed: "The process ended while this test was running."
    case .timedOut: "The test took longer than it may."
    default: "The test failed without a message."
    }
  }
}
