import FoundationEssentials
import Model
import Testing

@testable import Comparing

@Suite("Issues against the baseline")
struct IssueComparisonTests {
  private let warning = Issue(id: "w-1", kind: .warning, message: "never used")
  private let error = Issue(id: "e-1", kind: .error, message: "cannot find 'Cookie' in scope")
  private let red = Issue(id: "t-1", kind: .testFailure, message: "no", test: Finding.test("a"))

  private func reach(built: Bool = true, _ tests: [TestID: TestState] = [:]) -> IssueReach {
    IssueReach(built: built, tests: tests)
  }

  @Test("In the first integration what the code shows was there before, and what was asked for is new")
  func withoutBaseline() {
    let gate = Issue(id: "", kind: .gate, message: "Gate patch=80: 1 of 2 lines ran.")
    let first = Finding.compare([warning, red, gate], with: nil, reach: reach())
    #expect(first.map(\.status) == [.unresolved, .unresolved, .new])
    #expect(first.map(\.life?.predates) == [true, true, false])
    #expect(first.map(\.age) == [0, 0, 0])
  }

  @Test("A warning is no news in the first integration whose build succeeds, but an error is new in every later one")
  func firstReached() {
    let broken = Finding.comparison([error], with: nil, reach: reach(built: false), number: 1)
    let built = Finding.comparison([warning], with: broken.memory, reach: reach(), number: 2)
    #expect(built.issues.map(\.status) == [.unresolved, .resolved])
    #expect(built.issues[0].life?.predates == true)
    let later = Finding.comparison([warning, error], with: built.memory, reach: reach(built: false), number: 3)
    #expect(later.issues.map(\.status) == [.unresolved, .new])
    #expect(later.issues[1].life?.cameBackFrom == 1)
  }

  @Test("Beside an integration that was built otherwise, what it knows keeps its age, and anything else may be old")
  func incomparable() {
    var other = Finding.comparison([red], with: nil, reach: reach(), number: 1).memory
    other.reached = IssueMemory.Stage.allCases
    let comparison = IssueComparison(
      number: 2, commit: Finding.commit, reach: reach(built: false), now: Date(timeIntervalSince1970: 0))
    let gate = Issue(id: "", kind: .gate, message: "Gate patch=80: 1 of 2 lines ran.")
    let result = comparison.compare([red, warning, error, gate], with: other, comparable: nil)
    #expect(result.issues.map(\.status) == [.unresolved, .unresolved, .unresolved, .new])
    #expect(result.issues.map(\.life?.firstSeen) == [1, 2, 2, 2])
    #expect(result.issues.map(\.life?.predates) == [true, true, true, false])
    #expect(result.memory.reached == [])
    // Where only other tests were chosen, what the build finds is as new as ever.
    let failure = Issue(id: "t-2", kind: .testFailure, message: "no", test: Finding.test("b"))
    let sameBuild = comparison.compare([failure, warning, error], with: other, comparable: [.build])
    #expect(sameBuild.issues.prefix(3).map(\.status) == [.unresolved, .new, .new])
  }

  @Test("A gate that begins anew is a failure of its own, and one that fails for other files forgets who was suspected")
  func gates() {
    func gate(_ rule: String = "no-lost-coverage", since base: String, _ files: String...) -> Issue {
      var result = GateResult(
        rule: rule, state: .failed, sentence: "", base: .commit(CommitID(rawValue: base), number: 1))
      result.lines = files.map { SourceLocation(file: $0, line: 1) }
      var issue = Issue(id: "", kind: .gate, message: "Gate: \(files)")
      (issue.subject, issue.failedGate) = (.gate(rule), result)
      return issue
    }
    /// What becomes of a gate's issue for which somebody is suspected.
    func next(_ old: Issue, _ new: Issue) -> (status: Issue.Status?, isSuspected: Bool?) {
      var memory = Finding.comparison([old], with: nil, reach: reach(), number: 1).memory
      memory.records[0].failedGate = old.failedGate
      memory.records[0].suspects = [Suspect(name: "Bob", email: "", confidence: .high, reason: "")]
      let found = Finding.comparison([new], with: memory, reach: reach(), number: 2)
      return (found.issues.first?.status, found.memory.records.first.map { $0.suspects != nil })
    }
    let old = gate(since: "a", "A.swift", "B.swift")
    #expect(next(old, old) == (.unresolved, true))
    #expect(next(old, gate(since: "a", "A.swift", "B.swift", "C.swift")) == (.unresolved, true))
    #expect(next(old, gate(since: "a", "B.swift")) == (.unresolved, false))
    #expect(next(old, gate(since: "b", "A.swift", "B.swift")) == (.new, false))
    // Of the lines of a patch it is always known who wrote them.
    let patch = gate("patch=80", since: "a", "A.swift")
    #expect(next(patch, patch) == (.unresolved, false))
  }

