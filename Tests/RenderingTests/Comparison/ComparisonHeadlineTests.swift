import Comparing
import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("The headline of a comparison")
struct ComparisonHeadlineTests {
  @Test("Tests that ended otherwise are not said to have ended as they did")
  func changed() {
    var comparison = ComparisonSample.comparison
    let broken = comparison.tests.broken
    comparison.tests = TestChanges()
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: no test changed")
    comparison.coverage = CoverageSides(before: nil, after: nil, files: [])
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: no test changed")
    comparison.before.outcome = comparison.after.outcome
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: nothing changed")
    comparison.tests.changed = [broken[0]]
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 1 test changed")
    comparison.tests.changed = Array(broken.prefix(2))
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 2 tests changed")
    comparison.tests.changed = []
    comparison.tests.slower = [broken[0]]
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 1 test slower")
  }

  @Test("Fewer red tests are no better where they are only silenced")
  func silenced() throws {
    var comparison = ComparisonSample.comparison
    var test = try #require(comparison.tests.broken.first)
    test.before = test.after
    comparison.tests = TestChanges()
    let fewer = CountChange(.red, before: 2, after: 1)
    test.after?.silenced = true
    comparison.tests.stillRed = [test]
    #expect(ComparisonWords(comparison).tone(of: fewer) == "")
    test.before?.silenced = true
    comparison.tests.stillRed = [test]
    #expect(ComparisonWords(comparison).tone(of: fewer) == "better")
    #expect(ComparisonWords(comparison).tone(of: CountChange(.red, before: 1, after: 2)) == "worse")
  }

  @Test("Where nothing changed on the same commit, no difference is put down to chance")
  func unchangedCommit() {
    var comparison = ComparisonSample.comparison
    (comparison.commits, comparison.circumstances) = (CommitsBetween(.same), [])
    (comparison.tests, comparison.counts) = (TestChanges(), [])
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    comparison.coverage = CoverageSides(before: nil, after: nil, files: [])
    let words = "Same commit, same circumstances: the difference is chance, or comes from outside."
    #expect(ComparisonWords(comparison).caution == words)
    comparison.before.outcome = comparison.after.outcome
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: nothing changed")
    #expect(ComparisonWords(comparison).caution == nil)
  }

  /// A comparison in which nothing but the uncovered lines changed, by chance where it is said.
  private static func uncovered(_ before: Int, _ after: Int, lost: Int = 0, gained: Int = 0) -> IntegrationComparison {
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    comparison.counts = [CountChange(.uncoveredLines, before: before, after: after)]
    func totals(_ uncovered: Int) -> CoverageTotals {
      CoverageTotals(lines: LineTally(total: 40, covered: 40 - uncovered))
    }
    comparison.coverage = CoverageSides(before: totals(before), after: totals(after), files: [])
    var chance = CategoryCounts()
    (chance[.lost], chance[.gained]) = (lost, gained)
    comparison.coverage.byChance = chance
    return comparison
  }

  @Test(
    "The headline leaves out what chance did to the uncovered lines, and the coverage tells it apart",
    arguments: [
      (7, 9, 0, 0, "2 more lines uncovered", ""), (7, 9, 0, 2, "4 more lines uncovered", ": 4 more, 2 fewer by chance"),
      (5, 17, 2, 0, "10 more lines uncovered", ": 10 more, 2 more by chance"),
      (7, 9, 4, 2, "no test changed", ": 2 more by chance"),
      (7, 5, 0, 6, "4 more lines uncovered", ": 4 more, 6 fewer by chance"),
      (7, 7, 0, 1, "1 more line uncovered", ": 1 more, 1 fewer by chance"),
    ])
  func uncoveredByChance(before: Int, after: Int, lost: Int, gained: Int, headline: String, coverage: String) {
    let words = ComparisonWords(Self.uncovered(before, after, lost: lost, gained: gained))
    #expect(words.headline == "Greeter 41 → 42: \(headline)")
    #expect(words.coverageSummary == "\(after) of 40 lines never ran, \(before) of 40 in 41\(coverage)")
  }

