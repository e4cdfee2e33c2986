@testable import Model
import Rendering
import Testing

@testable import Comparing

@Suite("Two integrations side by side")
struct IntegrationComparisonTests {
  @Test(
    "Each test is in one list, by how it ended before and now",
    arguments: [
      (.passed, .failed, "broken"), (.passed, .crashed, "broken"), (.skipped, .timedOut, "broken"),
      (.notRun, .failed, "broken"), (.failed, .passed, "fixed"), (.crashed, .expectedFailure, "changed"),
      (.failed, .skipped, "changed"), (.failed, .notRun, "changed"), (.failed, .crashed, "changed"),
      (.passed, .skipped, "changed"), (.passed, .expectedFailure, "changed"), (.passed, .passed, "same"),
      (.failed, .failed, "stillRed"), (nil, .passed, "added"), (nil, .failed, "added"), (.passed, nil, "removed"),
      (.failed, nil, "removed"),
    ] as [(TestState?, TestState?, String)])
  func lists(before: TestState?, after: TestState?, list: String) {
    let changes = Documents.comparison(
      Documents.integration(1, tests: before.map { [Documents.test("t", $0)] } ?? []),
      Documents.integration(2, tests: after.map { [Documents.test("t", $0)] } ?? [])
    ).tests
    let lists = [
      "broken": changes.broken, "fixed": changes.fixed, "added": changes.added, "removed": changes.removed,
      "changed": changes.changed, "slower": changes.slower, "faster": changes.faster, "stillRed": changes.stillRed,
    ].mapValues(\.count).filter { $0.value > 0 }
    #expect(lists == (list == "same" ? [:] : [list: 1]))
    #expect(changes.same == (list == "same" ? 1 : 0))
  }

  @Test("A test that ended its process and passes now is fixed")
  func quit() {
    var test = Documents.test("t", .notRun)
    test.quit = ProcessQuit(call: "exit(0)")
    let changes = Documents.comparison(
      Documents.integration(1, .incomplete, tests: [test]),
      Documents.integration(2, tests: [Documents.test("t", .passed)])
    ).tests
    #expect(changes.fixed.count == 1 && changes.changed.isEmpty)
  }

  @Test("A test that passes by chance is not fixed: as its issue tells, or as it both passed and failed before")
  func chance() {
    let red = Documents.integration(1, .testFailures, tests: [Documents.test("t", .failed)])
    func changes(_ ending: IssueRecord.Ending?, closed: Int = 2, earlier: [TestVerdicts] = []) -> TestChanges {
      var green = Documents.integration(2, commit: "b", tests: [Documents.test("t", .passed)])
      var streak = IssueRecord.Streak(opened: 1, lastSeen: 1, closed: closed)
      streak.ending = ending
      let record = IssueRecord(
        id: "t-1", kind: .testFailure, message: "no", location: nil, test: Finding.test("t"), streaks: [streak])
      green.issueMemory = IssueMemory(number: 2, commit: green.commit.id, reached: [], records: [record])
      return Documents.comparison(red, green, earlier: earlier).tests
    }
    #expect(changes(.fixed).fixed.count == 1)
    #expect(changes(.passedAgain).fixed.isEmpty)
    #expect(changes(.passedAgain).passedByChance.count == 1)
    #expect(changes(.passedAgain, closed: 1).fixed.count == 1, "That was before the two.")
    let other = TestVerdicts(
      IntegrationRecord(Documents.integration(0, commit: "b", tests: [Documents.test("t", .failed)])))
    #expect(changes(.fixed, earlier: [other]).passedByChance.count == 1)
  }

  /// Integrations in which `t` took so long.
  private static func earlier(_ times: [Double], _ state: TestState = .passed) -> [TestVerdicts] {
    times.enumerated().map { number, time in
      TestVerdicts(
        IntegrationRecord(Documents.integration(number, tests: [Documents.test("t", state, time)])))
    }
  }

