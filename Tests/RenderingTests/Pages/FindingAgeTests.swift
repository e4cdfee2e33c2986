@testable import Model
import Testing

@testable import Rendering

@Suite("Whether a red test is new")
struct FindingAgeTests {
  private let id = TestID(module: "M", suite: "S", name: "t")

  private func findingAge(
    _ state: TestState = .failed, before states: [TestID: TestState]?, issue: Model.Issue? = nil,
    known: [Model.Issue] = [], history: TestHistory? = nil, attempts: Int = 0
  ) -> FindingAge? {
    let baseline = states.map {
      Baseline(
        number: 41, commit: CommitID(rawValue: "a"), outcome: .testFailures, tests: TestCounts(), totals: nil,
        files: [:], duration: 1, warnings: 0, states: $0, issues: known)
    }
    let runs = Array(repeating: TestAttempt(state: state, duration: 1), count: attempts)
    let test = TestResult(id: id, library: .xctest, state: state, attempts: runs)
    return FindingAge(test, baseline: baseline, issues: issue.map { [id: $0] } ?? [:], history: history)
  }

  private func issue(_ status: Model.Issue.Status, since start: Int, age: Int) -> Model.Issue {
    var issue = Model.Issue(id: "i", kind: .testFailure, status: status, message: "m", age: age, test: id)
    issue.life = IssueLife(firstSeen: start, streakStart: start, streakAge: age)
    return issue
  }

  @Test("A red test is new where it was green, skipped or not there in the baseline")
  func new() {
    #expect(findingAge(before: [id: .passed])?.isNew == true)
    #expect(findingAge(before: [id: .passed])?.remark == nil)
    #expect(findingAge(before: [id: .skipped])?.remark == "skipped in 41")
    let other = findingAge(before: [TestID(module: "M", suite: "S", name: "other"): .passed])
    #expect(other?.age == .newTest)
    #expect(other?.isNew == true)
    #expect(other?.remark == nil)
  }

  @Test("A new test that hangs at the place of an older issue says where that is, unless it ended otherwise")
  func elder() {
    let place = Model.SourceLocation(file: "Sources/A/A.swift", line: 15)
    var new = issue(.new, since: 42, age: 0)
    (new.kind, new.location) = (.timeOut, place)
    var old = Model.Issue(
      id: "h", kind: .timeOut, status: .unresolved, message: "m", location: place, age: 1,
      test: TestID(module: "M", suite: "S", name: "waits()"))
    old.life = IssueLife(firstSeen: 41, streakStart: 41, streakAge: 1)
    func remark(_ states: [TestID: TestState]) -> String? {
      let baseline = Baseline(
        number: 41, commit: CommitID(rawValue: "a"), outcome: .testFailures, tests: TestCounts(), totals: nil,
        files: [:], duration: 1, warnings: 0, states: states)
      let issues = [new.test, old.test].compactMap(\.self).keyed(by: { $0 }, { $0 == id ? new : old })
      let test = TestResult(id: id, library: .xctest, state: .timedOut)
      return FindingAge(test, baseline: baseline, issues: issues, history: nil)?.remark
    }
    let before = old.test.map { [$0: TestState.timedOut] } ?? [:]
    #expect(remark(before) == "hangs at the same line as waits(), since 41")
    #expect(remark(before.merging([id: .passed]) { $1 }) == nil, "It is no new test.")
    old.kind = .crash
    #expect(remark(before) == nil)
  }

  @Test("A test that ended its process is new unless it did so before")
  func quit() throws {
    var test = TestResult(id: id, library: .xctest)
    test.quit = ProcessQuit(call: "exit(0)")
    var baseline = Baseline(
      number: 41, commit: CommitID(rawValue: "a"), outcome: .incomplete, tests: TestCounts(), totals: nil, files: [:],
      duration: 1, warnings: 0, states: [id: .failed], issues: [])
    let new = FindingAge(test, baseline: baseline, issues: [:], history: nil)
    #expect(new?.age == .new && new?.remark == "failed in 41")
    baseline.states = [id: .notRun]
    baseline.quits = [id]
    let old = FindingAge(
      test, baseline: baseline, issues: [id: issue(.unresolved, since: 38, age: 3)], history: nil)
    #expect(old?.age == .old && old?.remark == "since 38")
  }

