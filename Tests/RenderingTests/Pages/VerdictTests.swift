@testable import Model
import Testing

@testable import Rendering

@Suite("The sentence that a page begins with")
struct VerdictTests {
  func sentence(_ outcome: Outcome, _ change: (inout Integration) -> Void = { _ in }) -> String {
    var integration = GreeterSample.integration()
    integration.outcome = outcome
    change(&integration)
    return VerdictSentence(integration).sentence
  }

  func results(_ states: TestState...) -> TestReport {
    TestReport(
      results: states.enumerated().map { index, state in
        TestResult(id: TestID(module: "M", suite: "S", name: "t\(index)"), library: .xctest, state: state)
      })
  }

  func baseline(red names: [String]) -> Baseline {
    let states = ["t0", "t1", "t2"].map {
      (TestID(module: "M", suite: "S", name: $0), names.contains($0) ? TestState.failed : .passed)
    }
    return Baseline(
      number: 41, commit: CommitID(rawValue: "a"), outcome: .testFailures, tests: TestCounts(), totals: nil, files: [:],
      duration: 1, warnings: 0, states: Dictionary(uniqueKeysWithValues: states))
  }

  @Test("Tests passed without a remark only when every listed test did")
  func green() {
    #expect(sentence(.succeeded) { $0.tests = results(.passed, .passed) } == "2 tests passed")
    #expect(
      sentence(.succeeded) { $0.tests = results(.passed, .skipped) } == "Green: 1 passed, 1 skipped")
    #expect(sentence(.succeeded) == "The build succeeded; no tests were requested")
    let fewer = sentence(.succeeded) {
      $0.tests = results(.passed, .passed)
      $0.testChanges = TestListChanges(deleted: [TestID(module: "M", suite: "S", name: "t2")])
    }
    #expect(fewer == "Green: 2 passed, 1 deleted")
  }

  @Test("Warnings of a build without tests stand beside the build")
  func warnedWithoutTests() {
    #expect(
      sentence(.warnings) {
        $0.diagnostics = []
        $0.tests = TestReport()
      } == "The build succeeded with a warning; no tests were requested")
    #expect(
      sentence(.warnings) {
        $0.diagnostics = [Diagnostic(severity: .warning, message: "unused", location: nil)]
        $0.tests = TestReport()
        $0.omissions = [PackageOmission(.testsNotRun)]
      } == "The build succeeded with 1 warning; no tests ran")
    #expect(
      sentence(.analyzerWarnings) { integration in
        integration.diagnostics = []
        integration.tests = TestReport()
        integration.issues = (1...3).map {
          Model.Issue(id: "a-\($0)", kind: .analyzerWarning, status: .new, message: "long \($0)")
        }
      } == "The build succeeded with 3 analyzer warnings; no tests were requested")
  }

  @Test("What was left out did not pass, and the sentence begins with how many tests ran")
  func onlyAffected() {
    func left(_ tests: TestReport, _ everything: OnlyAffected.Everything? = nil) -> TestReport {
      var tests = tests
      tests.only = OnlyAffected(since: 3, ran: 1, listed: 3, everything: everything)
      return tests
    }
    #expect(
      sentence(.succeeded) { $0.tests = left(results(.passed, .skipped, .skipped)) }
        == "1 of 3 tests, those that reach the change: 1 passed")
    #expect(
      sentence(.testFailures) { $0.tests = left(results(.failed, .skipped, .skipped)) }
        == "1 test is red (1 of 3 tests ran)")
    #expect(
      sentence(.succeeded) { $0.tests = left(results(.passed, .passed, .passed), .turn(every: 10)) }
        == "3 tests passed")
  }

  @Test("What the package keeps from running did not pass")
  func omitted() {
    func omitting(_ code: PackageOmission.Code, _ tests: TestReport = TestReport()) -> String {
      sentence(.succeeded) {
        $0.tests = tests
        $0.omissions = [PackageOmission(code)]
      }
    }
    #expect(omitting(.testsNotRun) == "The build succeeded; no tests ran")
    #expect(omitting(.testsLeftOut, results(.passed)) == "Some tests left out: 1 passed")
    #expect(omitting(.coverageLeftOut, results(.passed)) == "1 test passed")
  }

  @Test("Of XCTFail the author's words are told, or that it was called")
  func xctFail() throws {
    func told(_ message: String) -> String {
      let failure = TestFailure(location: nil, message: message, parsed: FailureMessage.xctest(message))
      guard case .record(let fields) = FailureLine(failure).record, case .text(let text) = fields["text"] else {
        return ""
      }
      return text
    }
    #expect(told("failed - We have a problem") == "We have a problem")
    #expect(told("failed - ") == "XCTFail()")
    #expect(told("XCTAssertTrue failed - ") == "XCTAssertTrue failed")
    #expect(told(#"XCTUnwrap failed: expected non-nil value of type "Int" - No key"#) == "No key")
  }

  @Test("A test that was silenced and fails on something else is new")
  func redAnew() {
    let id = TestID(module: "M", suite: "S", name: "t0")
    func against(_ status: Model.Issue.Status) -> String {
      sentence(.testFailures) {
        $0.tests = results(.failed, .passed)
        $0.baseline = baseline(red: ["t0"])
        $0.baseline?.issues = [
          Model.Issue(id: "t", kind: .testFailure, status: .silenced, message: "one", test: id)
        ]
        $0.issues = [Model.Issue(id: "u", kind: .testFailure, status: status, message: "two", test: id)]
      }
    }
    #expect(against(.new) == "t0 failed")
    #expect(against(.unresolved) == "t0 failed, as in 41")
  }

  @Test("A test that was not there before did not turn red")
  func redAtOnce() {
    func against(_ known: [TestID: TestState]) -> String {
      sentence(.testFailures) {
        $0.tests = results(.failed, .passed)
        $0.baseline = baseline(red: [])
        $0.baseline?.states = known
      }
    }
    let id = TestID(module: "M", suite: "S", name: "t0")
    #expect(against([TestID(module: "M", suite: "S", name: "t1"): .passed]) == "New test t0 failed")
    #expect(against([id: .passed]) == "t0 failed")
  }

  @Test("What was red before is said to be fixed, and a build that was broken to be whole again")
  func again() {
    func against(_ baseline: Baseline, _ ending: IssueRecord.Ending = .fixed) -> String {
      sentence(.succeeded) {
        $0.tests = results(.passed, .passed, .skipped)
        $0.baseline = baseline
        $0.issues = baseline.states.filter(\.value.isRed).map { test, _ in
          var issue = Model.Issue(id: "t-\(test.name)", kind: .testFailure, status: .resolved, message: "m", test: test)
          issue.ending = ending
          return issue
        }
      }
    }
    var baseline = baseline(red: ["t0", "t2"])
    #expect(against(baseline) == "t0 fixed: 2 passed, 1 skipped")
    #expect(against(baseline, .passedAgain) == "t0 passed again: 2 passed, 1 skipped")
    #expect(against(baseline, .testDeleted) == "2 red tests deleted: 2 passed, 1 skipped")
    #expect(against(self.baseline(red: ["t2"]), .testDeleted) == "t2 deleted: 2 passed, 1 skipped")
    baseline.outcome = .buildErrors
    #expect(against(baseline) == "Builds again: 2 passed, 1 skipped")
    baseline = self.baseline(red: [])
    #expect(against(baseline) == "Green: 2 passed, 1 skipped")
  }

  @Test("Flaky tests are named when they are few, and before all else where they are why it is not green")
  func flaky() {
    func flaky(
      _ count: Int, _ outcome: Outcome = .warnings, _ change: (inout Integration) -> Void = { _ in }
    ) -> String {
      sentence(outcome) {
        $0.tests = results(.passed, .passed, .passed, .passed, .skipped)
        for index in 0..<count { $0.tests.results[index].isFlaky = true }
        $0.tests.results[0].displayName = "A greeting arrives in time"
        change(&$0)
      }
    }
    #expect(flaky(1) == "“A greeting arrives in time” is flaky; 3 tests passed")
    #expect(flaky(2) == "“A greeting arrives in time” and t1 are flaky; 2 tests passed")
    #expect(flaky(3) == "3 tests are flaky; 1 test passed")
    #expect(flaky(1, .succeeded) == "Green: 3 passed, “A greeting arrives in time” flaky, 1 skipped")
    let deleted = flaky(1) {
      $0.baseline = self.baseline(red: ["t9"])
      let test = TestID(module: "M", suite: "S", name: "crash()")
      var issue = Model.Issue(id: "c", kind: .crash, status: .resolved, message: "m", test: test)
      issue.ending = .testDeleted
      $0.issues = [issue]
    }
    #expect(deleted == "“A greeting arrives in time” is flaky; crash() deleted; 3 passed")
  }

  @Test("Red tests whose issues are silenced are not called passed")
  func silenced() {
    #expect(
      sentence(.succeeded) { $0.tests = results(.passed, .failed) } == "Green: 1 passed, 1 red test silenced")
  }

  @Test("Warnings are counted by kind")
  func warnings() {
    let text = sentence(.warnings) {
      $0.tests = results(.passed)
      $0.diagnostics = [Diagnostic(severity: .warning, message: "w"), Diagnostic(severity: .error, message: "e")]
    }
    #expect(text == "1 warning; 1 test passed")
    #expect(sentence(.warnings) { $0.tests = results(.passed) } == "1 test passed, a warning")
  }

  @Test("Silenced warnings cause nothing, and are not counted")
  func silencedWarnings() {
    let test = TestID(module: "M", suite: "S", name: "t0")
    func silenced(_ id: String, _ test: TestID? = nil, _ subject: IssueSubject? = nil) -> Model.Issue {
      var issue = Model.Issue(id: id, kind: .warning, status: .silenced, message: "w", test: test)
      issue.subject = subject
      return issue
    }
    let text = sentence(.warnings) {
      $0.tests = results(.passed, .passed)
      $0.tests.results[0].warnings = [TestFailure(location: nil, message: "w")]
      $0.tests.isolation = IsolationReport(ran: 2, differing: [.init(id: test, together: .passed, alone: .failed)])
      $0.diagnostics = ["w", "x"].map { Diagnostic(severity: .warning, message: $0) }
      $0.issues = [silenced("w-1"), silenced("w-2", test), silenced("w-3", test, .orderDependence)]
    }
    #expect(text == "1 warning; 2 tests passed")
  }

  @Test("Red tests are new or old only where there is something to compare with")
  func red() {
    let red = results(.failed, .failed, .passed)
    #expect(sentence(.testFailures) { $0.tests = red } == "2 tests are red")
    func against(_ names: String...) -> String {
      sentence(.testFailures) {
        $0.tests = red
        $0.baseline = baseline(red: names)
      }
    }
    #expect(against() == "2 tests went red")
    #expect(against("t0") == "2 tests are red (1 new)")
    #expect(against("t0", "t1") == "2 tests are red, as in 41")
    #expect(
      sentence(.testFailures) {
        $0.tests = results(.timedOut)
        $0.baseline = baseline(red: ["t0"])
      } == "t0 timed out (failed in 41)")
    #expect(sentence(.testFailures) == "No test is red, but something failed outside the tests")
  }

  @Test("What was red before, and green in between, came back")
  func comeback() {
    func told(_ back: [Int], red: [TestState] = [.failed, .crashed, .failed]) -> String {
      sentence(.testFailures) { integration in
        integration.tests = TestReport(
          results: red.enumerated().map { index, state in
            TestResult(id: TestID(module: "M", suite: "S", name: "t\(index)"), library: .xctest, state: state)
          })
        integration.baseline = baseline(red: ["t2"])
        integration.issues = back.map { index in
          let test = TestID(module: "M", suite: "S", name: "t\(index)")
          var issue = Model.Issue(id: "i\(index)", kind: .testFailure, message: "no", test: test)
          issue.life = IssueLife(firstSeen: 1, streak: 2, streakStart: 42, cameBackFrom: 7)
          return issue
        }
      }
    }
    #expect(told([0], red: [.failed]) == "t0 failed again")
    #expect(told([0, 1], red: [.failed, .failed]) == "2 tests are red again")
    #expect(told([0]) == "1 test crashed and 2 failed (1 new, 1 came back)")
    #expect(told([0, 1]) == "1 test crashed and 2 failed (2 came back)")
    #expect(told([]) == "1 test crashed and 2 failed (2 new)")
  }

  @Test("No red test is called new against an integration that came to no tests")
  func redAfterBrokenBuild() {
    var broken = baseline(red: [])
    broken.outcome = .buildErrors
    broken.states = [:]
    let text = sentence(.testFailures) {
      $0.tests = results(.failed, .failed)
      $0.baseline = broken
    }
    #expect(text == "2 tests are red")
  }

  @Test("Failed gates that count are named in the headline, behind red tests")
  func gates() {
    let share = GateResult(rule: "ratchet", state: .failed, sentence: "The share fell.")
    let patch = GateResult(rule: "patch=80", state: .failed, sentence: "1 of 2 lines ran.")
    let unjudged = GateResult(rule: "no-lost-coverage", state: .notJudged, sentence: "There was nothing to lose.")
    func told(
      _ gates: GateResult..., only: Bool = true, tests: TestReport = TestReport(), silenced: GateResult? = nil
    ) -> String {
      sentence(.testFailures) {
        $0.gates = gates
        $0.reasons = gates.map { .gateFailed($0) }
        $0.onlyGatesFailed = only
        $0.tests = tests
        $0.issues =
          silenced.map { gate in
            var issue = Model.Issue(id: "g", kind: .gate, status: .silenced, message: gate.message)
            issue.subject = .gate(gate.rule)
            return [issue]
          } ?? []
      }
    }
    #expect(told(share, unjudged) == "Ratchet gate failed")
    #expect(told(share, tests: results(.passed, .skipped)) == "Ratchet gate failed; tests passed")
    #expect(told(share, patch) == "2 gates failed")
    #expect(told(share, patch, silenced: patch) == "Ratchet gate failed")
    #expect(told(share, patch, silenced: share) == "80% patch gate failed")
    #expect(
      told(share, only: false) == "No test is red, but something failed outside the tests, and the ratchet gate failed")
    #expect(told(share, patch, only: false, tests: results(.failed)) == "1 test is red, and 2 gates failed")
    #expect(told(patch, only: false, tests: results(.failed)) == "1 test is red, and the 80% patch gate failed")
    // A red test that is silenced is not what made it red.
    #expect(told(share, tests: results(.failed)) == "Ratchet gate failed")
  }

  @Test("A failed build says where it failed and how many errors there are")
  func build() {
    let error = Diagnostic(severity: .error, message: "e")
    let linker = Diagnostic(severity: .error, message: "e", isLinker: true)
    #expect(sentence(.buildErrors) == "The build failed")
    #expect(sentence(.buildErrors) { $0.diagnostics = [error, linker, error] } == "The build failed: 3 errors")
    #expect(sentence(.buildErrors) { $0.diagnostics = [linker] } == "The build failed: 1 linker error")
    var placed = error
    placed.location = SourceLocation(file: "Sources/A/B.swift", line: 3)
    #expect(sentence(.buildErrors) { $0.diagnostics = [placed, placed] } == "The build failed: 2 errors in B.swift")
    placed.isCompilerCrash = true
    #expect(sentence(.buildErrors) { $0.diagnostics = [placed] } == "The build failed: the compiler crashed in B.swift")
    let resolving = sentence(.buildErrors) {
      $0.diagnostics = [error]
      $0.steps = [StepRecord(name: .resolving, duration: 1, exitStatus: 1)]
    }
    #expect(resolving == "The dependencies could not be resolved: 1 error")
  }

  @Test("Incomplete says what is missing")
  func incomplete() {
    #expect(sentence(.incomplete) == "Incomplete: no tests are listed")
    func without(_ reason: OutcomeReason) -> String { sentence(.incomplete) { $0.reasons = [reason] } }
    #expect(without(.noTestTarget) == "Incomplete: the package has no test target")
    #expect(without(.noTests) == "Incomplete: the package's test targets contain no tests")
    #expect(
      without(.filterMatchesNothing(leftOut: 2)) == "Incomplete: no test matches the filter; 2 tests were left out")
    #expect(
      sentence(.incomplete) { $0.tests = results(.passed, .notRun) } == "Incomplete: 1 listed test did not run")
    #expect(
      sentence(.incomplete) { $0.tests = results(.passed) } == "Incomplete: the test run was cut off")
    #expect(
      sentence(.incomplete) {
        $0.tests = results(.passed)
        $0.reasons = [.testsUncalled([TestID(module: "M", suite: "S", name: "test_other")])]
      } == "Incomplete: 1 test passed without being called")
    func quit(_ count: Int, _ states: TestState...) -> String {
      sentence(.incomplete) {
        $0.tests = TestReport(
          results: states.enumerated().map { index, state in
            let id = TestID(module: "M", suite: "S", name: "test_quits\(index)")
            var test = TestResult(id: id, library: .xctest, state: state)
            if index < count { test.quit = ProcessQuit(call: "exit(0)") }
            return test
          })
      }
    }
    #expect(quit(1, .notRun, .passed) == "Incomplete: test_quits0 ended the process: exit(0)")
    #expect(
      quit(1, .notRun, .notRun) == "Incomplete: test_quits0 ended the process: exit(0) and 1 listed test did not run")
    #expect(quit(2, .notRun, .notRun) == "Incomplete: 2 tests ended the process")
  }

  @Test("Every outcome has a sentence of its own")
  func outcomes() {
    let sentences = Outcome.allCases.filter { $0 != .warnings && $0 != .analyzerWarnings }.map { sentence($0) }
    #expect(Set(sentences).count == sentences.count)
  }
}