  @Test(
    "Slower is at least a tenth of a second and over a quarter, and more than a test varies itself",
    arguments: [
      ([0, 0, 0, 0, 0], 0, 0.099, "same"), ([0, 0, 0, 0, 0.1], 0, 0.1, "slower"),
      ([0.1, 0.3, 0.2, 0.4, 0.2], 0.2, 0.45, "same"), ([0.1, 0.3, 0.2, 0.4, 0.2], 0.2, 0.51, "slower"),
      ([2, 2, 2, 2.1, 2], 2, 2.4, "same"), ([2, 2, 2, 2.1, 2], 2, 2.6, "slower"),
      // The first was an exception itself.
      ([2, 2, 2, 2, 4], 4, 2, "same"), ([2, 2, 2, 2, 1], 1, 2, "same"), ([3, 3, 3, 3, 3.1], 3, 2, "faster"),
      // Nobody knows how much it varies.
      ([0, 0, 0, 0], 0, 9, "slow now"),
    ] as [([Double], Double, Double, String)])
  func pace(earlier: [Double], before: Double, after: Double, list: String) {
    let changes = Documents.comparison(
      Documents.integration(9, tests: [Documents.test("t", .passed, before), Documents.test("u", .failed, before)]),
      Documents.integration(10, tests: [Documents.test("t", .passed, after), Documents.test("u", .failed, after)]),
      earlier: Self.earlier(earlier) + Self.earlier([70, 80], .failed)
    ).tests
    #expect([changes.slower.count, changes.faster.count] == [list == "slower" ? 1 : 0, list == "faster" ? 1 : 0])
    #expect((changes.slower + changes.faster).allSatisfy { $0.usual == TestPace(earlier)?.median })
    #expect(changes.same == (list == "same" ? 1 : 0))
    #expect(changes.isPaceKnown == (earlier.count == 5))
  }

  @Test("A test that became flaky ended otherwise")
  func flaky() {
    let changes = Documents.comparison(
      Documents.integration(1, tests: [Documents.test("t", .passed)]),
      Documents.integration(2, tests: [Documents.test("t", .passed, isFlaky: true)])
    ).tests
    #expect(changes.changed.map(\.id.name) == ["t"])
    #expect(changes.changed.first?.flakySince == nil)
  }

  @Test("A test that becomes flaky, and was red by chance before, is known to be so since then")
  func redByChanceBefore() {
    var now = Documents.integration(4, commit: "d", tests: [Documents.test("t", .passed, isFlaky: true)])
    var streak = IssueRecord.Streak(opened: 1, lastSeen: 1, closed: 2)
    streak.ending = .passedAgain
    let record = IssueRecord(
      id: "t-1", kind: .testFailure, message: "no", location: nil, test: Finding.test("t"), streaks: [streak])
    now.issueMemory = IssueMemory(number: 4, commit: now.commit.id, reached: [], records: [record])
    let before = Documents.integration(3, commit: "c", tests: [Documents.test("t", .passed)])
    let changes = Documents.comparison(before, now).tests.changed
    #expect(changes.map(\.flakySince) == [1] && changes.map(\.lastFlaky) == [1])
  }

  @Test("A test that was flaky before is known to be so since then, and when it last was")
  func flakyAgain() {
    let (steady, flaky) = (Documents.test("t", .passed), Documents.test("t", .passed, isFlaky: true))
    let earlier = [3: steady, 2: flaky, 1: flaky].sorted { $0.key > $1.key }.map { number, test in
      TestVerdicts(IntegrationRecord(Documents.integration(number, tests: [test])))
    }
    let changes = Documents.comparison(
      Documents.integration(3, tests: [steady]), Documents.integration(4, tests: [flaky]), earlier: earlier
    ).tests
    #expect(changes.changed.map(\.flakySince) == [1] && changes.changed.map(\.lastFlaky) == [2])
    // What it was in between, as on another branch, is nothing that it is again.
    let further = Documents.comparison(
      Documents.integration(0, tests: [steady]), Documents.integration(4, tests: [flaky]), earlier: earlier
    ).tests
    #expect(further.changed.map(\.flakySince) == [nil] && further.changed.map(\.lastFlaky) == [nil])
  }

  @Test(
    "Nothing is said of tests that one side did not come to",
    arguments: [
      (Outcome.buildErrors, "The tests of Shop 2 were not reached, because it did not build."),
      (.canceled, "Not all tests of Shop 2 are known: canceled."),
      (.checkoutError, "The tests of Shop 2 did not run: checkout error."),
    ])
  func unreached(outcome: Outcome, reason: String) {
    let comparison = Documents.comparison(
      Documents.integration(1, tests: [Documents.test("t", .failed)]), Documents.integration(2, outcome))
    #expect(comparison.tests.reason == reason)
    #expect(comparison.tests.removed.isEmpty)
    #expect(comparison.count(.red) == CountChange(.red, before: 1, after: nil))
    #expect(comparison.count(.warnings)?.after == nil)
  }

