package import FoundationEssentials

/// The summary document of one integration, `integration.json`, as other programs read it.
///
/// This is the serialized form, kept separate from `Integration` so that either may change independently. Paths are
/// relative to the package; durations are in seconds. Readers ignore unknown keys.
package struct IntegrationRecord: Codable, Sendable, Hashable {
  /// The name and version of the format.
  package static let schemaName = "martlet.integration/1"

  package var schema: String
  package var bot: String
  package var number: Int
  package var repository: String
  /// The bot's first integration of this repository; absent if it had no other one before, and in older documents.
  package var repositorySince: Int?
  package var package: String
  package var branch: String?
  /// The tag that was integrated; absent for a branch, and in older documents.
  package var tag: String?
  package var commit: Commit
  package var commits: [Commit]
  package var workingTree: WorkingTreeChanges?
  package var cause: Cause
  /// Whether a person chose some of the tests for this one time; absent if not, and in older documents.
  package var chosenTests: Bool?
  /// Whether a newer commit of the branch told already how the branch stands; absent if not, and in older documents.
  package var behindBranch: Bool?
  /// The settings that the package's `.martlet.yml` mentions, and where their values come from; absent if there are
  /// none.
  package var settings: [SettingOrigin]?
  /// What the integration depends on apart from the commit; absent if unknown.
  package var circumstances: [Circumstance]?
  package var toolchain: String
  /// What tells the toolchain from others of the same version on its machine; absent in older documents.
  package var toolchainStamp: String?
  package var configuration: String
  /// The bot's destination that the document is about; absent for a bot with only one way to build.
  package var destination: DestinationResult?
  /// The results for the other destinations, each as a document of its own; absent if there are none.
  package var cells: [IntegrationRecord]?
  package var sandbox: String
  package var limits: String?
  package var outcome: Outcome
  /// Sentences explaining the outcome.
  package var reasons: [String]
  /// The code of each reason, in the same order; absent in older documents.
  package var reasonCodes: [OutcomeReason.Code]?
  /// What the package's own `.martlet.yml` hides; absent if it hides nothing.
  package var omissions: [PackageOmission]?
  /// Whether only gates failed; absent for any outcome but `test-failures`, and in older documents.
  package var onlyGatesFailed: Bool?
  package var queuedAt: Date
  package var startedAt: Date
  package var endedAt: Date
  package var duration: Double
  package var steps: [StepRecord]
  package var tests: Tests
  package var issues: [FlatIssue]
  /// The number of compiler warnings in this very build; open issues may include warnings that the build did not reach.
  /// Absent in older documents.
  package var warnings: Int?
  /// The number of warnings of the analyze action; absent if it was not carried out.
  package var analyzerWarnings: Int?
  package var coverage: CoverageSection
  package var gates: [GateResult]?
  /// Conditions on coverage that an earlier integration failed and that were not requested here; they remain owed.
  package var owedGates: [GateResult]?
  /// How the tests are written; absent if the tests were not reached.
  package var practice: PracticeCard?
  /// How the integration changed the colour of its baseline.
  package var rhythm: Rhythm?
  package var archive: [ArchivedFile]?
  package var deltas: Deltas?
  package var baseline: Int?
  /// The nearest integration of another branch in its history; absent if there is none, and in older documents.
  package var branchPoint: Int?
  /// The integration that the coverage is compared with, including in `deltas`; absent if it is `baseline`.
  package var coverageBaseline: Int?
  /// What must be equal for two integrations to be comparable; absent if nothing was built, and in older documents.
  package var scope: String?
  /// What later integrations need to know about issues, including those that are gone; absent if the integration says
  /// nothing about the code, and in older documents.
  package var issueMemory: IssueMemory?

  /// A commit with its full name.
  package struct Commit: Codable, Sendable, Hashable {
    package var id: CommitID
    package var summary: String
    package var author: String
    package var date: Date
  }

  /// An issue with its location flattened into properties.
  package struct FlatIssue: Codable, Sendable, Hashable {
    package var id: String
    package var kind: Issue.Kind
    package var status: Issue.Status
    package var message: String
    package var file: String?
    package var line: Int?
    package var column: Int?
    package var age: Int
    package var test: TestID?
    /// The fingerprints of the messages that a red test failed with; absent for other kinds.
    package var findings: [String]?
    /// The subject of an issue that Martlet itself found; absent for the findings of other programs, and in older
    /// documents.
    package var subject: IssueSubject?
    /// Whether the issue is open from before because the integration did not reach it, so that it may be gone; absent
    /// if the integration found the issue itself, and in older documents.
    package var carriedOver: Bool?
    /// Whether that is because its test failed again and passed on retry; absent if not, and in older documents.
    package var passedOnRetry: Bool?
    /// Why a resolved issue is gone; absent if nothing tells, and in older documents.
    package var ending: IssueRecord.Ending?
    /// The issue's streaks; absent if it was not followed.
    package var life: IssueLife?
    /// The people who probably caused the issue; absent if there is no evidence against anyone.
    package var suspects: [Suspect]?
    package var silence: Silence?
    /// A silence that has expired.
    package var endedSilence: Silence?
    /// Whether it is new, but its test both failed and passed on the same code before; absent if not.
    package var knownFlaky: Bool?
    /// The destinations that have the issue, or had it if it is resolved; absent if all do. Those of `elsewhere` are
    /// apart.
    package var destinations: [String]?
    /// The issue as other destinations have it, where it began, or has its reason, since another integration; absent if
    /// there are none, and in older documents.
    package var elsewhere: [FlatIssue]?
  }

  /// Signed changes against the baseline.
  package struct Deltas: Codable, Sendable, Hashable {
    /// Absent if one of the two integrations did not reach its tests.
    package var tests: [String: Int]?
    package var lines: LineTally?
    package var regions: Tally?
    package var functions: Tally?
    /// Absent, as in the files, if one of the two has none.
    package var branches: Tally?
    package var warnings: Int?
    /// Absent, like everything below except `openIssues` and `duration`, if unknown for one of the two integrations.
    package var analyzerWarnings: Int?
    package var openIssues: Int?
    package var testWarnings: Int?
    package var orderDependent: Int?
    package var slow: Int?
    package var neverRun: Int?
    /// Practice hints that ask for a look.
    package var hints: Int?
    package var duration: Double
    /// The files whose figures changed, sorted by path; absent if there are none, or if nothing could be compared.
    package var files: [FileDelta]?
  }

  /// The signed changes of one file's figures.
  package struct FileDelta: Codable, Sendable, Hashable {
    package var path: String
    package var lines: LineTally
    package var regions: Tally
    package var functions: Tally
    package var branches: Tally?
  }
}