  @Test("A test of which one failure is silenced is new with another one")
  func another() {
    let silenced = issue(.silenced, since: 38, age: 3)
    let another = findingAge(before: [id: .failed], issue: issue(.new, since: 42, age: 0), known: [silenced])
    #expect(another?.isNew == true)
    #expect(another?.remark == "another failure of this test is silenced")
    #expect(findingAge(before: [id: .failed], issue: issue(.new, since: 42, age: 0))?.isNew == false)
    #expect(
      findingAge(before: [id: .failed], issue: issue(.unresolved, since: 38, age: 4), known: [silenced])?.isNew == false
    )
  }

  @Test("A gate that fails for the first changes is new; what else is found first may be older")
  func firstGate() {
    var gate = Model.Issue(id: "g", kind: .gate, status: .new, message: "m")
    gate.subject = .gate("patch=80")
    #expect(FindingAge(of: gate, baseline: nil)?.isNew == true)
    #expect(FindingAge(of: Model.Issue(id: "e", kind: .error, status: .new, message: "m"), baseline: nil) == nil)
  }

  @Test("A flaky test is new where it was not flaky before, and otherwise says where it was")
  func flakyAge() {
    let baseline = Baseline(
      number: 41, commit: CommitID(rawValue: "a"), outcome: .succeeded, tests: TestCounts(), totals: nil, files: [:],
      duration: 1, warnings: 0, states: [:], issues: [])
    #expect(FindingAge(ofFlakySince: 42, in: 42, baseline: baseline)?.isNew == true)
    #expect(FindingAge(ofFlakySince: 42, in: 42, baseline: nil)?.isNew == false)
    #expect(FindingAge(ofFlakySince: 42, in: 42, baseline: baseline)?.age == .newlyFlaky)
    let ofNewTest = FindingAge(ofFlakySince: 42, in: 42, baseline: baseline, isNewTest: true)
    #expect(ofNewTest?.age == .newFlakyTest && ofNewTest?.isNew == true)
    #expect(FindingAge(ofFlakySince: 41, in: 42, baseline: baseline, isNewTest: true)?.age == .old)
    let again = FindingAge(ofFlakySince: 41, in: 42, baseline: baseline)
    #expect(again?.isNew == false && again?.remark == "first flaky in 41")
    #expect(FindingAge(ofFlakySince: nil, in: 42, baseline: baseline) == nil)
  }

  /// A test that ended so, the newest first, each time for another commit.
  private func history(_ ends: [(state: TestState, isFlaky: Bool)]) -> TestHistory {
    TestHistory(
      ends.enumerated().map { index, end in
        TestHistory.Moment(
          number: 42 - index, commit: CommitID(rawValue: "\(index)"), branch: "main", toolchain: "t",
          verdict: TestVerdicts.Verdict(state: end.state, duration: 1, isFlaky: end.isFlaky))
      })
  }

  @Test("A new failure of a test that was flaky before is called known flaky, with how often it failed")
  func knownFlaky() {
    let flaky = history([(.failed, false), (.passed, false), (.passed, true)])
    let found = findingAge(before: [id: .passed], history: flaky)
    #expect(found?.age == .knownFlaky)
    #expect(found?.isNew == false)
    #expect(found?.remark == "red once, flaky once in 3 integrations")
    let steady = history([(.failed, false), (.passed, false), (.failed, false)])
    #expect(findingAge(before: [id: .passed], history: steady)?.age == .new)
    #expect(findingAge(before: [id: .failed], history: flaky)?.age == .old)
    let still = findingAge(before: [id: .failed], issue: self.issue(.unresolved, since: 38, age: 4), history: flaky)
    #expect(still?.age == .old && still?.remark == "since 38; flaky in 40")
    // The issue knows more than the page of a destination after the first.
    var issue = issue(.new, since: 42, age: 0)
    issue.isKnownFlaky = true
    let told = findingAge(before: [id: .passed], issue: issue)
    #expect(told?.age == .knownFlaky)
    #expect(told?.remark == nil)
  }

  @Test(
    "A test that was flaky before and failed in every retry is not new, but otherwise as any, and says where it was")
  func steady() {
    let flaky = history([(.failed, false), (.passed, false), (.passed, true)])
    let found = findingAge(before: [id: .passed], history: flaky, attempts: 3)
    #expect(found?.age == .flakyBefore && found?.isNew == false && found?.isOfNow == true)
    #expect(found?.remark == "flaky in 40")
    let other = TestID(module: "M", suite: "S", name: "other")
    let ofBranch = findingAge(before: [other: .passed], history: flaky, attempts: 3)
    #expect(ofBranch?.age == .newTest && ofBranch?.remark == "flaky in 40", "Another branch had it.")
    var issue = issue(.new, since: 42, age: 0)
    issue.life?.firstSeen = 30
    issue.life?.cameBackFrom = 30
    let back = findingAge(before: [id: .passed], issue: issue, history: flaky, attempts: 2)
    #expect(back?.age == .cameBack && back?.remark == "before in 30; flaky in 40")
    // That it passed by chance in between does not resolve it.
    let open = self.issue(.unresolved, since: 38, age: 4)
    let still = findingAge(before: [id: .passed], issue: open, history: flaky, attempts: 2)
    #expect(still?.age == .old && still?.remark == "since 38; flaky in 40")
    #expect(findingAge(before: [id: .passed], issue: open, history: flaky)?.age == .knownFlaky)
  }

  @Test("A red test that was red before says since when")
  func old() {
    let old = findingAge(before: [id: .failed], issue: issue(.unresolved, since: 38, age: 4))
    #expect(old?.isNew == false)
    #expect(old?.remark == "since 38")
    #expect(findingAge(before: [id: .failed])?.remark == "red in 41 too")
    var otherwise = issue(.unresolved, since: 38, age: 4)
    otherwise.life?.reasonSince = 42
    #expect(findingAge(before: [id: .failed], issue: otherwise)?.remark == "since 38, for a new reason since 42")
  }

  @Test("After an integration that listed no tests, the issue tells what was before it")
  func afterBrokenBuild() {
    let old = findingAge(before: [:], issue: issue(.unresolved, since: 38, age: 4))
    #expect(old?.isNew == false)
    #expect(old?.remark == "since 38")
    let new = findingAge(before: [:], issue: issue(.new, since: 42, age: 0))
    #expect(new?.isNew == true)
    #expect(new?.remark == nil)
  }

  /// A history of failures on branches, by number, ending with the integration 42 on the main branch.
  private func history(_ branches: [Int: String]) -> TestHistory {
    let failures = branches.merging([42: "main"]) { $1 }.sorted { $0.key > $1.key }
    return TestHistory(
      failures.map { number, branch in
        .init(
          number: number, commit: CommitID(rawValue: "\(number)"), branch: branch, toolchain: "t",
          verdict: .init(state: .failed, duration: 1, isFlaky: false))
      })
  }

  @Test("A test that was red before, and green in the baseline, came back; it is never called new")
  func cameBack() {
    var issue = issue(.new, since: 42, age: 0)
    issue.life?.firstSeen = 12
    issue.life?.cameBackFrom = 30
    let back = findingAge(before: [id: .passed], issue: issue)
    #expect(back?.age == .cameBack)
    #expect(back?.remark == "before in 12–30")
    let known = history([30: "main"])
    #expect(findingAge(before: [id: .passed], issue: issue, history: known)?.remark == "before in 12–30")
    // Another branch had it since then.
    let past = history([40: "topic", 30: "main"])
    #expect(findingAge(before: [id: .passed], issue: issue, history: past)?.remark == "before in 12–30 on main")
    let phrases = IssueWords.streakPhrases(of: issue, record: nil, on: "main")
    #expect(phrases.map(\.text) == ["came back in 42", "before in 12–30 on main"])
    // It stays red, and is old then.
    issue.status = .unresolved
    issue.life?.streakAge = 1
    let old = findingAge(before: [id: .failed], issue: issue)
    #expect(old?.age == .old)
    #expect(old?.remark == "came back in 42")
  }

  @Test("Nothing is said where nothing is known")
  func unknown() {
    #expect(findingAge(before: nil)?.isNew == nil)
    #expect(findingAge(.passed, before: [id: .failed]) == nil)
    #expect(findingAge(before: [:]) == nil)
    #expect(findingAge(before: [:], issue: issue(.unresolved, since: 42, age: 0)) == nil)
    // A test of another destination has only its issue.
    let baseline = Baseline(
      number: 41, commit: CommitID(rawValue: "a"), outcome: .buildErrors, tests: TestCounts(), totals: nil, files: [:],
      duration: 1, warnings: 0, states: [:])
    #expect(FindingAge(of: issue(.unresolved, since: 42, age: 0), baseline: baseline) == nil)
    #expect(FindingAge(of: issue(.unresolved, since: 38, age: 4), baseline: baseline)?.remark == "since 38")
  }
}
