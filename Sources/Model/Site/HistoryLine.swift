package import FoundationEssentials

/// A finished integration as shown in lists and trends.
package struct HistoryLine: Hashable, Sendable, Codable {
  package var number: Int
  /// The bot's first integration of the same repository; nil if it had no other one before, and in older lines.
  package var repositorySince: Int?
  package var branch: String?
  /// The tag that was integrated; nil for a branch, and in older lines.
  package var tag: String?
  package var commit: CommitID
  /// The first line of the commit's message.
  package var subject: String
  package var author: String
  /// The number of commits that the integration covers.
  package var commitCount: Int
  package var cause: Cause
  /// Whether a person chose some of the tests for this one time; nil if not, and in older lines.
  package var chosenTests: Bool?
  /// Whether a newer commit of its branch told already how the branch stands; nil if not, and in older lines.
  package var behindBranch: Bool?
  /// Whether uncommitted changes were integrated too; nil if not, and in older lines.
  package var uncommitted: Bool?
  /// Whether it is of a package or a repository that the bot integrated earlier, when it is read; nil if not.
  package var ofOtherPackage: Bool?
  package var outcome: Outcome
  package var reasons: [String]
  /// The code of each reason; nil without reasons, and in older lines.
  package var reasonCodes: [OutcomeReason.Code]?
  /// What led to the outcome, by name; nil without any, and in older lines.
  package var culprits: [Culprits]?
  /// Whether only gates failed; nil for any outcome but `testFailures`, and in older lines.
  package var onlyGatesFailed: Bool?
  package var startedAt: Date
  package var endedAt: Date
  /// From start to end; nil in older lines.
  package var seconds: Double?
  /// Seconds of the step testing; nil where it was not reached, and in lines of before it was kept.
  package var testing: Double?
  package var toolchain: String
  package var tests: TestCounts
  /// The number of tests that make it red: silenced ones do not count, and those of other required destinations do; nil in
  /// older lines.
  package var judgedRed: Int?
  /// The measured values that became worse; nil if none did, or something is red, and in older lines.
  package var worse: WorseValues?
  package var warnings: Int
  package var openIssues: Int
  package var newIssues: Int
  /// The number of issues that exist but do not count; nil in older lines.
  package var silencedIssues: Int?
  /// Nil without coverage.
  package var lines: LineTally?
  /// The number of the integration that this one is compared with.
  package var baseline: Int?
  /// The number of the one that its coverage is compared with; nil if that is the baseline, and in older lines.
  package var coverageBaseline: Int?
  /// The number of the nearest integration of another branch in its history; nil if its branch came from none, and in
  /// older lines.
  package var branchPoint: Int?
  /// The change of the number of listed tests against the baseline.
  package var listedChange: Int?
  package var redChange: Int?
  /// The change of the number of lines that never ran, against the one that its coverage is compared with.
  package var uncoveredChange: Int?
  /// How much of that change is of lines that run by chance; nil if none does, and in older lines.
  package var uncoveredByChance: Int?
  /// How the integration changed the colour of its baseline.
  package var rhythm: Rhythm?
  /// The red tests, if every test ran although `only: affected` would have left out some; nil in older lines.
  package var trial: OnlyAffected.Misses?

  /// The integrations against which its gates are judged until they are passed; nil if none was judged, and in older
  /// lines.
  package var gateBases: [Int]?

  /// The seconds from start to end.
  package var duration: Double { seconds ?? endedAt.timeIntervalSince(startedAt) }
}

extension HistoryLine {
  /// Creates the line of the integration described by a summary document.
  package init(of document: IntegrationRecord) {
    number = document.number
    repositorySince = document.repositorySince
    branch = document.branch
    tag = document.tag
    commit = document.commit.id
    subject = document.commit.summary
    author = document.commit.author
    commitCount = document.commits.count
    cause = document.cause
    chosenTests = document.chosenTests
    behindBranch = document.behindBranch
    uncommitted = document.workingTree == nil ? nil : true
    outcome = document.outcome
    reasons = document.reasons
    reasonCodes = document.reasonCodes
    culprits = document.culprits
    onlyGatesFailed = document.outcome == .testFailures ? document.isFailedGate : nil
    startedAt = document.startedAt
    endedAt = document.endedAt
    seconds = document.duration
    testing = document.steps.first { $0.name == .testing }?.duration
    toolchain = document.toolchain
    tests = document.tests.counts
    judgedRed = document.judgedRed
    worse = document.worse
    warnings = document.warnings ?? document.issues.count(where: \.isCompilerWarning)
    openIssues = document.issues.count(where: \.status.isOpen)
    newIssues = document.issues.count { $0.status == .new }
    silencedIssues = document.issues.count { $0.status == .silenced }
    lines = document.coverage.totals?.lines
    (baseline, coverageBaseline) = (document.baseline, document.coverageBaseline)
    branchPoint = document.branchPoint
    let changes = document.deltas?.tests
    listedChange = changes.map { $0["listed", default: 0] }
    redChange = changes.map { $0["failed", default: 0] + $0["crashed", default: 0] + $0["timedOut", default: 0] }
    // What a lost process ran is missing from incomplete counters.
    uncoveredChange = document.coverage.complete ? document.deltas?.lines.map { $0.total - $0.covered } : nil
    uncoveredByChance = document.coverage.changes?.byChance?.uncoveredChange
    rhythm = document.rhythm
    trial = document.tests.only?.trial
    gateBases = document.gateBases
  }
}

extension HistoryLine {
  /// The number of tests that make it red, as far as the line tells it; otherwise of all red ones of its first destination.
  package var countingRed: Int { judgedRed ?? tests.red }

  /// The number of red tests of its first destination that do not count, as far as the line tells it.
  package var silencedRed: Int { max(0, tests.red - countingRed) }

  /// Whether it has the open issues of its branch: without a result it keeps those that there were, beside its own, unless it
  /// ended before it knew of any.
  package var knowsIssues: Bool { outcome.isConclusive || outcome != .canceled && openIssues > 0 }

  /// The counts of its tests; nil if none is known and it did not come so far.
  package var knownTests: TestCounts? { tests.listed > 0 || outcome.isBuilt ? tests : nil }

  /// The number of compiler warnings; nil if there are none and not everything was compiled.
  package var knownWarnings: Int? { warnings > 0 || outcome.isBuilt || tests.listed > 0 ? warnings : nil }
}
