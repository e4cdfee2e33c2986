import Model
import Testing

@testable import Rendering

@Suite("Whether a red test is new")
struct StandingTests {
  private let id = TestID(module: "M", suite: "S", name: "t")

  private func standing(
    _ state: TestState = .failed, before states: [TestID: TestState]?, issue: Model.Issue? = nil
  ) -> Standing? {
    let baseline = states.map {
      Baseline(
        number: 41, commit: CommitID(rawValue: "a"), outcome: .testFailures, tests: TestCounts(), totals: nil,
        files: [:], duration: 1, warnings: 0, states: $0)
    }
    let test = TestResult(id: id, library: .xctest, state: state)
    return Standing(test, baseline: baseline, issues: issue.map { [id: $0] } ?? [:])
  }

  private func issue(_ status: Model.Issue.Status, since start: Int, age: Int) -> Model.Issue {
    var issue = Model.Issue(id: "i", kind: .testFailure, status: status, message: "m", age: age, test: id)
    issue.life = IssueLife(firstSeen: start, streakStart: start, streakAge: age)
    return issue
  }

  @Test("A red test is new where it was green, skipped or not there in the baseline")
  func new() {
    #expect(standing(before: [id: .passed])?.isNew == true)
    #expect(standing(before: [id: .passed])?.remark == nil)
    #expect(standing(before: [id: .skipped])?.remark == "skipped in 41")
    #expect(standing(before: [TestID(module: "M", suite: "S", name: "other"): .passed])?.remark == "not a test of 41")
  }

  @Test("A red test that was red before says since when")
  func old() {
    let old = standing(before: [id: .failed], issue: issue(.unresolved, since: 38, age: 4))
    #expect(old?.isNew == false)
    #expect(old?.remark == "since 38")
    #expect(standing(before: [id: .failed])?.remark == "red in 41 too")
  }

  @Test("After an integration that listed no tests, the issue tells what was before it")
  func afterBrokenBuild() {
    let old = standing(before: [:], issue: issue(.unresolved, since: 38, age: 4))
    #expect(old?.isNew == false)
    #expect(old?.remark == "since 38")
    let new = standing(before: [:], issue: issue(.new, since: 42, age: 0))
    #expect(new?.isNew == true)
    #expect(new?.remark == "41 listed no tests")
  }

  @Test("Nothing is said where nothing is known")
  func unknown() {
    #expect(standing(before: nil)?.isNew == nil)
    #expect(standing(.passed, before: [id: .failed]) == nil)
    #expect(standing(before: [:]) == nil)
    #expect(standing(before: [:], issue: issue(.unresolved, since: 42, age: 0)) == nil)
  }
}
