package import FoundationEssentials

/// One numbered execution of a bot on one commit, as far as it has come.
package struct Integration: Sendable {
  package var bot: String
  package var number: Int
  /// The path of the watched repository.
  package var repository: String
  /// The folder of the package, relative to the repository; `.` for its root.
  package var packagePath: String
  package var branch: String?
  /// The tag that was asked for; nil for a branch.
  package var tag: String?
  package var commit: Commit
  /// The commits this integration covers, newest first; at least `commit`.
  package var commits: [Commit]
  /// Uncommitted files that were integrated with the commit; nil when only the commit was.
  package var workingTree: WorkingTreeChanges?
  package var cause: Cause
  /// Which settings of the package's `.martlet.yml` met which others; empty when it has none.
  package var settings: [SettingOrigin] = []
  /// What else it depends on, so that a later comparison can tell it from the commits.
  package var circumstances: [Circumstance] = []
  /// The version line of the toolchain, such as `Swift version 6.3.1 (swift-6.3.1-RELEASE)`.
  package var toolchain: String
  /// `debug` or `release`.
  package var configuration: String
  /// Which of a bot's destinations it is of; nil for a bot with only one way to build.
  package var destination: DestinationResult?
  /// What the other destinations came to, in the bot's order.
  package var cells: [Integration] = []
  /// How the code under test was contained, in one word.
  package var sandbox: String
  /// Whether tests ran in a sandbox without the machine's network.
  package var lacksNetwork = false
  /// What its builds and tests may take, in words.
  package var limits: String?
  package var outcome: Outcome
  /// Why the outcome is what it is.
  package var reasons: [OutcomeReason]
  /// What the package's own `.martlet.yml` takes out of sight.
  package var omissions: [PackageOmission] = []
  /// Whether nothing but gates failed, as the verdict has it; see `isFailedGate`.
  package var onlyGatesFailed = false
  package var queuedAt: Date
  package var startedAt: Date
  package var endedAt: Date
  package var steps: [StepRecord]
  package var diagnostics: [Diagnostic]
  /// What the analyze action found, each as a warning.
  package var analysis: [Diagnostic] = []
  package var tests: TestReport
  package var coverage: CoverageReport
  /// What it changed in the coverage; nil when the tests were not reached.
  package var changes: CoverageChanges?
  /// What became of the conditions on coverage that were asked for.
  package var gates: [GateResult]
  /// Conditions on coverage that an earlier integration failed and this one was not asked for; they stay owed.
  package var owedGates: [GateResult] = []
  package var issues: [Issue]
  /// All issues that are known, open and gone, with their streaks; empty where they were not followed.
  package var issueRecords: [IssueRecord] = []
  /// What the next integrations have to know of issues; nil where this one says nothing about the code.
  package var issueMemory: IssueMemory?
  /// What must be equal for two integrations to be comparable; nil where nothing is to be compared.
  package var scope: String?
  /// How each listed test ended in the integrations before, too; empty when no test ran.
  package var histories: [TestID: TestHistory] = [:]
  /// What `measure` gave in the last integrations, by test; only of tests that measured something.
  package var trends: [TestID: [MeasurementTrend]] = [:]
  /// Which tests are new, deleted and renamed; nil without a baseline with tests.
  package var testChanges: TestListChanges?
  /// Tests that take longer are slow, in seconds.
  package var slowMark = 0.1
  /// What it says about how the tests are written; nil when they were not reached.
  package var practice: PracticeCard?
  /// What it did to the colour of its baseline; nil where that says nothing.
  package var rhythm: Rhythm?
  /// The release products that were kept; empty when none were asked for.
  package var archive: [ArchivedFile] = []
  /// The integration this one is compared with.
  package var baseline: Baseline?
  /// The command that repeats this integration, in a form a shell takes.
  package var repeatCommand: String
  /// The same without the choice of tests, to which another can be added; nil where it is not known.
  package var unfilteredCommand: String?

  package init(
    bot: String, number: Int, repository: String, packagePath: String = ".", branch: String?, commit: Commit,
    cause: Cause, toolchain: String, configuration: String, sandbox: String, queuedAt: Date, repeatCommand: String
  ) {
    self.bot = bot
    self.number = number
    self.repository = repository
    self.packagePath = packagePath
    self.branch = branch
    self.commit = commit
    self.commits = [commit]
    self.cause = cause
    self.toolchain = toolchain
    self.configuration = configuration
    self.sandbox = sandbox
    self.outcome = .internalError
    self.reasons = []
    self.queuedAt = queuedAt
    self.startedAt = queuedAt
    self.endedAt = queuedAt
    self.steps = []
    self.diagnostics = []
    self.tests = TestReport()
    self.coverage = .unavailable(reason: "The tests were not reached.")
    self.gates = []
    self.issues = []
    self.repeatCommand = repeatCommand
  }

  /// Seconds from start to end.
  package var duration: Double { endedAt.timeIntervalSince(startedAt) }
}

