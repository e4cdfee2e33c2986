@testable import Model
import Testing

@testable import Rendering

/// What it says about gates.
extension VerdictTests {
  private static let baseline = Baseline(
    number: 41, commit: CommitID(rawValue: "a"), outcome: .testFailures, tests: TestCounts(), totals: nil, files: [:],
    duration: 1, warnings: 0, states: [TestID(module: "M", suite: "S", name: "t0"): .passed])

  @Test("A gate that failed before and passes is told like a test that was fixed")
  func gatePassesAgain() {
    func told(
      _ rules: [String], tests: [Model.Issue] = [], ending: IssueRecord.Ending? = .fixed, back: Int = 2
    ) -> String {
      sentence(.succeeded) {
        $0.tests = results(.passed, .passed)
        $0.baseline = Self.baseline
        $0.gates = rules.map { GateResult(rule: $0, state: .passed, sentence: "") }
        $0.issues =
          tests
          + rules.enumerated().map { index, rule in
            var issue = Model.Issue(id: "g-\(rule)", kind: .gate, status: .resolved, message: "m")
            (issue.subject, issue.ending) = (.gate(rule), ending)
            if index < back { issue.life = IssueLife(firstSeen: 1, streak: 2, streakStart: 41, cameBackFrom: 7) }
            return issue
          }
      }
    }
    #expect(told(["patch=80"]) == "80% patch gate passes again; 2 tests passed")
    #expect(told(["ratchet"]) == "Ratchet gate passes again; 2 tests passed")
    #expect(told(["ratchet", "patch=80"]) == "2 gates pass again; 2 tests passed")
    #expect(told(["ratchet"], ending: nil) == "2 tests passed")
    // One that never passed does not pass again.
    #expect(told(["patch=80"], back: 0) == "80% patch gate passes; 2 tests passed")
    #expect(told(["ratchet", "patch=80"], back: 1) == "2 gates pass; 2 tests passed")
    let id = TestID(module: "M", suite: "S", name: "t0")
    var red = Model.Issue(id: "t", kind: .testFailure, status: .resolved, message: "m", test: id)
    red.ending = .fixed
    #expect(told(["ratchet"], tests: [red]) == "t0 fixed, ratchet gate passes again; 2 tests passed")
  }

  @Test("Behind a gate that passes, known issues and skipped tests are left to the figures")
  func gateAndSkipped() {
    var issue = Model.Issue(id: "g", kind: .gate, status: .resolved, message: "m")
    (issue.subject, issue.ending) = (.gate("ratchet"), .fixed)
    let text = sentence(.succeeded) {
      $0.tests = results(.passed, .expectedFailure, .skipped)
      ($0.baseline, $0.issues) = (Self.baseline, [issue])
      $0.gates = [GateResult(rule: "ratchet", state: .passed, sentence: "")]
    }
    #expect(text == "Ratchet gate passes; 1 test passed")
  }

  @Test("A warning is told before a gate that passes")
  func warningFirst() {
    var issue = Model.Issue(id: "g", kind: .gate, status: .resolved, message: "m")
    (issue.subject, issue.ending) = (.gate("ratchet"), .fixed)
    let text = sentence(.warnings) {
      $0.tests = results(.passed, .skipped)
      $0.diagnostics = [Diagnostic(severity: .warning, message: "w")]
      ($0.baseline, $0.issues) = (Self.baseline, [issue])
      $0.gates = [GateResult(rule: "ratchet", state: .passed, sentence: "")]
    }
    #expect(text == "1 warning; ratchet gate passes; 1 test passed")
  }

  @Test("A gate that failed before, and passed in between, failed again")
  func gateFailedAgain() {
    func told(tests: TestReport = TestReport(), back: Bool = true, testBack: Bool = false) -> String {
      sentence(.testFailures) {
        $0.gates = [GateResult(rule: "patch=80", state: .failed, sentence: "1 of 2 lines ran.")]
        $0.onlyGatesFailed = tests.results.isEmpty
        ($0.tests, $0.baseline) = (tests, Self.baseline)
        var gate = Model.Issue(id: "g", kind: .gate, message: "m")
        gate.subject = .gate("patch=80")
        let id = TestID(module: "M", suite: "S", name: "t0")
        var test = Model.Issue(id: "t", kind: .testFailure, message: "m", test: id)
        let life = IssueLife(firstSeen: 1, streak: 2, streakStart: 42, cameBackFrom: 7)
        if back { gate.life = life }
        if testBack { test.life = life }
        $0.issues = [gate, test]
      }
    }
    #expect(told() == "80% patch gate failed again")
    #expect(told(back: false) == "80% patch gate failed")
    let red = results(.failed)
    #expect(told(tests: red) == "t0 failed, and the 80% patch gate failed again")
    #expect(told(tests: red, testBack: true) == "t0 and the 80% patch gate failed again")
    #expect(told(tests: red, back: false) == "t0 and the 80% patch gate failed")
    #expect(told(tests: red, back: false, testBack: true) == "t0 failed again, and the 80% patch gate failed")
  }
}