  @Test("What is gone is remembered with the commits that it went with, unless the commit is the same as before")
  func resolution() {
    let fix = Commit(
      id: CommitID(rawValue: String(repeating: "b", count: 40)), summary: "Use it", author: "Ada",
      date: Date(timeIntervalSince1970: 0))
    let known = Finding.comparison([warning], with: nil, reach: reach(), number: 1)
    func record(at commit: CommitID) -> IssueRecord? {
      let comparison = IssueComparison(
        number: 2, commit: commit, commits: [fix], reach: reach(), now: Date(timeIntervalSince1970: 0))
      return comparison.compare([], with: known.memory).memory.records.first
    }
    #expect(record(at: fix.id)?.streaks.last?.resolution == IssueRecord.Resolution([fix]))
    #expect(record(at: fix.id)?.streaks.last?.closed == 2)
    #expect(record(at: Finding.commit)?.streaks.last?.resolution == nil)
    #expect(record(at: Finding.commit)?.streaks.last?.closed == 2)
  }

  @Test("Commits fixed a test that passes, but not one that passes by chance, and not one that is gone")
  func endings() {
    let fix = Commit(
      id: CommitID(rawValue: String(repeating: "b", count: 40)), summary: "Use it", author: "Ada",
      date: Date(timeIntervalSince1970: 0))
    let known = Finding.comparison([red], with: nil, reach: reach(), number: 1)
    func ending(_ reach: IssueReach, at commit: CommitID? = nil) -> (IssueRecord.Ending?, by: String?, told: Bool) {
      let comparison = IssueComparison(
        number: 2, commit: commit ?? fix.id, commits: [fix], reach: reach, now: Date(timeIntervalSince1970: 0))
      let result = comparison.compare([], with: known.memory)
      let streak = result.memory.records.first?.streaks.last
      return (streak?.ending, streak?.resolution?.author, result.issues.map(\.ending) == [streak?.ending])
    }
    let passed = reach([Finding.test("a"): .passed])
    var chance = passed
    chance.unsteady = [Finding.test("a")]
    #expect(ending(passed) == (.fixed, "Ada", true))
    #expect(ending(chance) == (.passedAgain, nil, true))
    #expect(ending(IssueReach(built: true, tests: [:], listed: true)) == (.testDeleted, "Ada", true))
    #expect(ending(passed, at: Finding.commit) == (nil, nil, true))
  }

  @Test("That a test was red by chance is remembered until its issue ends")
  func chance() throws {
    var memory = Finding.comparison([red], with: nil, reach: reach(), number: 1).memory
    memory.records[0].noteChance()
    let still = Finding.comparison([red], with: memory, reach: reach(), number: 2).memory
    #expect(still.records[0].streaks.last?.isByChance == true)
    let gone = Finding.comparison([], with: still, reach: reach([Finding.test("a"): .passed]), number: 3).memory
    let back = Finding.comparison([red], with: gone, reach: reach(), number: 4).memory
    #expect(back.records[0].streaks.map(\.isByChance) == [true, nil])
  }

  @Test("An issue that was there before is unresolved and one integration older")
  func unresolved() {
    var old = warning
    old.age = 3
    old.status = .unresolved
    let compared = Finding.compare([warning, red], with: Finding.memory([old]), reach: reach())
    #expect(compared.map(\.status) == [.unresolved, .new])
    #expect(compared.map(\.age) == [4, 0])
  }

  @Test("What is gone is resolved, behind what is there, and keeps what it was")
  func resolved() {
    var old = warning
    old.age = 2
    old.status = .unresolved
    let compared = Finding.compare([error], with: Finding.memory([old, error]), reach: reach())
    #expect(compared.map(\.id) == ["e-1", "w-1"])
    #expect(compared.map(\.status) == [.unresolved, .resolved])
    #expect(compared[1].message == "never used")
    #expect(compared[1].age == 3)
  }