  @Test(
    "Lines of one kind are named, without what chance did",
    arguments: [
      (4, 2, 13, "4 new lines never ran"), (0, 3, 10, "1 line no longer runs"), (4, 3, 14, "5 more lines uncovered"),
    ])
  func categories(new: Int, lost: Int, after: Int, words: String) {
    var comparison = Self.uncovered(7, after, lost: 2)
    var lines = CategoryCounts()
    (lines[.newNeverRan], lines[.lost]) = (new, lost)
    comparison.coverage.lines = lines
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: \(words)")
  }

  @Test("Tests that became slow are one finding, and no longer among those as before")
  func slowNow() {
    var comparison = ComparisonSample.comparison
    let tests = Array(comparison.tests.broken.prefix(2))
    comparison.tests = TestChanges()
    comparison.tests.same = 7
    comparison.tests.slowNow = TestChanges.SlowNow(mark: 0.1, tests: tests)
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 2 tests now over 100 ms")
    #expect(ComparisonWords(comparison).testSummary == "2 now over 100 ms; 7 tests as before")
  }

  @Test("What quit or did not run precedes what is fixed, and is no mere change")
  func quit() {
    let exit = ProcessQuit(call: "exit(0)")
    func change(_ name: String, _ before: TestState?, _ after: TestState, quit: ProcessQuit? = nil) -> TestChange {
      let id = TestID(module: "M", suite: "S", name: name)
      func record(_ state: TestState, _ quit: ProcessQuit? = nil) -> IntegrationRecord.Case {
        var result = TestResult(id: id, library: .swiftTesting, state: state)
        result.quit = quit
        return IntegrationRecord.Case(result)
      }
      return TestChange(before: before.map { record($0) }, after: record(after, quit), id: id)
    }
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.tests.fixed = [change("opens()", .failed, .passed)]
    comparison.tests.changed = [change("shuts()", .passed, .notRun, quit: exit), change("rings()", .passed, .notRun)]
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    let words = ComparisonWords(comparison)
    #expect(words.headline == "Greeter 41 → 42: shuts() ended the process, rings() did not run and opens() fixed")
    #expect(words.testGroups.map(\.word) == ["ended the process", "did not run", "fixed"])
    comparison.tests = TestChanges()
    comparison.tests.added = [change("knocks()", nil, .notRun, quit: exit), change("waits()", nil, .passed)]
    let added = ComparisonWords(comparison)
    #expect(added.headline == "Greeter 41 → 42: new test knocks() ended the process and 1 other test added")
    #expect(added.testGroups.map(\.word) == ["added (ended the process)", "added"])
  }

  @Test(
    "Tests are named where they are one or two with short names, and counted else",
    arguments: [
      (["opens()"], [], [], "opens() went red"), (["opens()", "shuts()"], [], [], "opens() and shuts() went red"),
      (["a()", "b()", "c()"], [], [], "3 tests went red"),
      (["opensInTheMorning()", "shutsAtTheEndOfTheDay()"], [], [], "2 tests went red"),
      ([], ["new()"], ["gone()"], "new test new() red and red test gone() deleted"),
      ([], ["a()", "b()"], [], "new tests a() and b() red"),
      ([], ["a()", "b()", "c()"], ["gone()"], "3 new tests red and red test gone() deleted"),
    ] as [([String], [String], [String], String)])
  func named(broken: [String], added: [String], removed: [String], words: String) {
    func tests(_ names: [String], _ before: TestState?, _ after: TestState?) -> [TestChange] {
      names.map { name in
        let id = TestID(module: "M", suite: "S", name: name)
        func record(_ state: TestState) -> IntegrationRecord.Case {
          IntegrationRecord.Case(TestResult(id: id, library: .swiftTesting, state: state))
        }
        return TestChange(before: before.map(record), after: after.map(record), id: id)
      }
    }
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.tests.broken = tests(broken, .passed, .failed)
    comparison.tests.added = tests(added, nil, .failed)
    comparison.tests.removed = tests(removed, .failed, nil)
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: \(words)")
  }

