import FoundationEssentials
import Model
import Rendering
import Testing

@testable import Comparing

@Suite("What changed over a period")
struct PeriodDigestTests {
  private static func id(_ name: String) -> TestID { TestID(module: "ShopTests", suite: "Till", name: name) }

  private func document(
    _ number: Int, _ outcome: Outcome = .succeeded, branch: String? = "main", commit: String = "a",
    issues: [(String, Issue.Status)] = [], tests: [TestResult] = [], uncovered: Int? = nil,
    slowMark: Double = 0.1
  ) -> IntegrationRecord {
    let commit = Commit(
      id: CommitID(rawValue: String(repeating: commit, count: 40)), summary: "Sell", author: "Ada", date: .distantPast)
    var integration = Integration(
      bot: "shop", number: number, repository: "/shop", branch: branch, commit: commit, cause: .commit,
      toolchain: "Swift", configuration: "debug", sandbox: "off", queuedAt: .distantPast, repeatCommand: "martlet run")
    integration.outcome = outcome
    integration.issues = issues.map {
      Issue(id: $0.0, kind: .testFailure, status: $0.1, message: "m", test: Self.id($0.0))
    }
    integration.tests = TestReport(results: tests)
    integration.slowMark = slowMark
    if let uncovered {
      let totals = CoverageTotals(lines: LineTally(total: 100, covered: 100 - uncovered, partial: 0))
      let file = FileCoverage(
        path: "a.swift", target: "Shop", lines: [], deadStretches: [], functions: [], totals: totals, llvmLines: Tally()
      )
      integration.coverage = .available(Coverage(files: [file]))
    }
    return IntegrationRecord(integration)
  }

  private func digest(_ documents: [IntegrationRecord], before: [String: IntegrationRecord] = [:]) -> PeriodDigest {
    let lines = (before.values + documents).map(HistoryLine.init(of:)).sorted { $0.number > $1.number }
    return PeriodDigest(
      of: "shop", .daily, from: Date(timeIntervalSince1970: 0), to: Date(timeIntervalSince1970: 86_400),
      documents: documents, states: BranchStates(lines, of: nil), before: { before[$0 ?? ""] })
  }

  private func test(_ name: String, _ state: TestState = .passed, _ duration: Double = 0.01, isFlaky: Bool = false)
    -> TestResult
  {
    TestResult(id: Self.id(name), library: .xctest, state: state, duration: duration, isFlaky: isFlaky)
  }

  @Test("Integrations are counted by their end, commits once")
  func counts() {
    let found = digest([
      document(1), document(2, .testFailures, commit: "b"), document(3, .canceled, commit: "b"),
      document(4, .warnings, commit: "c"),
    ])
    #expect(found.integrations == 4)
    #expect(found.green == 2)
    #expect(found.red == 1)
    #expect(found.canceled == 1)
    #expect(found.commits == 3)
    #expect(found.newest == 4)
    #expect(found.outcome == .warnings)
    #expect(!found.isFailedGate)
    var gate = document(5, .testFailures, tests: [test("a()")])
    #expect(!digest([gate]).isFailedGate)
    gate.onlyGatesFailed = true
    #expect(digest([gate]).isFailedGate)
  }