  @Test("An issue is gone only where what would show it was reached")
  func issues() {
    func issue(_ id: String, _ kind: Issue.Kind, test: String? = nil) -> Issue {
      Issue(id: id, kind: kind, message: id, test: test.map(Finding.test))
    }
    let old = Documents.integration(
      1, .testFailures, tests: [Documents.test("t", .failed)],
      issues: [issue("w-1", .warning), issue("w-2", .warning), issue("t-1", .testFailure, test: "t")])
    let built = Documents.comparison(
      old,
      Documents.integration(
        2, tests: [Documents.test("t", .passed)], issues: [issue("w-2", .warning), issue("w-3", .warning)])
    ).issues
    #expect(built.new.map(\.id) == ["w-3"])
    #expect(built.both.map(\.id) == ["w-2"])
    #expect(built.gone.map(\.id) == ["w-1", "t-1"])
    #expect(built.notReached.isEmpty)
    let unbuilt = Documents.comparison(
      old, Documents.integration(2, .buildErrors, issues: [issue("e-1", .error)])
    ).issues
    #expect(unbuilt.new.map(\.id) == ["e-1"])
    #expect(unbuilt.gone.isEmpty)
    #expect(unbuilt.notReached.map(\.id) == ["w-1", "w-2", "t-1"])
  }

  @Test("What the first integration did not get to is neither new nor gone since")
  func unreachedBefore() {
    let error = Issue(id: "e-1", kind: .error, message: "e-1")
    var carried = Issue(id: "w-1", kind: .warning, status: .unresolved, message: "w-1")
    carried.isCarriedOver = true
    let old = Documents.integration(1, .buildErrors, issues: [error, carried])
    let found = [
      Issue(id: "w-2", kind: .warning, message: "w-2"),
      Issue(id: "t-1", kind: .testFailure, message: "no", test: Finding.test("t")),
    ]
    let issues = Documents.comparison(
      old, Documents.integration(2, .testFailures, tests: [Documents.test("t", .failed)], issues: found)
    ).issues
    #expect(issues.new.isEmpty)
    #expect(issues.gone.map(\.id) == ["e-1"])
    #expect(issues.notReachedBefore.map(\.id) == ["w-2", "t-1", "w-1"])
    #expect(issues.notReachedBefore.map { $0.status == .resolved } == [false, false, true])
  }

  @Test("A test that was red before, and not in the first integration, is red again")
  func redAgain() {
    var issue = Issue(id: "t-1", kind: .testFailure, message: "no", test: Finding.test("t"))
    func lastRed() -> [Int?] {
      Documents.comparison(
        Documents.integration(8, tests: [Documents.test("t", .passed)]),
        Documents.integration(9, .testFailures, tests: [Documents.test("t", .failed)], issues: [issue])
      ).tests.broken.map(\.lastRed)
    }
    issue.life = IssueLife(firstSeen: 9, streakStart: 9)
    #expect(lastRed() == [nil])
    issue.life = IssueLife(firstSeen: 5, streak: 2, streakStart: 9, cameBackFrom: 6)
    #expect(lastRed() == [6])
  }

  @Test("A test that is not listed was deleted, unless tests were filtered out")
  func filteredOut() {
    let test = Finding.test("t")
    let red = Issue(id: "t-1", kind: .testFailure, message: "no", test: test)
    let old = Documents.integration(1, .testFailures, tests: [Documents.test("t", .failed)], issues: [red])
    var new = Documents.integration(2, tests: [Documents.test("u", .passed)])
    #expect(Documents.comparison(old, new).issues.gone.map(\.id) == ["t-1"])
    new.tests.filteredOut = 1
    let issues = Documents.comparison(old, new).issues
    #expect(issues.gone.isEmpty)
    #expect(issues.notReached.map(\.id) == ["t-1"])
  }

  @Test("A trigger's failure is gone only where after-triggers ran, and a gate's where it is not asked for any more")
  func triggersAndGates() {
    let trigger = Issue(id: "s-1", kind: .triggerError, message: "The after-trigger 'deploy.sh' failed.")
    let gate = Issue(id: "g-1", kind: .gate, message: "Gate patch=80: 1 of 2 lines ran.")
    let old = Documents.integration(1, .warnings, issues: [trigger, gate])
    var new = Documents.integration(2, tests: [Documents.test("t", .passed)])
    #expect(Documents.comparison(old, new).issues.gone.map(\.id) == ["g-1"])
    #expect(Documents.comparison(old, new).issues.notReached.map(\.id) == ["s-1"])
    new.steps = [StepRecord(name: .afterTriggers, duration: 1)]
    new.gates = [GateResult(rule: "patch=80", state: .notJudged, sentence: "Nothing to compare with.")]
    #expect(Documents.comparison(old, new).issues.gone.map(\.id) == ["s-1"])
    #expect(Documents.comparison(old, new).issues.notReached.map(\.id) == ["g-1"])
  }