extension IntegrationRecord {
  /// - Parameter words: puts a reason into words.
  package init(_ integration: Integration, words: (OutcomeReason) -> String) {
    schema = Self.schemaName
    bot = integration.bot
    number = integration.number
    repository = integration.repository
    repositorySince = integration.repositorySince
    package = integration.packagePath
    branch = integration.branch
    tag = integration.tag
    commit = Commit(integration.commit)
    commits = integration.commits.map(Commit.init)
    workingTree = integration.workingTree
    cause = integration.cause
    chosenTests = integration.choosesTests ? true : nil
    behindBranch = integration.isBehindBranch ? true : nil
    settings = integration.settings.nonEmpty
    circumstances = integration.circumstances.nonEmpty
    toolchain = integration.toolchain
    toolchainStamp = integration.toolchainStamp
    configuration = integration.configuration
    destination = integration.destination
    cells = integration.cells.nonEmpty?.map { IntegrationRecord($0, words: words) }
    sandbox = integration.sandbox
    limits = integration.limits
    outcome = integration.outcome
    reasons = integration.reasons.map(words)
    reasonCodes = integration.reasons.nonEmpty?.map(\.code)
    omissions = integration.omissions.nonEmpty
    onlyGatesFailed = integration.outcome == .testFailures ? integration.onlyGatesFailed : nil
    queuedAt = integration.queuedAt
    startedAt = integration.startedAt
    endedAt = integration.endedAt
    duration = integration.duration.roundedToMilliseconds
    steps = integration.steps.map { record in
      var record = record
      record.duration = record.duration.roundedToMilliseconds
      record.cpu = record.cpu?.roundedToMilliseconds
      return record
    }
    tests = Tests(integration.tests)
    tests.tell(integration)
    issues = integration.issues.map(FlatIssue.init)
    warnings = integration.warningCount
    analyzerWarnings = BaselineFindings(integration).analyzerWarnings
    coverage = CoverageSection(integration.coverage)
    coverage.changes = integration.changes.map(ChangesSection.init)
    gates = integration.gates.nonEmpty
    owedGates = integration.owedGates.nonEmpty
    practice = integration.practice
    rhythm = integration.rhythm
    archive = integration.archive.nonEmpty
    deltas = integration.deltas.map(Deltas.init)
    baseline = integration.baseline?.number
    branchPoint = integration.branchPoint
    coverageBaseline = integration.baseline?.coverageFrom
    scope = integration.scope
    issueMemory = integration.issueMemory
    if let earlier = integration.earlier { repeatResults(of: earlier) }
  }
}

