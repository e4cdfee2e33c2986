package import FoundationEssentials

/// One numbered execution of a bot on a commit, possibly still in progress.
package struct Integration: Sendable {
  package var bot: String
  package var number: Int
  /// The path of the watched repository.
  package var repository: String
  /// The bot's first integration of this repository; nil if it had no other one before.
  package var repositorySince: Int?
  /// The folder of the package, relative to the repository; `.` for its root.
  package var packagePath: String
  package var branch: String?
  /// The tag that was requested; nil for a branch.
  package var tag: String?
  package var commit: Commit
  /// The commits this integration covers, newest first; at least `commit`.
  package var commits: [Commit]
  /// Uncommitted files that were integrated with the commit; nil if only the commit was.
  package var workingTree: WorkingTreeChanges?
  package var cause: Cause
  /// Whether a person chose some of the tests for this one time.
  package var choosesTests = false
  /// Whether a newer commit of the branch told already how the branch stands.
  package var isBehindBranch = false
  /// The settings that the package's `.martlet.yml` mentions, and where their values come from; empty if it has none.
  package var settings: [SettingOrigin] = []
  /// What the integration depends on apart from the commits, so that a later comparison can tell them apart.
  package var circumstances: [Circumstance] = []
  /// The version line of the toolchain, such as `Swift version 6.3.1 (swift-6.3.1-RELEASE)`.
  package var toolchain: String
  /// What tells the toolchain from others of the same version on its machine; nil if unknown.
  package var toolchainStamp: String?
  /// `debug` or `release`.
  package var configuration: String
  /// The bot's destination that this integration is for; nil for a bot with only one way to build.
  package var destination: DestinationResult?
  /// The results for the other destinations, in the bot's order.
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
  /// What the package's own `.martlet.yml` hides.
  package var omissions: [PackageOmission] = []
  /// Whether only gates failed according to the verdict; see `isFailedGate`.
  package var onlyGatesFailed = false
  package var queuedAt: Date
  package var startedAt: Date
  package var endedAt: Date
  package var steps: [StepRecord]
  package var diagnostics: [Diagnostic]
  /// The findings of the analyze action, each as a warning.
  package var analysis: [Diagnostic] = []
  package var tests: TestReport
  package var coverage: CoverageReport
  /// What the integration changed in the coverage; nil if the tests were not reached.
  package var changes: CoverageChanges?
  /// The results of the requested conditions on coverage.
  package var gates: [GateResult]
  /// Conditions on coverage that an earlier integration failed and that were not requested here; they remain owed.
  package var owedGates: [GateResult] = []
  package var issues: [Issue]
  /// All known issues, open and gone, with their streaks; empty if issues were not followed.
  package var issueRecords: [IssueRecord] = []
  /// What later integrations need to know about issues; nil if this one says nothing about the code.
  package var issueMemory: IssueMemory?
  /// What must be equal for two integrations to be comparable; nil if there is nothing to compare.
  package var scope: String?
  /// How each listed test ended, including in earlier integrations; empty if no test ran.
  package var histories: [TestID: TestHistory] = [:]
  /// Who added tests that were flaky from their first run on in earlier integrations, and are here.
  package var flakyAdditions: [TestID: TestAddition] = [:]
  /// The results of `measure` in the last integrations, by test; only for tests that measured anything.
  package var trends: [TestID: [MeasurementTrend]] = [:]
  /// Who probably made measured values worse than in the integration compared with, by test.
  package var worseCauses: [TestID: WorseCause] = [:]
  /// The tests that are new, deleted or renamed; nil without a baseline with tests.
  package var testChanges: TestListChanges?
  /// The time, in seconds, above which a test is slow.
  package var slowMark = 0.1
  /// How the tests are written; nil if they were not reached.
  package var practice: PracticeCard?
  /// How the integration changed the colour of its baseline; nil if that says nothing.
  package var rhythm: Rhythm?
  /// The release products that were kept; empty if none were requested.
  package var archive: [ArchivedFile] = []
  /// The integration that this one is compared with.
  package var baseline: Baseline?
  /// The number of the nearest integration of another branch in its history; nil if its branch came from none.
  package var branchPoint: Int?
  /// The document of the earlier integration of the same commit whose results these are; nil for results of its own.
  package var earlier: IntegrationRecord?
  /// The command that repeats this integration, quoted for a shell.
  package var repeatCommand: String
  /// The same command without a choice of tests, so that another can be added; nil if unknown.
  package var unfilteredCommand: String?
  /// The command that repeats a bot's integration, with what it was compared with, quoted for a shell; nil for a run
  /// from the shell and for one of several destinations.
  package var rerunCommand: String?
  /// The command that builds the same in a checkout, quoted for a shell; nil if unknown.
  package var buildCommand: String?
  /// The command that tests the same in a checkout, quoted for a shell, to which a choice of tests can be added; nil if
  /// unknown.
  package var testCommand: String?

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
    self.coverage = .unavailable(reason: "No tests ran.")
    self.gates = []
    self.issues = []
    self.repeatCommand = repeatCommand
  }

  /// The seconds from start to end; for one of several destinations those of its steps, since in between the others went
  /// on, or were built at the same time.
  package var duration: Double { isCell ? steps.duration : endedAt.timeIntervalSince(startedAt) }
}