/// Uncommitted changes that were integrated on top of a commit; paths relative to the repository, sorted.
package struct WorkingTreeChanges: Hashable, Sendable, Codable {
  package var modified: [String]
  package var untracked: [String]
  package var deleted: [String]

  package init(modified: [String], untracked: [String], deleted: [String]) {
    self.modified = modified
    self.untracked = untracked
    self.deleted = deleted
  }

  package var count: Int { modified.count + untracked.count + deleted.count }
}

extension Integration {
  /// Whether it is compared with one of its own branch; a new branch is compared with the one that it came from.
  package var followsItsBranch: Bool { baseline.map { $0.branch == branch } ?? true }
}

/// What is kept of the integration that another one is compared with.
package struct Baseline: Hashable, Sendable {
  package var number: Int
  /// Nil for a commit of no branch.
  package var branch: String?
  package var commit: CommitID
  package var outcome: Outcome
  package var tests: TestCounts
  /// Nil when that integration has no coverage, or not all of it.
  package var totals: CoverageTotals?
  /// The totals of each file, by path.
  package var files: [String: CoverageTotals]
  /// The target of each file, by path, as it was then.
  package var targets: [String: String] = [:]
  package var duration: Double
  package var warnings: Int
  package var states: [TestID: TestState]
  /// Those of its tests that ended their process.
  package var quits: Set<TestID> = []
  /// Its issues that were open, silenced ones included.
  package var issues: [Issue]
  /// What its coverage left out on request.
  package var exclusions: [CoverageExclusion] = []
  /// The version line of its toolchain; nil where that is not known.
  package var toolchain: String?
  /// Whether its build went on from an earlier one; nil where that is not known.
  package var isWarm: Bool?
  /// How long each of its steps took.
  package var stepDurations: [Step: Double] = [:]
  package var findings = BaselineFindings()
  /// The earlier integration that the coverage is of, where this one has no complete one; nil where it is its own.
  package var coverageFrom: Int?

  package init(
    number: Int, branch: String? = nil, commit: CommitID, outcome: Outcome, tests: TestCounts, totals: CoverageTotals?,
    files: [String: CoverageTotals], duration: Double, warnings: Int, states: [TestID: TestState],
    issues: [Issue] = []
  ) {
    self.number = number
    self.branch = branch
    self.commit = commit
    self.outcome = outcome
    self.tests = tests
    self.totals = totals
    self.files = files
    self.duration = duration
    self.warnings = warnings
    self.states = states
    self.issues = issues
  }

  /// The counts of its tests; nil where it did not come to them, or could not list them.
  package var reachedTests: TestCounts? {
    outcome == .buildErrors || outcome == .incomplete && tests.listed == 0 ? nil : tests
  }

  /// The compiler's warnings; nil where it did not come to all of the sources.
  package var builtWarnings: Int? { outcome == .buildErrors ? nil : warnings }

  /// Lets a file that was renamed be found by its new path.
  package mutating func rename(_ oldPath: String, to newPath: String) {
    if let totals = files.removeValue(forKey: oldPath) { files[newPath] = totals }
    if let target = targets.removeValue(forKey: oldPath) { targets[newPath] = target }
    for index in exclusions.indices where exclusions[index].path == oldPath { exclusions[index].path = newPath }
  }
}