  @Test(
    "A sanitizer's finding is gone when its test comes to its end without it, and not before",
    arguments: [
      (TestState.passed, Issue.Status.resolved), (.failed, .resolved), (.crashed, .unresolved), (.notRun, .unresolved),
    ])
  func sanitizer(state: TestState, status: Issue.Status) {
    let race = Issue(id: "m-1", kind: .sanitizer, message: "data race", test: Finding.test("a"))
    let reach = IssueReach(built: true, tests: [Finding.test("a"): state], listed: true, sanitized: true)
    let compared = Finding.compare([], with: Finding.memory([race]), reach: reach)
    #expect(compared.map(\.status) == [status])
  }

  @Test("Only what was built can prove that an error or a warning is gone", arguments: [true, false])
  func reachOfBuild(built: Bool) {
    let linker = Issue(id: "e-2", kind: .linkerError, message: "undefined symbol")
    let compared = Finding.compare(
      [], with: Finding.memory([warning, error, linker]), reach: reach(built: built))
    #expect(
      compared.map(\.status) == (built ? [.resolved, .resolved, .resolved] : [.unresolved, .unresolved, .unresolved]))
  }

  @Test("Only a test that ran to a good end is mended", arguments: TestState.allCases)
  func reachOfTests(state: TestState) {
    let crash = Issue(id: "c-1", kind: .crash, message: "signal 4", test: Finding.test("a"))
    let late = Issue(id: "h-1", kind: .timeOut, message: "too long", test: Finding.test("a"))
    let compared = Finding.compare(
      [], with: Finding.memory([red, crash, late]), reach: reach([Finding.test("a"): state]))
    let isMended = state == .passed || state == .expectedFailure
    let status: Issue.Status = isMended ? .resolved : .unresolved
    // A test that is red in another way has a finding of its own.
    #expect(compared.map(\.status) == (state.isRed ? [] : [status, status, status]))
  }

  @Test("A test that passes on retry keeps its issue open, as one that passed on retry")
  func retried() {
    var reach = reach([Finding.test("a"): .passed])
    reach.flaky = [Finding.test("a")]
    let compared = Finding.compare([], with: Finding.memory([red]), reach: reach)
    #expect(compared.map(\.status) == [.unresolved])
    #expect(compared.map(\.passedOnRetry) == [true])
    let unreached = Finding.compare([], with: Finding.memory([red]), reach: self.reach(built: false))
    #expect(unreached.map(\.passedOnRetry) == [false])
  }

  @Test("Who was suspected of a test that passes on retry by now is forgotten")
  func retriedSuspect() {
    var memory = Finding.memory([red])
    memory.records[0].suspects = [Suspect(name: "Ada", email: "", confidence: .high, reason: "She changed it.")]
    memory.records[0].suspectedHunk = SourceHunk(file: "A.swift", lines: [])
    var retried = reach([Finding.test("a"): .passed])
    retried.flaky = [Finding.test("a")]
    let record = Finding.comparison([], with: memory, reach: retried).memory.records[0]
    #expect(record.suspects == nil && record.suspectedHunk == nil)
    let unreached = Finding.comparison([], with: memory, reach: reach(built: false)).memory.records[0]
    #expect(unreached.suspects?.map(\.name) == ["Ada"] && unreached.suspectedHunk != nil)
  }

  @Test("A test that was not reached keeps its issue open, which grows older")
  func unreached() {
    let compared = Finding.compare([], with: Finding.memory([red]), reach: reach(built: false))
    #expect(compared.map(\.status) == [.unresolved])
    #expect(compared.map(\.age) == [1])
  }

  @Test("A test that is listed no more took its issue with it")
  func deleted() {
    let reach = IssueReach(built: true, tests: [Finding.test("b"): .passed], listed: true)
    #expect(Finding.compare([], with: Finding.memory([red]), reach: reach).map(\.status) == [.resolved])
  }

  @Test("An issue survives an integration that could not show it, and is known again behind it")
  func acrossBuildErrors() {
    let broken = Finding.compare([error], with: Finding.memory([red]), reach: reach(built: false))
    let again = Finding.compare(
      [red], with: Finding.memory(broken.filter { $0.status != .resolved }), reach: reach([Finding.test("a"): .failed]))
    #expect(again.map(\.id) == ["t-1", broken[0].id])
    #expect(again.map(\.status) == [.unresolved, .resolved])
    #expect(again.first?.age == 2)
  }

  @Test("A test that failed and now crashes is a new issue; the old one is not called resolved")
  func otherKind() {
    let crash = Issue(id: "c-1", kind: .crash, message: "signal 4", test: Finding.test("a"))
    let compared = Finding.compare(
      [crash], with: Finding.memory([red]), reach: reach([Finding.test("a"): .crashed]))
    #expect(compared.map(\.status) == [.new])
  }

  @Test("What is no longer checked is told so once, does not count, and goes on when it is checked again")
  func dropped() {
    let race = Issue(id: "m-1", kind: .sanitizer, message: "data race", test: Finding.test("a"))
    var unasked = reach([Finding.test("a"): .passed])
    unasked.dropped = [.sanitizers]
    let third = Finding.comparison([], with: Finding.memory([race]), reach: unasked)
    #expect(third.issues.map(\.status) == [.dropped])
    #expect(third.issues.first?.life?.droppedIn == 5)
    #expect(third.memory.records.first?.isOpen == true)
    let fourth = Finding.comparison([], with: third.memory, reach: unasked, number: 6)
    #expect(fourth.issues.isEmpty)
    var unbuilt = reach(built: false)
    unbuilt.dropped = [.sanitizers]
    let broken = Finding.comparison([], with: fourth.memory, reach: unbuilt, number: 7)
    #expect(broken.issues.isEmpty)
    #expect(broken.memory.records.first?.life.droppedIn == 5)
    let missed = Finding.comparison([], with: broken.memory, reach: reach(built: false), number: 8)
    #expect(missed.issues.map(\.status) == [.unresolved] && missed.issues.first?.isCarriedOver == true)
    #expect(missed.memory.records.first?.life.droppedIn == nil, "It was asked for again, and nothing came to look.")
    let found = Finding.comparison([race], with: broken.memory, reach: reach([Finding.test("a"): .failed]), number: 8)
    #expect(found.issues.map(\.status) == [.unresolved])
    #expect(found.issues.first?.life?.streakStart == 4 && found.issues.first?.life?.droppedIn == nil)
    var asked = reach([Finding.test("a"): .passed])
    (asked.sanitized, asked.listed) = (true, true)
    let mended = Finding.comparison([], with: broken.memory, reach: asked, number: 8)
    #expect(mended.issues.map(\.status) == [.resolved])
  }

  @Test("Of the issues of both integrations, those are apart that only the second has silenced")
  func silencedSince() {
    let others = [Issue(id: "w-2", kind: .warning, message: "w-2"), Issue(id: "w-3", kind: .warning, message: "w-3")]
    func issues(_ statuses: [Model.Issue.Status]) -> [Model.Issue] {
      zip([warning] + others, statuses).map { issue, status in
        var issue = issue
        issue.status = status
        return issue
      }
    }
    let changes = Documents.comparison(
      Documents.integration(1, issues: issues([.unresolved, .silenced, .unresolved])),
      Documents.integration(2, issues: issues([.silenced, .silenced, .unresolved]))
    ).issues
    #expect(changes.both.map(\.id) == ["w-1", "w-2", "w-3"])
    #expect(changes.silenced?.map(\.id) == ["w-1"])
  }

  @Test("What no build and no test can prove stays open", arguments: Issue.Kind.allCases)
  func otherKinds(kind: Issue.Kind) {
    // A trigger that is not waiting is gone or was right.
    let provable: Set<Issue.Kind> = [.error, .linkerError, .warning, .triggerError]
    let issue = Issue(id: "x", kind: kind, message: "x")
    let compared = Finding.compare([], with: Finding.memory([issue]), reach: reach())
    #expect(compared.map(\.status) == [provable.contains(kind) ? .resolved : .unresolved])
  }

  @Test("Names from the finder lead from one integration to the next")
  func together() {
    let before = IssueFinder.issues(
      diagnostics: [Finding.diagnostic(.warning, "3 values never used", line: 3)],
      tests: [Finding.result("a", .failed, failures: [Finding.failure("1 is not 2")])])
    let now = IssueFinder.issues(
      diagnostics: [Finding.diagnostic(.warning, "4 values never used", line: 30)], tests: [])
    let compared = Finding.compare(
      now, with: Finding.memory(before), reach: reach([Finding.test("a"): .passed]))
    #expect(compared.map(\.status) == [.unresolved, .resolved])
  }
}