  @Test("A new test that is red and silenced is not just another one that was added")
  func newSilenced() {
    func added(_ name: String, _ state: TestState, isSilenced: Bool) -> TestChange {
      let id = TestID(module: "M", suite: "S", name: name)
      var test = TestChange(
        before: nil, after: IntegrationRecord.Case(TestResult(id: id, library: .swiftTesting, state: state)), id: id)
      if isSilenced { test.after?.silenced = true }
      return test
    }
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.tests.added = [
      added("opens()", .failed, isSilenced: true), added("shuts()", .passed, isSilenced: false),
    ]
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    let words = ComparisonWords(comparison)
    #expect(words.headline == "Greeter 41 → 42: 1 new silenced test red and 1 other test added")
    #expect(words.testGroups.map(\.word) == ["added (red, silenced)", "added"])
  }

  @Test("Of tests that did not begin, the one whose class ended the process says so, and where")
  func unbegun() throws {
    var comparison = ComparisonSample.comparison
    var test = try #require(comparison.tests.fixed.first)
    test.before?.state = .passed
    test.after?.state = .notRun
    test.after?.quit = ProcessQuit(
      call: "exit(3)", location: .init(file: "Tests/A/LabelTests.swift", line: 11), isBeforeStart: true, status: 3)
    comparison.tests = TestChanges()
    comparison.tests.changed = [test]
    let rows = "\(ComparisonPage(comparison, time: .utc).record["tests"] ?? .missing)"
    #expect(rows.contains("Not run") && rows.contains("exit(3)") && rows.contains("LabelTests.swift:11"))
    #expect(ComparisonWords.course(of: test) == "passed → not run")
  }

  @Test("An issue that was silenced between the two is listed, with who did it, and is not silenced in both")
  func silencedSince() throws {
    var issue = try #require(IntegrationRecord(IssueSample.report.integration).issues.first { $0.id == "w-e5f4" })
    issue.status = .silenced
    issue.silence = Silence(
      issue: issue.id, scope: .streak, reason: "later", author: "Ada <ada@example.org>",
      since: Date(timeIntervalSince1970: 0), number: 41, message: "")
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.issues = IssueChanges(new: [], gone: [], both: [issue], notReached: [], silenced: [issue])
    let text = "\(ComparisonPage(comparison, time: .utc).issues)"
    #expect(text.contains("Silenced issues") && text.contains("silenced by Ada until resolved: “later”"))
    #expect(!text.contains("in both"))
  }

  @Test("An issue that one of several commits fixed says which they are")
  func severalFixers() throws {
    let commit = IssueSample.report.integration.commit
    let sample = try #require(IssueSample.fixed("t-4c81", by: IssueRecord.Resolution([commit, commit])))
    let page = try PageSite(sample.report).text("compare.html")
    #expect(page.contains("<small>fixed by 2 commits up to \(commit.id.short)</small>"))
  }

  @Test("The issue of a test has the author's name of that, and of two operands what differs")
  func titles() {
    let test = TestID(module: "M", suite: "S", name: "order()")
    let message = #"Expectation failed: (list.names → "milk") == "flour""#
    let issue = IntegrationRecord.FlatIssue(Model.Issue(id: "t-1", kind: .testFailure, message: message, test: test))
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.issues = IssueChanges(new: [], gone: [issue], both: [], notReached: [])
    func text(_ links: ComparisonPage.Links) -> String {
      "\(ComparisonPage(comparison, links: links, time: .utc).issues)"
    }
    let named = text(.init(title: { _ in "Entries are in order" }))
    #expect(named.contains("Entries are in order") && !named.contains("order()"))
    #expect(!named.contains("Expectation failed") && named.contains("≠"))
    #expect(text(.init()).contains("order()"))
  }

  @Test("An issue that was mended in its own file has its place once")
  func mended() {
    let comparison = ComparisonSample.comparison
    func issues(_ file: String) -> String {
      let fix = ComparisonPage.Fix(place: "B.swift:9", link: nil, author: nil, lines: SourceHunk(file: file, lines: []))
      return "\(ComparisonPage(comparison, links: .init(fix: { _ in fix }), time: .utc).issues)"
    }
    #expect(issues("B.swift").contains("A.swift:3 in 41"))
    #expect(!issues("A.swift").contains("A.swift:3"))
  }

