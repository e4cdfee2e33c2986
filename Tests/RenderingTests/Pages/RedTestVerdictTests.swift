@testable import Model
import Testing

@testable import Rendering

@Suite("What became of red tests, in the sentence that a page begins with")
struct RedTestVerdictTests {
  private func id(_ name: String) -> TestID { TestID(module: "M", suite: "S", name: name) }

  /// - Parameter red: the tests that were red before.
  private func sentence(
    _ outcome: Outcome, _ states: [TestState], red: [String], _ change: (inout Integration) -> Void
  ) -> String {
    var integration = GreeterSample.integration()
    integration.outcome = outcome
    integration.tests = TestReport(
      results: states.enumerated().map { TestResult(id: id("t\($0)"), library: .xctest, state: $1) })
    integration.baseline = Baseline(
      number: 41, commit: CommitID(rawValue: "a"), outcome: .testFailures, tests: TestCounts(), totals: nil, files: [:],
      duration: 1, warnings: 0, states: Dictionary(uniqueKeysWithValues: red.map { (id($0), TestState.failed) }))
    change(&integration)
    return VerdictSentence(integration).sentence
  }

  @Test("A red test that was only marked as a known issue is not said to be fixed")
  func knownIssue() {
    func against(red names: [String]) -> String {
      sentence(.succeeded, [.expectedFailure, .expectedFailure, .passed], red: names) {
        $0.issues = names.map { name in
          var issue = Model.Issue(id: name, kind: .testFailure, status: .resolved, message: "m", test: id(name))
          issue.ending = .knownIssue
          return issue
        }
      }
    }
    #expect(against(red: ["t0"]).hasPrefix("t0 marked as a known issue: "))
    #expect(against(red: ["t0", "t1"]).hasPrefix("2 tests marked as known issues: "))
  }

  @Test("A test that was red under another name is not called new")
  func renamed() {
    let told = sentence(.testFailures, [.failed, .passed], red: ["t9"]) {
      $0.baseline?.follow(TestListChanges(renamed: [.init(from: id("t9"), to: id("t0"))]))
    }
    #expect(!told.contains("New test"))
  }
}