extension IntegrationRecord.Commit {
  fileprivate init(_ commit: Model.Commit) {
    self.init(id: commit.id, summary: commit.summary, author: commit.author, date: commit.date)
  }
}

extension IntegrationRecord.FlatIssue {
  /// Creates the serialized form of an issue.
  package init(_ issue: Issue) {
    self.init(
      id: issue.id, kind: issue.kind, status: issue.status, message: issue.message, file: issue.location?.file,
      line: issue.location?.line, column: issue.location?.column, age: issue.age, test: issue.test,
      findings: issue.findings.nonEmpty, subject: issue.subject,
      carriedOver: issue.isCarriedOver ? true : nil, passedOnRetry: issue.passedOnRetry ? true : nil,
      ending: issue.ending,
      life: issue.life, suspects: issue.suspects.nonEmpty, silence: issue.silence,
      endedSilence: issue.endedSilence, knownFlaky: issue.isKnownFlaky ? true : nil,
      destinations: issue.destinations.nonEmpty, elsewhere: issue.elsewhere.map(Self.init).nonEmpty)
  }
}

extension IntegrationRecord.Deltas {
  fileprivate init(_ deltas: Model.Deltas) {
    self.init(
      tests: deltas.tests?.byName, lines: deltas.coverage?.lines, regions: deltas.coverage?.regions,
      functions: deltas.coverage?.functions, branches: deltas.coverage?.branches, warnings: deltas.warnings,
      analyzerWarnings: deltas.analyzerWarnings,
      openIssues: deltas.openIssues, testWarnings: deltas.testWarnings, orderDependent: deltas.orderDependent,
      slow: deltas.slowTests, neverRun: deltas.neverRun, hints: deltas.hints,
      duration: deltas.duration.roundedToMilliseconds,
      files: deltas.files.nonEmpty?.sorted { $0.key < $1.key }.map { path, totals in
        IntegrationRecord.FileDelta(
          path: path, lines: totals.lines, regions: totals.regions, functions: totals.functions,
          branches: totals.branches)
      })
  }
}

extension Double {
  /// The value rounded to three decimals, so that documents do not contain digits that no clock measured.
  package var roundedToMilliseconds: Double { (self * 1000).rounded() / 1000 }
  /// The value rounded to six decimals, for durations that are added up: many tests take less than a millisecond.
  package var roundedToMicroseconds: Double { (self * 1_000_000).rounded() / 1_000_000 }
  /// Whether this many seconds can be a duration: more than a year is a mistake, and may not survive rounding.
  package var isDuration: Bool { abs(self) < 366 * 86_400 }
}