  @Test("Where each commit shows the one file that it changed, these are not listed once more")
  func singleFiles() throws {
    var comparison = ComparisonSample.comparison
    let one = comparison.commits.added[0]
    var two = one
    two.id = CommitID(rawValue: "b5fe1586c5d6e7f8091a2b3c4d5e6f708192a3b4")
    comparison.commits = CommitsBetween(.forward, added: [two, one], limit: 50)
    (comparison.commits.files, comparison.commits.filesLeft) = (one.files, 0)
    func page(_ number: Int = 42) -> ComparisonPage {
      ComparisonPage(comparison, links: .init(number: { _ in number }), time: .utc)
    }
    #expect("\(page().changedFiles)" == "\(TemplateValue.missing)")
    #expect(!"\(page().commits)".contains(#"text("42")"#), "They came with the second integration.")
    #expect("\(page(7).commits)".contains(#"text("7")"#))
    comparison.commits.added[0].files += one.files
    #expect("\(page().changedFiles)" != "\(TemplateValue.missing)")
  }

  @Test("An integration is called by how its tests ended, as it is in the history of its branch")
  func outcomeWord() {
    var side = ComparisonSample.comparison.after
    (side.outcome, side.onlyGatesFailed) = (.testFailures, false)
    side.culprits = [.init(kind: .crashed, first: "a", count: 1), .init(kind: .timedOut, first: "b", count: 2)]
    #expect(side.outcomeWord == "Crash and time-outs")
    side.culprits = [.init(kind: .failed, first: "a", count: 2)]
    #expect(side.outcomeWord == "Test failures")
  }

  @Test("Beside an issue stands its kind, unless its symbol and its message, or the name of its gate, say it")
  func tags() {
    func tag(_ kind: Model.Issue.Kind) -> String? { Model.Issue(id: "i-1", kind: kind, message: "m").tag }
    let said: [Model.Issue.Kind] = [.testFailure, .crash, .timeOut, .quit, .sanitizer, .gate]
    #expect(said.allSatisfy { tag($0) == nil })
    #expect(tag(.warning) == "warning" && tag(.linkerError) == "linker error")
    var comparison = ComparisonSample.comparison
    var hang = Model.Issue(id: "h-1", kind: .timeOut, message: "Timed out: longer than 5 s")
    hang.status = .unresolved
    let warning = Model.Issue(id: "w-1", kind: .warning, message: "unused")
    comparison.issues = IssueChanges(
      new: [], gone: [], both: [], notReached: [hang, warning].map { IntegrationRecord.FlatIssue($0) })
    let issues = "\(ComparisonPage(comparison, time: .utc).issues)"
    #expect(issues.contains("Issues not checked") && issues.contains("in 42, open in 41"))
    #expect(!issues.contains("time-out") && issues.contains(#"text("warning")"#))
  }

  @Test("The report of a sanitizer is told without its stacks, and not as if it were cut")
  func sanitizer() throws {
    var comparison = ComparisonSample.comparison
    var test = try #require(comparison.tests.broken.first)
    let message = "ThreadSanitizer: data race"
    test.failure = IntegrationRecord.Failure(
      file: "A.swift", line: 3, message: "\(message)\nWrite of size 8\nPrevious write")
    comparison.tests = TestChanges()
    comparison.tests.broken = [test]
    func rows(_ line: Int) -> String {
      let issue = Model.Issue(
        id: "s-1", kind: .sanitizer, message: message, location: .init(file: "A.swift", line: line), test: test.id)
      comparison.issues = IssueChanges(new: [IntegrationRecord.FlatIssue(issue)], gone: [], both: [], notReached: [])
      return "\(ComparisonPage(comparison, time: .utc).record["tests"] ?? .missing)"
    }
    #expect(rows(3).contains(message) && !rows(3).contains("\(message) …"))
    #expect(rows(4).contains("\(message) …"), "The failure is another one.")
  }
}