/// Uncommitted changes that were integrated on top of a commit; paths are relative to the repository and sorted.
package struct WorkingTreeChanges: Hashable, Sendable, Codable {
  private enum CodingKeys: String, CodingKey {
    case modified
    /// Documents of version 1 call them so.
    case added = "untracked"
    case deleted
  }

  package var modified: [String]
  /// Files that the commit does not have, staged or not.
  package var added: [String]
  package var deleted: [String]

  package init(modified: [String], added: [String], deleted: [String]) {
    self.modified = modified
    self.added = added
    self.deleted = deleted
  }

  package var count: Int { modified.count + added.count + deleted.count }
}

extension Integration {
  /// Whether a person ran it from a shell, without a bot.
  package var isFromShell: Bool { cause == .person && rerunCommand == nil && !isCell }

  /// Whether the baseline is of the same branch; a new branch is compared with the one that it came from.
  package var followsItsBranch: Bool { baseline.map { $0.branch == branch } ?? true }
}

/// The data kept of an integration that another one is compared with.
package struct Baseline: Hashable, Sendable {
  package var number: Int
  /// Nil for a commit that is on no branch.
  package var branch: String?
  package var commit: CommitID
  /// That of the one destination whose tests, build and coverage these are.
  package var outcome: Outcome
  /// That of all destinations together; nil for a bot with only one way to build.
  package var combinedOutcome: Outcome?
  /// The destination, if the report has it in a folder of its own: it did not lead there.
  package var cell: String?
  package var tests: TestCounts
  /// Nil if the integration has no coverage, or incomplete coverage, or if tests of it did not run.
  package var totals: CoverageTotals?
  /// The totals of each file, by path.
  package var files: [String: CoverageTotals]
  /// The target of each file at the time, by path.
  package var targets: [String: String] = [:]
  package var duration: Double
  package var warnings: Int
  package var states: [TestID: TestState]
  /// The tests that ended their process.
  package var quits: Set<TestID> = []
  /// The issues that were open, including silenced ones.
  package var issues: [Issue]
  /// The source that the coverage left out on request.
  package var exclusions: [CoverageExclusion] = []
  /// The version line of the toolchain; nil if unknown.
  package var toolchain: String?
  /// What tells the toolchain from others; nil if unknown.
  package var toolchainMark: ToolchainMark?
  /// Whether the build was incremental; nil if unknown.
  package var isWarm: Bool?
  /// The duration of each step.
  package var stepDurations: [Step: Double] = [:]
  package var findings = BaselineFindings()
  /// The earlier integration that the coverage comes from if this one has none that is complete; nil if it is its own.
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

  /// The outcome of the integration as a whole.
  package var wholeOutcome: Outcome { combinedOutcome ?? outcome }

  /// The counts of the tests; nil if the integration did not reach them, or could not list them.
  package var reachedTests: TestCounts? {
    outcome == .buildErrors || outcome == .incomplete && tests.listed == 0 ? nil : tests
  }

  /// The number of compiler warnings; nil if not all sources were compiled.
  package var builtWarnings: Int? { outcome == .buildErrors ? nil : warnings }

  /// Makes renamed files available under their new paths.
  package mutating func follow(_ comparison: CoverageComparison) {
    for file in comparison.files {
      guard let oldPath = file.oldPath else { continue }
      if let totals = files.removeValue(forKey: oldPath) { files[file.path] = totals }
      if let target = targets.removeValue(forKey: oldPath) { targets[file.path] = target }
      for index in exclusions.indices where exclusions[index].path == oldPath { exclusions[index].path = file.path }
    }
  }

  /// Makes what is known of tests available under the names that they have by now.
  package mutating func follow(_ changes: TestListChanges) {
    let names = TestListChanges.Names(after: changes)
    guard !names.areAsBefore else { return }
    let old = states
    states = [:]
    for (test, state) in old {
      if let name = names[test] { states[name] = state }
    }
    quits = Set(quits.compactMap { names[$0] })
    for index in issues.indices {
      if let test = issues[index].test { issues[index].test = names[test] ?? test.withoutPlace }
    }
  }
}

extension Integration {
  /// Returns the number of the first integration in which a flaky test was red by chance; nil for a test that is not
  /// proved flaky.
  package func flakySince(_ test: TestID) -> Int? { histories[test]?.flakySince(test, issueRecords) }

  /// Returns the same about the test of an issue that is gone without a fix; nil for any other issue.
  package func flakySince(endOf issue: Issue) -> Int? {
    guard issue.status == .resolved, issue.kind.isOfRedTest, issue.ending != .fixed else { return nil }
    return issue.test.flatMap(flakySince)
  }

  /// Returns the numbers of the integrations that prove the test of an issue flaky, newest first; none for one that is
  /// not of a red test.
  package func flakyIn(_ issue: Issue) -> [Int] {
    guard issue.kind.isOfRedTest, let test = issue.test else { return [] }
    return histories[test]?.flakyIn ?? []
  }
}

extension Baseline {
  /// The number of the integration that the totals, files, targets and exclusions come from.
  package var coverageNumber: Int { coverageFrom ?? number }

  /// Takes over the coverage of an earlier integration if this one has no complete coverage.
  ///
  /// Otherwise, after a failed build, the change of the totals would be as unknown as that of each line.
  package mutating func takeCoverage(of earlier: Baseline) {
    guard totals == nil, earlier.totals != nil, earlier.number != number else { return }
    totals = earlier.totals
    files = earlier.files
    targets = earlier.targets
    exclusions = earlier.exclusions
    coverageFrom = earlier.coverageNumber
  }
}
