package import FoundationEssentials

/// Two integrations side by side: what differs from the first to the second.
///
/// It is made of their summary documents, and is itself the document that `martlet compare --json` prints. Paths are
/// relative to the package, those of commits to the repository; durations are seconds.
package struct IntegrationComparison: Codable, Sendable, Hashable {
  /// The name and version of the format.
  package static let schemaName = "martlet.comparison/1"

  package var schema = IntegrationComparison.schemaName
  package var before: Side
  package var after: Side
  /// What differs beside the commits: toolchain, system, settings; empty when all that is known is the same.
  package var circumstances: [CircumstanceChange]
  package var counts: [CountChange]
  package var steps: [StepChange]
  package var tests: TestChanges
  package var issues: IssueChanges
  package var coverage: CoverageSides
  package var commits: CommitsBetween

  package init(
    before: Side, after: Side, circumstances: [CircumstanceChange], counts: [CountChange], steps: [StepChange],
    tests: TestChanges, issues: IssueChanges, coverage: CoverageSides, commits: CommitsBetween
  ) {
    self.before = before
    self.after = after
    self.circumstances = circumstances
    self.counts = counts
    self.steps = steps
    self.tests = tests
    self.issues = issues
    self.coverage = coverage
    self.commits = commits
  }

  /// One of the two integrations.
  package struct Side: Codable, Sendable, Hashable {
    package var bot: String
    package var number: Int
    package var commit: IntegrationRecord.Commit
    package var branch: String?
    /// The destination that is compared; nil where the whole integration is, or there is only one way to build.
    package var destination: String?
    package var outcome: Outcome
    package var reasons: [String]
    /// Whether nothing but gates made it red.
    package var onlyGatesFailed: Bool
    package var toolchain: String
    package var startedAt: Date
    package var duration: Double
    /// Whether its build went on from an earlier one; nil where that is not known.
    package var warm: Bool?

    package init(_ document: IntegrationRecord) {
      bot = document.bot
      number = document.number
      commit = document.commit
      branch = document.branch
      destination = document.cellName
      outcome = document.outcome
      reasons = document.reasons
      onlyGatesFailed = document.isFailedGate
      toolchain = document.toolchain
      startedAt = document.startedAt
      duration = document.duration
      warm = document.steps.isBuildWarm
    }
  }

  /// Whether the builds began alike, so that how long they took can be compared.
  package var haveLikeBuilds: Bool { before.warm != nil && before.warm == after.warm }

  /// The count of that name in the list; nil when it is not there.
  package func count(_ name: CountChange.Name) -> CountChange? { counts.first { $0.name == name } }
}

/// Something beside the commits that differs.
package struct CircumstanceChange: Codable, Sendable, Hashable {
  package var name: String
  /// Nil when nothing was set or said.
  package var before: String?
  package var after: String?

  package init(_ name: String, before: String?, after: String?) {
    self.name = name
    self.before = before
    self.after = after
  }
}

/// One count in both integrations.
package struct CountChange: Codable, Sendable, Hashable {
  /// What is counted, by the summary document's names where it has one.
  package enum Name: String, Codable, CaseIterable, Sendable {
    case red, listed, passed, expectedFailures, skipped, notRun, canceled, flaky, filteredOut
    case warnings, analyzerWarnings
    case uncoveredLines, coveredLines, partialLines, uncoveredRegions, uncoveredFunctions
  }

  package var name: Name
  /// Nil where it was not counted.
  package var before: Int?
  package var after: Int?

  package init(_ name: Name, before: Int?, after: Int?) {
    self.name = name
    self.before = before
    self.after = after
  }

  /// The signed change; nil where one side was not counted.
  package var change: Int? { before.flatMap { before in after.map { $0 - before } } }
}

/// How long one step took in both integrations.
package struct StepChange: Codable, Sendable, Hashable {
  package var name: Step
  /// Seconds; nil where the step was not taken.
  package var before: Double?
  package var after: Double?

  package init(_ name: Step, before: Double?, after: Double?) {
    self.name = name
    self.before = before
    self.after = after
  }
}

/// The open issues of both integrations; silenced ones are among them.
package struct IssueChanges: Codable, Sendable, Hashable {
  /// Open in the second only.
  package var new: [IntegrationRecord.FlatIssue]
  /// Open in the first only, and the second reached what would show them.
  package var gone: [IntegrationRecord.FlatIssue]
  /// Open in both, as the second has them.
  package var both: [IntegrationRecord.FlatIssue]
  /// Open in the first, and the second did not reach what would show them.
  package var notReached: [IntegrationRecord.FlatIssue]

  package init(
    new: [IntegrationRecord.FlatIssue], gone: [IntegrationRecord.FlatIssue],
    both: [IntegrationRecord.FlatIssue], notReached: [IntegrationRecord.FlatIssue]
  ) {
    self.new = new
    self.gone = gone
    self.both = both
    self.notReached = notReached
  }
}
