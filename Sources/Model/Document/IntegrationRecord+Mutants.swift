extension IntegrationRecord {
  /// What tests made of functions without their bodies, or why that is not known; `mutants.json` has all functions.
  package struct MutantsSection: Codable, Sendable, Hashable {
    package var scope: MutationScope?
    package var reason: String?
    /// How many functions some test noticed the lack of.
    package var checked: Int?
    /// Those that ran and nothing checks.
    package var unchecked: [UncheckedFunction]?
    /// How many functions could not be judged, by the reason; absent when all could.
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

  /// A function that ran and nothing checks.
  package struct UncheckedFunction: Codable, Sendable, Hashable {
    package var path: String
    package var line: Int
    package var name: String
    /// How many tests ran it.
    package var tests: Int
    /// What stood in the place of its body without any test failing.
    package var bodies: [MutantBody]
    /// Whether the integrated commits touched a line of it; absent where they did not.
    package var changed: Bool?

    init(_ function: MutationReport.Function) {
      (path, line, name, tests) = (function.path, function.start.line, function.name, function.tests)
      bodies = function.unnoticed ?? []
      changed = function.isChanged ? true : nil
    }
  }
}

extension IntegrationRecord.CoverageSection {
  /// Functions with a touched line that ran and that nothing checks.
  package var uncheckedChanges: [IntegrationRecord.UncheckedFunction] {
    (mutants?.unchecked ?? []).filter { $0.changed == true }
  }
}