extension IntegrationRecord {
  /// The number of tests that take longer than they should.
  package struct Slow: Codable, Sendable, Hashable {
    package var mark: Double
    package var count: Int
  }

  /// The history of a test in the last integrations.
  package struct History: Codable, Sendable, Hashable {
    /// The number of integrations in which the test ran, including this one, and of those in which it was red.
    package var runs: Int
    package var red: Int
    /// The integration that began the red streak, and the number of commits in the streak; absent if the test is not
    /// red.
    package var redSince: Int?
    package var redCommits: Int?
    /// The integrations that prove the test flaky, newest first; absent if there are none.
    package var flakyIn: [Int]?
  }
}

extension Integration {
  /// The slow tests, the slowest first.
  package var slowTests: [TestResult] {
    tests.results.filter(isSlow)
      .sorted { ($1.duration, $0.id) < ($0.duration, $1.id) }
  }

  /// Returns whether a test finished and took longer than it should, for which XCTest is no reason.
  package func isSlow(_ test: TestResult) -> Bool {
    let before = histories[test.id]?.runs.first { $0.number != number }
    return test.isSlow(beyond: slowMark, before: before?.verdict.time)
  }
}

extension IntegrationRecord {
  /// The development of one metric of a test: the current figure, its change since the last integration that measured
  /// it, and the earlier figures.
  package struct Trend: Codable, Sendable, Hashable {
    package var metric: String
    package var unit: String
    package var average: Double
    /// The standard deviation as a fraction of the average.
    package var deviation: Double
    /// The number of the integration compared with, the signed change as a fraction of the figure there, and the
    /// resulting verdict: `higher`, `lower` or `same`; absent if no earlier figure is known.
    package var since: Int?
    package var change: Double?
    package var course: MeasurementChange.Course?
    /// Newest first, including this integration.
    package var points: [TrendPoint]
  }

  /// One integration of a trend.
  package struct TrendPoint: Codable, Sendable, Hashable {
    package var number: Int
    package var commit: CommitID
    /// Absent, like the deviation, if no measurement is known; `missing` then says why.
    package var average: Double?
    package var deviation: Double?
    package var missing: String?
    /// What else differs from the previous integration that measured; absent if no difference is known.
    package var differing: [String]?
  }
}

extension IntegrationRecord.Trend {
  /// Nil for a trend without a newest figure, which does not occur.
  init?(_ trend: MeasurementTrend) {
    guard let figure = trend.points.first?.figure else { return nil }
    let newest = trend.newest
    self.init(
      metric: trend.metric, unit: trend.unit, average: figure.average.rounded(to: 9),
      deviation: figure.deviation.rounded(to: 4), since: newest?.since.number,
      change: newest?.change.share?.rounded(to: 4), course: newest?.change.course(),
      points: trend.points.map(IntegrationRecord.TrendPoint.init))
  }
}

extension IntegrationRecord.TrendPoint {
  fileprivate init(_ point: MeasurementTrend.Point) {
    self.init(
      number: point.number, commit: point.commit, average: point.figure?.average.rounded(to: 9),
      deviation: point.figure?.deviation.rounded(to: 4), missing: point.gap?.word,
      differing: point.differing.nonEmpty)
  }
}

extension MeasurementTrend.Gap {
  /// The reason in one word: an outcome, a test's state, `not-measured`, `not-listed` or `removed`.
  fileprivate var word: String {
    switch self {
    case .outcome(let outcome): outcome.rawValue
    case .test(.passed): "not-measured"
    case .test(let state): state.rawValue
    case .notListed: "not-listed"
    case .removed: "removed"
    }
  }
}

extension Double {
  /// Returns the value rounded to some decimals, so that documents do not contain digits that were never measured.
  fileprivate func rounded(to decimals: Int) -> Double {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (self * scale).rounded() / scale
    return rounded.isFinite ? rounded : self
  }
}
