extension IntegrationRecord {
  /// The results of testing functions without their bodies, or why there are none; `mutants.json` has all functions.
  package struct MutantsSection: Codable, Sendable, Hashable {
    package var scope: MutationScope?
    package var reason: String?
    /// The number of functions whose missing body was noticed by some test.
    package var checked: Int?
    /// The functions that ran but that nothing checks.
    package var unchecked: [UncheckedFunction]?
    /// The number of functions that could not be judged, by reason; absent if there are none.
    package var notJudged: [String: Int]?

    init(_ mutants: Answer<MutationReport>) {
      reason = mutants.reason
      guard let report = mutants.value else { return }
      scope = report.scope
      let unchecked = report.unchecked
      checked = report.judgedCount - unchecked.count
      self.unchecked = unchecked.map(UncheckedFunction.init)
      let omissions = report.omissions
      notJudged = omissions.isEmpty ? nil : Dictionary(uniqueKeysWithValues: omissions.map { ($0.rawValue, $1) })
    }
  }

  /// A function that ran but that nothing checks.
  package struct UncheckedFunction: Codable, Sendable, Hashable {
    package var path: String
    package var line: Int
    package var name: String
    /// The number of tests that ran the function.
    package var tests: Int
    /// The replacements for the function's body that made no test fail.
    package var bodies: [MutantBody]
    /// Whether the integrated commits touched a line of the function; absent if they did not.
    package var changed: Bool?

    init(_ function: MutationReport.Function) {
      (path, line, name, tests) = (function.path, function.start.line, function.name, function.tests)
      bodies = function.unnoticed ?? []
      changed = function.isChanged ? true : nil
    }
  }
}

extension IntegrationRecord.CoverageSection {
  /// Functions with a touched line that ran but that nothing checks.
  package var uncheckedChanges: [IntegrationRecord.UncheckedFunction] {
    (mutants?.unchecked ?? []).filter { $0.changed == true }
  }
}
