@testable import Model
import Testing

@testable import Rendering

extension VerdictTests {
  @Test("A red test that did not count before is not red as before, nor is one that has a new reason")
  func otherwise() {
    func told(_ before: Model.Issue.Status, reason: Int?, _ states: TestState...) -> String {
      sentence(.testFailures) { integration in
        integration.tests = TestReport(
          results: states.enumerated().map { index, state in
            TestResult(id: TestID(module: "M", suite: "S", name: "t\(index)"), library: .xctest, state: state)
          })
        integration.baseline = baseline(red: ["t0", "t1"])
        let test = TestID(module: "M", suite: "S", name: "t0")
        var issue = Model.Issue(id: "t", kind: .testFailure, status: .unresolved, message: "no", test: test)
        issue.life = IssueLife(firstSeen: 1, streakStart: 1, streakAge: 1)
        issue.life?.reasonSince = reason
        integration.issues = [issue]
        issue.status = before
        integration.baseline?.issues = [issue]
      }
    }
    #expect(told(.silenced, reason: nil, .failed) == "t0 is red, and counts again")
    #expect(told(.silenced, reason: nil, .failed, .failed) == "2 tests are red (1 counts again)")
    #expect(told(.unresolved, reason: 42, .failed) == "t0 is red, for a new reason")
    #expect(told(.unresolved, reason: 42, .failed, .failed) == "2 tests are red (1 for a new reason)")
    #expect(told(.unresolved, reason: 40, .failed) == "t0 failed, as in 41")
  }

  @Test("Crashes and time-outs are named, the worst first, and counted where they are many or their names are long")
  func worst() {
    func told(
      _ states: TestState..., name: String = "t", gate: Bool = false, unbegun: Bool = false, red: [String]? = nil
    ) -> String {
      sentence(.testFailures) { integration in
        var all = states.enumerated().map { index, state in
          TestResult(id: TestID(module: "M", suite: "S", name: "\(name)\(index)"), library: .xctest, state: state)
        }
        if unbegun {
          var test = TestResult(id: TestID(module: "M", suite: "Labels", name: "first"), library: .xctest)
          test.quit = ProcessQuit(call: "exit(3)", isBeforeStart: true, status: 3)
          all.append(test)
        }
        integration.tests = TestReport(results: all)
        integration.baseline = red.map { baseline(red: $0) }
        integration.onlyGatesFailed = false
        if gate { integration.gates = [GateResult(rule: "ratchet", state: .failed, sentence: "The share fell.")] }
      }
    }
    #expect(told(.timedOut, .crashed) == "t1 crashed and t0 timed out")
    #expect(told(.timedOut, .crashed, red: ["t0", "t1"]) == "t1 crashed and t0 timed out")
    #expect(told(.timedOut, .crashed, red: ["t1"]) == "t0 timed out and t1 crashed", "The new row is first.")
    #expect(
      told(.crashed, .timedOut, gate: true, unbegun: true) == "t0 crashed, t1 timed out and the ratchet gate failed")
    #expect(told(.crashed, .timedOut, unbegun: true) == "t0 crashed, t1 timed out and no test of Labels began")
    #expect(told(.crashed, red: ["t0"]) == "t0 crashed (failed in 41)")
    #expect(told(.crashed) == "t0 crashed", "Also without anything to compare with.")
    #expect(
      told(.timedOut, .crashed, .timedOut, gate: true, red: [])
        == "1 test crashed and 2 timed out, and the ratchet gate failed")
    #expect(told(.timedOut, .crashed, name: String(repeating: "t", count: 40)) == "1 test crashed and 1 timed out")
    #expect(told(.failed, .failed) == "2 tests are red")
  }

  @Test("A test that ended the process is told beside what is red")
  func quitBeside() {
    func told(_ quits: Int, _ states: TestState..., gate: Bool = false, only: Bool = false) -> String {
      sentence(.testFailures) { integration in
        integration.tests = TestReport(
          results: states.enumerated().map { index, state in
            let id = TestID(module: "M", suite: "S", name: "t\(index)")
            var test = TestResult(id: id, library: .xctest, state: state)
            if state == .notRun, index > states.count - 1 - quits { test.quit = ProcessQuit(call: "exit(0)") }
            return test
          })
        integration.baseline = baseline(red: ["t0"])
        if gate { integration.gates = [GateResult(rule: "ratchet", state: .failed, sentence: "The share fell.")] }
        integration.onlyGatesFailed = only
      }
    }
    #expect(told(1, .failed, .notRun) == "t0 failed, as in 41, and t1 ended the process: exit(0)")
    #expect(told(2, .failed, .notRun, .notRun) == "t0 failed, as in 41, and 2 tests ended the process")
    #expect(
      told(1, .passed, .failed, .notRun, gate: true)
        == "t1 failed, and the ratchet gate failed and t2 ended the process: exit(0)")
    #expect(
      told(1, .passed, .notRun, gate: true, only: true) == "Ratchet gate failed, and t1 ended the process: exit(0)")
    #expect(told(0, .failed, .notRun) == "t0 failed, as in 41; 1 test did not run")
  }

  @Test("A silenced red test is not among those that are told to be red")
  func silencedBeside() {
    func told(red names: [String], _ states: TestState...) -> String {
      sentence(.testFailures) { integration in
        integration.tests = TestReport(
          results: states.enumerated().map { index, state in
            TestResult(id: TestID(module: "M", suite: "S", name: "t\(index)"), library: .xctest, state: state)
          })
        integration.baseline = baseline(red: names)
        let test = TestID(module: "M", suite: "S", name: "t0")
        integration.issues = [Model.Issue(id: "t", kind: .testFailure, status: .silenced, message: "no", test: test)]
      }
    }
    #expect(told(red: ["t0"], .failed, .failed) == "t1 failed")
    #expect(told(red: ["t0", "t1"], .failed, .failed) == "t1 failed, as in 41")
    #expect(told(red: ["t0"], .failed, .failed, .failed) == "2 tests went red")
    #expect(told(red: ["t0", "t1"], .failed, .failed, .failed) == "2 tests are red (1 new)")
    #expect(told(red: [], .failed, .passed) == "No test that counts is red, but something failed outside the tests")
    // A crash is not silenced with a failure.
    #expect(told(red: ["t0", "t1"], .crashed, .failed) == "t0 crashed and t1 failed")
  }
}