  @Test("An issue that came and went within the period is neither opened nor closed")
  func issues() {
    let found = digest([
      document(1, issues: [("stays", .new), ("passes", .new), ("old", .unresolved)]),
      document(2, issues: [("passes", .resolved), ("stays", .unresolved), ("before", .resolved)]),
      document(3, issues: [("stays", .unresolved), ("quiet", .silenced)]),
    ])
    #expect(
      found.opened == [
        PeriodDigest.Finding(kind: .testFailure, title: "ShopTests.Till/stays", number: 1, branch: "main")
      ])
    #expect(
      found.closed == [
        PeriodDigest.Finding(kind: .testFailure, title: "ShopTests.Till/before", number: 2, branch: "main")
      ])
    let passed = PeriodDigest.Finding(
      kind: .testFailure, title: "ShopTests.Till/passes", number: 1, branch: "main", gone: 2)
    #expect(found.passing == [passed])
    #expect(found.open == 1)
  }

  @Test("An issue that comes, goes and comes again is opened once, one that goes and comes back is where it was")
  func again() {
    let found = digest([
      document(1, issues: [("new", .new), ("twice", .new), ("back", .unresolved)]),
      document(2, issues: [("new", .resolved), ("twice", .resolved), ("back", .resolved)]),
      document(3, issues: [("new", .new), ("twice", .new), ("back", .new)]),
      document(4, issues: [("new", .unresolved), ("twice", .resolved), ("back", .unresolved), ("late", .resolved)]),
    ])
    #expect(found.opened.map(\.title) == ["ShopTests.Till/new"])
    #expect(found.opened.map(\.number) == [3])
    #expect(found.closed.map(\.title) == ["ShopTests.Till/late"])
    #expect(found.passing.map(\.title) == ["ShopTests.Till/twice"])
    #expect(found.passing.map { [$0.number, $0.gone] } == [[1, 4]])
  }

  @Test("An issue in whose place the test fails otherwise is closed, as the memory tells, and another one opened")
  func replaced() {
    func streak(_ opened: Int, _ closed: Int?, _ ending: IssueRecord.Ending? = nil) -> IssueRecord.Streak {
      var streak = IssueRecord.Streak(opened: opened, lastSeen: closed.map { $0 - 1 } ?? opened, closed: closed)
      streak.ending = ending
      return streak
    }
    func memory(of number: Int, _ records: [(String, IssueRecord.Streak)]) -> IssueMemory {
      IssueMemory(
        number: number, commit: CommitID(rawValue: "a"), reached: [],
        records: records.map {
          IssueRecord(
            id: $0.0, kind: .testFailure, message: "m", location: nil, test: Self.id($0.0), streaks: [$0.1])
        })
    }
    var first = document(2, .testFailures, issues: [("old", .unresolved), ("came", .new)])
    first.issueMemory = memory(of: 2, [("old", streak(1, nil)), ("came", streak(2, nil))])
    var second = document(3, .testFailures, issues: [("crash", .new), ("hang", .new)])
    second.issueMemory = memory(
      of: 3,
      [
        ("old", streak(1, 3, .failsOtherwise)), ("came", streak(2, 3, .failsOtherwise)), ("crash", streak(3, nil)),
        ("hang", streak(3, nil)), ("before", streak(1, 2, .failsOtherwise)),
      ])
    let found = digest([first, second])
    #expect(found.opened.map(\.title) == ["ShopTests.Till/crash", "ShopTests.Till/hang"])
    #expect(
      found.closed == [
        PeriodDigest.Finding(kind: .testFailure, title: "ShopTests.Till/old", number: 3, branch: "main")
      ])
    #expect(
      found.passing == [
        PeriodDigest.Finding(kind: .testFailure, title: "ShopTests.Till/came", number: 2, branch: "main", gone: 3)
      ])
    #expect(found.open == 2)
  }

  @Test("Slow are the tests above the mark of the bot, as everywhere")
  func slow() {
    let tests = [test("a", .passed, 0.1), test("b", .passed, 0.5), test("c", .crashed, 9)]
    #expect(digest([document(1, tests: tests)]).slowest.map(\.id.name) == ["b"])
    #expect(digest([document(1, tests: tests, slowMark: 1)]).slowest.isEmpty)
    #expect(digest([document(1, tests: tests, slowMark: 0.05)]).slowest.map(\.id.name) == ["b", "a"])
  }

  @Test("The same finding on two branches is two issues")
  func branches() {
    let found = digest([
      document(1, issues: [("x", .new)]), document(2, branch: "release", issues: [("x", .new)]),
      document(3, issues: [("x", .resolved)]),
    ])
    #expect(found.opened.map(\.number) == [2])
    #expect(found.opened.map(\.branch) == ["release"])
    #expect(found.passing.map(\.gone) == [3])
    #expect(found.branch == "main")
  }

  @Test("It tells of the default branch, though another was integrated more, and names others that are red")
  func defaultBranch() {
    let green = (3...5).map { document($0, branch: "feature") }
    let found = digest(
      [document(2, .testFailures, issues: [("x", .new)])] + green + [document(6, .buildErrors, branch: "release")])
    #expect(found.branch == "main")
    #expect(found.newest == 2)
    #expect(found.outcome == .testFailures)
    #expect(found.open == 1)
    #expect(found.redBeside == [RedBranch(name: "release", since: 6)])
    // A quiet default branch is as red as it was before.
    let quiet = digest(green, before: ["main": document(2, .testFailures, issues: [("x", .unresolved)])])
    #expect(quiet.branch == "main")
    #expect(quiet.outcome == .testFailures)
    #expect(quiet.open == 1)
    #expect(quiet.tests == 0)
  }

  @Test("Tests and coverage are compared with the branch's last integration before the period")
  func compared() {
    let found = digest(
      [
        document(7, branch: "release", tests: [test("z")]),
        document(8, tests: [test("a"), test("c", .passed, 2)], uncovered: 30),
        document(9, tests: [test("a"), test("c", .passed, 3), test("d", .passed, 0.5)], uncovered: 25),
      ],
      before: ["main": document(6, tests: [test("a"), test("b")], uncovered: 31)])
    #expect(found.testsAdded == [Self.id("c"), Self.id("d")])
    #expect(found.testsRemoved == [Self.id("b")])
    #expect(found.tests == 3)
    #expect(found.linesBefore?.uncovered == 31)
    #expect(found.lines?.uncovered == 25)
    #expect(
      found.slowest == [
        PeriodDigest.NotedTest(id: Self.id("c"), value: 3), PeriodDigest.NotedTest(id: Self.id("d"), value: 0.5),
      ])
  }

  @Test("A program that could not be listed removes no test, and adds none when it can be again")
  func unlisted() {
    let whole = document(6, tests: [test("a"), test("b")])
    var part = document(7, .testFailures, tests: [test("a", .failed), test("c")])
    part.reasonCodes = [OutcomeReason.Code("tests-red"), OutcomeReason.Code("listing-failed")]
    let lost = digest([part], before: ["main": whole])
    #expect(lost.testsRemoved.isEmpty)
    #expect(lost.testsAdded == [Self.id("c")])
    let back = digest([document(8, tests: [test("a"), test("b")])], before: ["main": part])
    #expect(back.testsAdded.isEmpty)
    #expect(back.testsRemoved == [Self.id("c")])
  }

  @Test("A build that broke removes no test, and without a past nothing was added")
  func noEvidence() {
    let found = digest([document(1, tests: [test("a")]), document(2, .buildErrors)], before: [:])
    #expect(found.testsNumber == 1)
    #expect(found.tests == 1)
    #expect(found.testsAdded.isEmpty)
    #expect(found.testsRemoved.isEmpty)
    #expect(found.outcome == .buildErrors)
  }

  @Test("Where no lines are known, the newest reason is told, and missing counters are when they are of the newest")
  func unknownLines() {
    var (first, second) = (document(1), document(2, .buildErrors))
    first.coverage.reason = "Off."
    second.coverage.reason = "The build failed."
    #expect(digest([first, second]).noCoverage == "The build failed.")
    var covered = document(3, uncovered: 5)
    #expect(digest([covered, second]).noCoverage == nil)
    #expect(digest([covered, second]).linesNumber == 3)
    #expect(digest([covered, second]).linesAreComplete)
    covered.coverage.complete = false
    #expect(!digest([covered, second]).linesAreComplete)
  }

  @Test("Flaky are tests that passed only after a failed attempt, and those with two verdicts on one commit")
  func flaky() {
    let found = digest([
      document(1, tests: [test("a", isFlaky: true), test("b"), test("c")]),
      document(2, tests: [test("a", isFlaky: true), test("b", .failed), test("c")]),
      document(3, commit: "b", tests: [test("a"), test("b"), test("c", .failed)]),
    ])
    #expect(
      found.flakiest == [
        PeriodDigest.NotedTest(id: Self.id("a"), value: 2), PeriodDigest.NotedTest(id: Self.id("b"), value: 2),
      ])
  }

  @Test("A period without integrations is empty")
  func empty() {
    let found = digest([])
    #expect(found.integrations == 0)
    #expect(found.newest == nil)
  }
}
