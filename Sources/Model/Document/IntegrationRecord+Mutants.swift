extension IntegrationRecord {
  /// The results of testing functions without their bodies, or why there are none; `mutants.json` has all functions.
  package struct MutantsSection: Codable, Sendable, Hashable {
    package var scope: MutationScope?
    package var reason: String?
    /// The number of functions whose missing body was noticed by some test.
    package var checked: Int?
    /// The functions that ran but that nothing checks.
    package var unchecked: [UncheckedSubject]?
    /// The number of functions that could not be judged, by reason; absent if there are none.
    package var notJudged: [String: Int]?
    /// Absent if no condition was tried.
    package var conditions: ConditionsSection?

    init(_ mutants: Answer<MutationReport>) {
      reason = mutants.reason
      guard let report = mutants.value else { return }
      scope = report.scope
      let unchecked = report.unchecked
      checked = report.judgedCount - unchecked.count
      self.unchecked = unchecked.map(UncheckedSubject.init)
      notJudged = Self.counts(report.omissions)
      conditions = report.conditions.isEmpty ? nil : ConditionsSection(report)
    }

    fileprivate static func counts(_ omissions: [MutationReport.Omission: Int]) -> [String: Int]? {
      omissions.isEmpty ? nil : Dictionary(uniqueKeysWithValues: omissions.map { ($0.rawValue, $1) })
    }
  }

  /// The results of negating conditions.
  package struct ConditionsSection: Codable, Sendable, Hashable {
    /// The number of conditions whose negation was noticed by some test.
    package var checked: Int
    /// The conditions that ran but that nothing checks, in functions that are checked otherwise.
    package var unchecked: [UncheckedSubject]
    /// The number of conditions that could not be judged, by reason; absent if there are none.
    package var notJudged: [String: Int]?

    init(_ report: MutationReport) {
      checked = report.conditions.count { $0.isJudged && $0.unnoticed == nil }
      unchecked = report.uncheckedConditions.map(UncheckedSubject.init)
      notJudged = MutantsSection.counts(report.conditions.omissions)
    }
  }

  /// A function or a condition that ran but that nothing checks.
  package struct UncheckedSubject: Codable, Sendable, Hashable {
    package var path: String
    package var line: Int
    /// The function's name, or the condition's text.
    package var name: String
    /// The number of tests that ran it.
    package var tests: Int
    /// What was tried instead without any test failing.
    package var bodies: [MutantReplacement]
    /// Whether the integrated commits touched a line of it; absent if they did not.
    package var changed: Bool?

    package var isCondition: Bool { bodies.contains(.negation) }

    init(_ subject: MutationReport.Subject) {
      (path, line, name, tests) = (subject.path, subject.start.line, subject.name, subject.tests)
      bodies = subject.unnoticed ?? []
      changed = subject.isChanged ? true : nil
    }
  }
}

extension IntegrationRecord.CoverageSection {
  /// Functions, then conditions, with a touched line that ran but that nothing checks.
  package var uncheckedChanges: [IntegrationRecord.UncheckedSubject] {
    ((mutants?.unchecked ?? []) + (mutants?.conditions?.unchecked ?? [])).filter { $0.changed == true }
  }
}