  @Test("What differs besides the commits is told apart, as far as both documents speak of it")
  func circumstances() {
    var (old, new) = (Documents.integration(1), Documents.integration(2))
    #expect(Documents.comparison(old, new).circumstances.isEmpty)
    new.toolchain = "Swift version 6.4"
    new.circumstances = [Circumstance("system", "Debian"), Circumstance("environment.API", "b")]
    #expect(Documents.comparison(old, new).circumstances.map(\.name) == ["toolchain"])
    old.circumstances = [Circumstance("system", "Debian"), Circumstance("tests.retries", "2")]
    old.settings = [SettingOrigin("tests.timeout", .bot)]
    let changes = Documents.comparison(old, new).circumstances
    #expect(
      changes == [
        CircumstanceChange("toolchain", before: "Swift version 6.3.1", after: "Swift version 6.4"),
        CircumstanceChange("environment.API", before: nil, after: "b"),
        CircumstanceChange("tests.retries", before: "2", after: nil),
        CircumstanceChange("tests.timeout of .martlet.yml", before: "the bot's counts", after: nil),
      ])
  }

  @Test("Another machine is told as such, and a result without one is of the machine that keeps it")
  func machine() {
    var (old, new) = (Documents.integration(1), Documents.integration(2))
    old.circumstances = [Circumstance("processors", "2")]
    new.circumstances = old.circumstances + [Circumstance(Circumstance.machine, "big")]
    let change = CircumstanceChange("machine", before: "local", after: "big")
    #expect(Documents.comparison(old, new).circumstances == [change])
    old.circumstances = new.circumstances
    #expect(Documents.comparison(old, new).circumstances.isEmpty)
  }

  @Test("Versions of dependencies differ beside the commits, unless both commits pin them or only one has them")
  func dependencies() {
    var (old, new) = (Documents.integration(1), Documents.integration(2))
    func dependency(_ name: String, _ value: String, committed: Bool = false) -> Circumstance {
      var one = Circumstance("dependency \(name)", value)
      one.committed = committed ? true : nil
      return one
    }
    old.circumstances = [dependency("free", "1"), dependency("pinned", "1", committed: true), dependency("gone", "1")]
    new.circumstances = [dependency("free", "2"), dependency("pinned", "2", committed: true), dependency("new", "1")]
    old.commit.id = CommitID(rawValue: "a")
    new.commit.id = CommitID(rawValue: "b")
    let free = CircumstanceChange("dependency free", before: "1", after: "2")
    #expect(Documents.comparison(old, new).circumstances == [free])
    // One of the two was not followed.
    new.circumstances[1].committed = nil
    let pinned = CircumstanceChange("dependency pinned", before: "1", after: "2")
    #expect(Documents.comparison(old, new).circumstances == [free, pinned])
    new.commit.id = old.commit.id
    #expect(
      Documents.comparison(old, new).circumstances == [
        free, pinned, CircumstanceChange("dependency new", before: nil, after: "1"),
        CircumstanceChange("dependency gone", before: "1", after: nil),
      ])
    // An older Martlet noted none.
    old.circumstances = [Circumstance("system", "Debian")]
    new.circumstances.append(Circumstance("system", "Debian"))
    #expect(Documents.comparison(old, new).circumstances.isEmpty)
  }

  @Test("That a test may exist although it is missing is said only where one is missing")
  func incomplete() {
    let old = Documents.integration(1, tests: [Documents.test("t", .passed), Documents.test("u", .passed)])
    var new = Documents.integration(
      2, .incomplete, tests: [Documents.test("t", .notRun), Documents.test("u", .passed)])
    #expect(Documents.comparison(old, new).tests.remarks == [])
    new.tests.results.removeLast()
    let remark = "Shop 2 is incomplete: a test missing there may still exist."
    #expect(Documents.comparison(old, new).tests.remarks == [remark])
    // Those that did not run were listed, and so were all others.
    new.reasons = [.testsNotRun(1, listed: 1)]
    #expect(Documents.comparison(old, new).tests.remarks == [])
    new.reasons.append(.gap(.notSearched(target: "Shop")))
    #expect(Documents.comparison(old, new).tests.remarks == [remark])
  }

  @Test("Another choice of tests is said, since it adds and removes tests")
  func selection() {
    var new = Documents.integration(2, tests: [Documents.test("t", .passed)])
    new.circumstances = [Circumstance("tests.filter", "t")]
    var old = Documents.integration(1)
    old.circumstances = [Circumstance("system", "Debian")]
    #expect(
      Documents.comparison(old, new).tests.remarks == [
        "The two did not select the same tests, so an added or removed test may only be selected otherwise."
      ])
  }

  @Test("Coverage by file tells new, gone, renamed and changed files, and counts the others")
  func files() {
    let old = Documents.coverage([("A.swift", 1, 10), ("B.swift", 2, 10), ("C.swift", 0, 5), ("X.swift", 3, 9)])
    let new = Documents.coverage([("A.swift", 4, 12), ("C.swift", 0, 5), ("D.swift", 0, 2), ("Y.swift", 3, 9)])
    var renamed = FileComparison(path: "Y.swift", oldPath: "X.swift")
    renamed.totalsBefore = CoverageTotals()
    let lines = CoverageComparison(
      baseline: 1, before: CoverageTotals(),
      files: [renamed, FileComparison(path: "D.swift")])
    let coverage = Documents.comparison(
      Documents.integration(1, coverage: old), Documents.integration(2, coverage: new), coverage: .known(lines)
    ).coverage
    #expect(coverage.files.map(\.path) == ["A.swift", "B.swift", "D.swift", "Y.swift"])
    #expect(coverage.files.map { $0.before?.uncovered } == [1, 2, nil, 3])
    #expect(coverage.files.map { $0.after?.uncovered } == [4, nil, 0, 3])
    #expect(coverage.files.map(\.oldPath) == [nil, nil, nil, "X.swift"])
    #expect(coverage.sameFiles == 1)
  }

  @Test("A comment beside new code is in its place, which does not count it; one by itself has none")
  func comments() {
    let coverage = Documents.coverage([("A.swift", 1, 10)])
    let new = [3, 4, 9].map { FileComparison.Line(line: $0, category: .newNeverRan) }
    let file = FileComparison(path: "A.swift", totalsBefore: CoverageTotals(), lines: new)
    let sides = CoverageSides(
      from: IntegrationRecord(Documents.integration(1, coverage: coverage)),
      to: IntegrationRecord(Documents.integration(2, coverage: coverage)),
      comparison: .known(CoverageComparison(baseline: 1, before: CoverageTotals(), files: [file])),
      coverage: { _ in nil }, silent: { _, _ in [3, 9] })
    #expect(sides.files.flatMap(\.allPlaces) == [.init(.newNeverRan, first: 3, last: 4, silent: 1)])
    #expect(sides.files[0].places?[0].count == 1 && sides.files[0].silent?[.newNeverRan] == 2)
  }

  @Test("Added tests come with the red ones first, slower ones with the slowest first")
  func order() {
    let changes = Documents.comparison(
      Documents.integration(1, tests: [Documents.test("s", .passed, 0.1), Documents.test("t", .passed, 0.1)]),
      Documents.integration(
        2,
        tests: [
          Documents.test("a", .passed), Documents.test("b", .failed), Documents.test("s", .passed, 1),
          Documents.test("t", .passed, 2),
        ]),
      earlier: (1...5).map { number in
        TestVerdicts(
          IntegrationRecord(
            Documents.integration(
              number, tests: [Documents.test("s", .passed, 0.1), Documents.test("t", .passed, 0.1)])))
      }
    ).tests
    #expect(changes.added.map(\.id.name) == ["b", "a"])
    #expect(changes.slower.map(\.id.name) == ["t", "s"])
  }

  @Test("Builds are alike where both began from nothing, or both from an earlier one; otherwise nothing is known")
  func warmth() {
    func areAlike(_ before: Bool?, _ after: Bool?, ending outcome: Outcome = .succeeded) -> Bool {
      var (old, new) = (Documents.integration(1), Documents.integration(2))
      old.steps = [StepRecord(name: .building, duration: 36, warm: before)]
      new.steps = [StepRecord(name: .building, duration: 2, warm: after)]
      new.outcome = outcome
      return Documents.comparison(old, new).haveLikeBuilds
    }
    #expect(areAlike(true, true) && areAlike(false, false))
    #expect(!areAlike(false, true) && !areAlike(nil, nil) && !areAlike(nil, true))
    #expect(!areAlike(true, true, ending: .buildErrors), "One that failed was not as much work.")
  }

  @Test("A step that had nothing to do took no time that could be compared")
  func idleStep() {
    var (old, new) = (Documents.integration(1), Documents.integration(2))
    old.steps = [StepRecord(name: .mutating, duration: 0)]
    new.steps = [StepRecord(name: .mutating, duration: 0.4)]
    #expect(Documents.comparison(old, new).steps == [StepChange(.mutating, before: nil, after: 0.4)])
  }
}
