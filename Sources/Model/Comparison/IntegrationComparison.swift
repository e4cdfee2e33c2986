package import FoundationEssentials

/// Two integrations side by side: what differs from the first to the second.
///
/// It is made from their summary documents, and is itself the document that `martlet compare --json` prints. Paths are
/// relative to the package, those of commits to the repository; durations are in seconds.
package struct IntegrationComparison: Codable, Sendable, Hashable {
  /// The name and version of the format.
  package static let schemaName = "martlet.comparison/1"

  package var schema = IntegrationComparison.schemaName
  package var before: Side
  package var after: Side
  /// What differs apart from the commits: toolchain, system, settings; empty if everything known is the same.
  package var circumstances: [CircumstanceChange]
  package var counts: [CountChange]
  package var steps: [StepChange]
  /// Those of the leading destination of the second integration.
  package var tests: TestChanges
  /// Those of the other destinations of which both tell the tests; absent if there are none, and in older documents.
  package var destinations: [DestinationTests]?
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

  /// What became of the tests for one destination.
  package struct DestinationTests: Codable, Sendable, Hashable {
    package var name: String
    package var tests: TestChanges

    package init(_ name: String, _ tests: TestChanges) { (self.name, self.tests) = (name, tests) }
  }

  /// One of the two integrations.
  package struct Side: Codable, Sendable, Hashable {
    package var bot: String
    package var number: Int
    package var commit: IntegrationRecord.Commit
    package var branch: String?
    /// The destination that is compared; nil if the whole integration is, or if there is only one way to build.
    package var destination: String?
    package var outcome: Outcome
    /// How each destination ended, the leading one first; nil if there is only one, and in older documents.
    package var destinations: [DestinationResult]?
    package var reasons: [String]
    /// Whether only gates made the integration red.
    package var onlyGatesFailed: Bool
    /// Whether nothing but flaky tests kept it from succeeding.
    package var isOnlyFlaky: Bool
    /// The names of its flaky tests; nil without any, and in older documents.
    package var flakyTests: [String]?
    package var toolchain: String
    package var startedAt: Date
    package var duration: Double
    /// The state of all red tests, if they have one in common and nothing else made the integration red.
    package var redState: TestState?
    /// What is red or flaky and counts, kind by kind; nil without any, and in older documents.
    package var culprits: [HistoryLine.Culprits]?
    /// Whether the build was incremental; nil if unknown.
    package var warm: Bool?
    /// The integration that its own report compares the coverage with, if its baseline has none.
    package var coverageBaseline: Int?
    /// What its gates found; nil without any, and in older documents.
    package var gates: [GateResult]?

    package init(_ document: IntegrationRecord) {
      bot = document.bot
      number = document.number
      commit = document.commit
      branch = document.branch
      destination = document.cellName
      outcome = document.outcome
      destinations = document.cells.map { ([document] + $0).compactMap(\.destination) }
      reasons = document.reasons
      onlyGatesFailed = document.isFailedGate
      isOnlyFlaky = document.isOnlyFlaky
      flakyTests = document.tests.cases.filter { $0.flaky == true }.map { $0.displayName ?? $0.id.name }.nonEmpty
      toolchain = document.toolchain
      startedAt = document.startedAt
      duration = document.duration
      redState = document.redState
      culprits = document.culprits
      warm = document.steps.isBuildWarm
      coverageBaseline = document.coverageBaseline
      gates = document.gates
    }

    /// The outcome of the one destination whose tests, steps and coverage are compared.
    package var ownOutcome: Outcome { destinations?.first?.outcome ?? outcome }

    /// Whether the build of that destination failed.
    package var failedToBuild: Bool { ownOutcome == .buildErrors }
  }

  /// Whether both builds were incremental or both were clean, and both came to a good end or neither did, so that their
  /// durations can be compared.
  package var haveLikeBuilds: Bool {
    before.warm != nil && before.warm == after.warm && before.failedToBuild == after.failedToBuild
  }

  /// Returns the count of the given name, or nil if it is not listed.
  package func count(_ name: CountName) -> CountChange? { counts.first { $0.name == name } }
}

/// What something was in both integrations.
package struct Change<Name: Codable & Hashable & Sendable, Value: Codable & Hashable & Sendable>: Codable, Sendable,
  Hashable
{
  package var name: Name
  /// Nil if it was not set, not counted or not carried out.
  package var before: Value?
  package var after: Value?

  package init(_ name: Name, before: Value?, after: Value?) {
    self.name = name
    self.before = before
    self.after = after
  }
}

/// A difference other than the commits.
package typealias CircumstanceChange = Change<String, String>
/// A count in both integrations.
package typealias CountChange = Change<CountName, Int>
/// The durations of one step, in seconds.
package typealias StepChange = Change<Step, Double>

/// The names of counts; they match those of the summary document where it has one.
package enum CountName: String, Codable, CaseIterable, Sendable {
  case red, listed, passed, expectedFailures, skipped, notRun, canceled, flaky, filteredOut
  case warnings, analyzerWarnings
  case uncoveredLines, coveredLines, partialLines, uncoveredRegions, uncoveredFunctions
}

extension CountChange {
  /// The signed change; nil if it was not counted on one side.
  package var change: Int? { before.flatMap { before in after.map { $0 - before } } }
}

/// The open issues of both integrations, including silenced ones.
package struct IssueChanges: Codable, Sendable, Hashable {
  /// Open in the second integration only, although the first reached what would show them.
  package var new: [IntegrationRecord.FlatIssue]
  /// Open in the first integration only, although the second reached what would show them.
  package var gone: [IntegrationRecord.FlatIssue]
  /// Open in both integrations, as recorded in the second.
  package var both: [IntegrationRecord.FlatIssue]
  /// Open in the first integration; the second did not reach what would show them.
  package var notReached: [IntegrationRecord.FlatIssue]
  /// Open in the second integration, or resolved by it; the first did not reach what would show them.
  package var notReachedBefore: [IntegrationRecord.FlatIssue]
  /// Those of both that only the second integration has silenced; nil for none, and in comparisons by older versions.
  package var silenced: [IntegrationRecord.FlatIssue]?

  package init(
    new: [IntegrationRecord.FlatIssue], gone: [IntegrationRecord.FlatIssue],
    both: [IntegrationRecord.FlatIssue], notReached: [IntegrationRecord.FlatIssue],
    notReachedBefore: [IntegrationRecord.FlatIssue] = [], silenced: [IntegrationRecord.FlatIssue]? = nil
  ) {
    self.new = new
    self.gone = gone
    self.both = both
    self.notReached = notReached
    self.notReachedBefore = notReachedBefore
    self.silenced = silenced
  }
}
