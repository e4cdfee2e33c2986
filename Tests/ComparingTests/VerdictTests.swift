import Model
import Rendering
import TestGround
import Testing

@testable import Comparing

@Suite("The verdict")
struct VerdictTests {
  private func evidence(_ states: [TestState], filteredOut: Int = 0) -> Verdict.Evidence {
    let results = states.enumerated().map { Finding.result("test\($0.offset)", $0.element) }
    return Verdict.Evidence(
      built: true, diagnostics: [], tests: TestReport(results: results, filteredOut: filteredOut))
  }

  @Test("Is green without a word when every listed test passed, was skipped or failed as expected")
  func succeeded() {
    #expect(Verdict.of(evidence([.passed])).told == ToldVerdict(.succeeded))
    #expect(Verdict.of(evidence([.passed, .skipped, .expectedFailure])).told == ToldVerdict(.succeeded))
    #expect(Verdict.of(evidence([.skipped])).told == ToldVerdict(.succeeded))
  }

  @Test("Says first where tests were left out, and behind the failure if there is one")
  func onlyAffected() {
    var evidence = evidence([.passed, .skipped, .skipped])
    evidence.tests.only = OnlyAffected(since: 4, ran: 1, listed: 3, everything: nil)
    let sentence =
      "1 of 3 tests ran; the others reach nothing that changed since integration 4."
    #expect(Verdict.of(evidence).told == ToldVerdict(.succeeded, [sentence]))
    evidence.tests.results[0].state = .failed
    #expect(Verdict.of(evidence).told == ToldVerdict(.testFailures, ["1 test failed.", sentence]))
    evidence.tests.only = OnlyAffected(since: 4, ran: 1, listed: 3, everything: .turn(every: 10))
    #expect(Verdict.of(evidence).told == ToldVerdict(.testFailures, ["1 test failed."]))
  }

  @Test("Is incomplete where a passed test was never called, and says which if these are few", arguments: [1, 2, 12])
  func uncalled(count: Int) {
    var evidence = evidence(Array(repeating: .passed, count: count))
    var report = AssertionReport()
    report.uncalled = evidence.tests.results.map(\.id)
    evidence.tests.assertions = report
    let names = report.uncalled.map { "\($0)" }
    let sentence =
      switch count {
      case 1: "1 test passed, but its function was never called: \(names[0])."
      case 2: "2 tests passed, but their functions were never called: \(names[0]) and \(names[1])."
      default: "12 tests passed, but their functions were never called."
      }
    #expect(Verdict.of(evidence).told == ToldVerdict(.incomplete, [sentence]))
  }

  @Test(
    "Counts the errors of a build that failed",
    arguments: [
      (0, "The build failed without a readable message; see the build log."),
      (1, "The build failed with 1 error."),
      (3, "The build failed with 3 errors."),
    ])
  func buildErrors(count: Int, sentence: String) {
    var evidence = evidence([])
    evidence.built = false
    evidence.diagnostics =
      (0..<count).map { Finding.diagnostic(.error, "error \($0)") } + [
        Finding.diagnostic(.warning, "old"), Finding.diagnostic(.note, "here"),
      ]
    #expect(Verdict.of(evidence).told == ToldVerdict(.buildErrors, [sentence]))
  }

  @Test("Says where SwiftPM was when it could not resolve the dependencies")
  func failedResolving() {
    func reasons(_ last: String, errors: Int) -> [String] {
      var evidence = evidence([])
      evidence.built = false
      evidence.failedResolving = last
      evidence.diagnostics = (0..<errors).map { Finding.diagnostic(.error, "error \($0)") }
      let verdict = Verdict.of(evidence)
      #expect(verdict.outcome == .buildErrors)
      return verdict.sentences
    }
    #expect(
      reasons("Fetching https://example.org/a.git", errors: 1)
        == ["The dependencies could not be resolved: 1 error, after “Fetching https://example.org/a.git”."])
    #expect(reasons("", errors: 2) == ["The dependencies could not be resolved: 2 errors."])
    #expect(
      reasons("", errors: 0)
        == ["The dependencies could not be resolved; see the resolving log."])
  }

  @Test("What may mend it is a hint behind the reason, and no error")
  func hints() {
    var evidence = evidence([])
    evidence.built = false
    evidence.failedResolving = ""
    evidence.diagnostics = [Finding.diagnostic(.error, "no such host"), Finding.diagnostic(.note, "Use https.")]
    #expect(
      Verdict.of(evidence).sentences == ["The dependencies could not be resolved: 1 error.", "Use https."])
  }

  @Test("A build that failed is a build that failed, whatever tests are known from elsewhere")
  func buildErrorsComeFirst() {
    var evidence = evidence([.failed, .crashed, .notRun])
    evidence.built = false
    evidence.gaps = [.contradiction("The process ended early.")]
    #expect(Verdict.of(evidence).outcome == .buildErrors)
  }

  @Test("Findings of the analyzer come before warnings, and after everything that is red or missing")
  func analyzer() {
    var evidence = evidence([.passed])
    evidence.analyzerWarnings = 2
    evidence.diagnostics = [Finding.diagnostic(.warning, "old")]
    #expect(
      Verdict.of(evidence).told
        == ToldVerdict(.analyzerWarnings, ["2 analyzer warnings.", "1 compiler warning."]))
    evidence.gaps = [.contradiction("The process ended early.")]
    #expect(Verdict.of(evidence).outcome == .incomplete)
    var red = self.evidence([.failed])
    red.analyzerWarnings = 1
    #expect(Verdict.of(red).outcome == .testFailures)
  }

  @Test("Says how many tests failed, crashed and timed out, in this order")
  func testFailures() {
    #expect(Verdict.of(evidence([.failed, .passed])).told == ToldVerdict(.testFailures, ["1 test failed."]))
    #expect(
      Verdict.of(evidence([.timedOut, .crashed, .failed, .failed, .crashed, .timedOut, .timedOut])).told
        == ToldVerdict(.testFailures, ["2 tests failed, 2 crashed and 3 timed out."]))
  }

  @Test("A red test outweighs tests that did not run; what is missing from the proof is told with it")
  func redOutweighsMissing() {
    var evidence = evidence([.crashed, .notRun, .notRun])
    evidence.gaps = [.contradiction("XCTest ended by signal 4; 2 of 3 tests did not run.")]
    #expect(
      Verdict.of(evidence).told
        == ToldVerdict(.testFailures, ["1 test crashed.", "XCTest ended by signal 4; 2 of 3 tests did not run."]))
  }

  @Test("A failure that belongs to no test is a failure, told by the sentence of the library's reader")
  func failureOutsideTests() {
    var evidence = evidence([.passed])
    evidence.failuresOutsideTests = 1
    evidence.gaps = [.contradiction("XCTest recorded a failure outside any test: late")]
    #expect(
      Verdict.of(evidence).told == ToldVerdict(.testFailures, ["XCTest recorded a failure outside any test: late"]))
  }

  @Test("Only gates failed where no test is red, and nothing failed outside of the tests")
  func onlyGates() {
    let gate = GateResult(rule: "ratchet", state: .failed, sentence: "The share fell.")
    func only(_ evidence: Verdict.Evidence) -> Bool {
      var evidence = evidence
      evidence.failedGates = [gate]
      let verdict = Verdict.of(evidence)
      #expect(verdict.outcome == .testFailures && verdict.sentences.contains(gate.message))
      #expect(
        verdict.adding(triggerFailures: [.init(IssueSubject(.afterTrigger), "It failed.")]).onlyGatesFailed
          == verdict.onlyGatesFailed)
      return verdict.onlyGatesFailed
    }
    #expect(only(evidence([.passed, .notRun])))
    #expect(!only(evidence([.passed, .failed])))
    var outside = evidence([.passed])
    outside.failuresOutsideTests = 1
    #expect(!only(outside))
    var loose = evidence([.passed])
    loose.tests.add([
      SanitizerReport(sanitizer: "ThreadSanitizer", problem: "data race", headline: "", isFatal: false)
    ])
    #expect(!only(loose))
    #expect(!Verdict.of(evidence([.failed])).onlyGatesFailed)
  }

  @Test("What is missing from the proof is told beside a failed gate and beside red tests")
  func missingBesideFailures() {
    var gate = evidence([.passed, .notRun])
    gate.failedGates = [GateResult(rule: "ratchet", state: .failed, sentence: "The share fell.")]
    #expect(Verdict.of(gate).sentences == ["Ratchet gate: the share fell.", "1 of 2 listed tests did not run."])
    #expect(
      Verdict.of(evidence([.failed, .notRun])).sentences == ["1 test failed.", "1 of 2 listed tests did not run."])
  }

  @Test("What made an integration red is told before what did not")
  func reasonsInOrder() {
    var flaky = evidence([.passed])
    flaky.tests.results[0].isFlaky = true
    flaky.gaps = [.contradiction("Swift Testing did not say that it had finished.")]
    flaky.failedGates = [GateResult(rule: "ratchet", state: .failed, sentence: "The share fell.")]
    let again = "Flaky: \(flaky.tests.results[0].id.name)."
    #expect(Verdict.of(flaky).sentences == ["Ratchet gate: the share fell.", flaky.gaps[0].sentence, again])
    flaky.failuresOutsideTests = 1
    flaky.gaps = [.contradiction("XCTest recorded a failure outside any test: late")]
    #expect(Verdict.of(flaky).sentences == [flaky.gaps[0].sentence, "Ratchet gate: the share fell.", again])
  }

  @Test("A build that is not that of the tests is told of by its own name and log")
  func otherBuild() {
    func sentence(_ errors: Int) -> String {
      OutcomeReason.buildFailed(.archive, errors: errors).sentence
    }
    #expect(sentence(1) == "The release build for the archive failed with 1 error.")
    #expect(sentence(2) == "The release build for the archive failed with 2 errors.")
    #expect(
      sentence(0)
        == "The release build for the archive failed without a readable message; see the archiving log."
    )
  }

  @Test("Is never green while a listed test has not run")
  func incomplete() {
    #expect(
      Verdict.of(evidence([.passed, .notRun])).told == ToldVerdict(.incomplete, ["1 of 2 listed tests did not run."]))
    #expect(
      Verdict.of(evidence([.passed, .canceled, .notRun, .canceled])).told
        == ToldVerdict(.incomplete, ["1 of 4 listed tests did not run."]))
  }

  @Test("A test that skips or cancels itself does not count", arguments: [TestState.skipped, .canceled])
  func skipped(state: TestState) {
    #expect(Verdict.of(evidence([.passed, state])).told == ToldVerdict(.succeeded, []))
    #expect(Verdict.of(evidence([.failed, state])).told == ToldVerdict(.testFailures, ["1 test failed."]))
  }

  @Test("Is never green with a gap in the proof, although every test passed")
  func gap() {
    var evidence = evidence([.passed])
    evidence.gaps = [.contradiction("Swift Testing did not say that it had finished.")]
    #expect(Verdict.of(evidence).told == ToldVerdict(.incomplete, ["Swift Testing did not say that it had finished."]))
  }

  @Test("Nothing listed is nothing proved, and the reason says why nothing was listed")
  func nothingListed() {
    var empty = evidence([])
    #expect(
      Verdict.of(empty).told
        == ToldVerdict(.incomplete, ["The package's test targets contain no tests."]))
    empty.hasTestTargets = false
    let lack = "The package has no test target."
    let byHand = "To only build it, write 'actions: [build]' into .martlet.yml."
    #expect(Verdict.of(empty).told == ToldVerdict(.incomplete, [lack, byHand]))
    empty.bot = "Tiny"
    let ofBot = "To only build it, write 'tests: none' into Tiny.yml, or 'actions: [build]' into .martlet.yml."
    #expect(Verdict.of(empty).told == ToldVerdict(.incomplete, [lack, ofBot]))
  }

  @Test("A filter that matches nothing is named, with the number of tests that it left out")
  func filterMatchesNothing() {
    var one = evidence([], filteredOut: 1)
    one.isFiltered = true
    #expect(Verdict.of(one).told == ToldVerdict(.incomplete, ["No test matches the filter; 1 test was left out."]))
    var many = evidence([], filteredOut: 12)
    many.isFiltered = true
    #expect(Verdict.of(many).told == ToldVerdict(.incomplete, ["No test matches the filter; 12 tests were left out."]))
  }

  @Test("A filter that matches nothing beside one that does is named, and leaves the result incomplete")
  func oneFilterMatchesNothing() {
    var mistyped = evidence([.passed], filteredOut: 2)
    mistyped.isFiltered = true
    mistyped.unmatchedFilters = ["testNoooon"]
    #expect(Verdict.of(mistyped).told == ToldVerdict(.incomplete, ["No test matches the filter 'testNoooon'."]))
  }

  @Test("A skip that matches nothing is harmless, and told")
  func skipMatchesNothing() {
    var mistyped = evidence([.passed])
    mistyped.unmatchedSkips = ["slowTests"]
    #expect(
      Verdict.of(mistyped).told
        == ToldVerdict(.succeeded, ["No test matches the skip 'slowTests', so it leaves out nothing."]))
  }

  @Test("Without tests a bot that expects none is satisfied, but a listed test must still run")
  func noTestsExpected() {
    var none = evidence([])
    none.expectsTests = false
    #expect(Verdict.of(none).told == ToldVerdict(.succeeded))
    var waiting = evidence([.notRun])
    waiting.expectsTests = false
    #expect(Verdict.of(waiting).told == ToldVerdict(.incomplete, ["1 of 1 listed test did not run."]))
  }

  @Test("Warnings of the compiler make a green integration one with warnings")
  func compilerWarnings() {
    var evidence = evidence([.passed])
    evidence.diagnostics = [Finding.diagnostic(.warning, "never used"), Finding.diagnostic(.note, "here")]
    #expect(Verdict.of(evidence).told == ToldVerdict(.warnings, ["1 compiler warning."]))
    evidence.diagnostics.append(Finding.diagnostic(.warning, "deprecated"))
    #expect(Verdict.of(evidence).told == ToldVerdict(.warnings, ["2 compiler warnings."]))
  }

  @Test("A test that passed at the second attempt is a warning")
  func flaky() {
    let results = [Finding.result("a", .passed, isFlaky: true), Finding.result("b", .passed)]
    let evidence = Verdict.Evidence(built: true, diagnostics: [], tests: TestReport(results: results))
    #expect(Verdict.of(evidence).told == ToldVerdict(.warnings, ["Flaky: a."]))
  }

  @Test("Fewer tests than before are a warning unless a test source was changed")
  func fewerTests() {
    var evidence = evidence([.passed, .passed])
    evidence.testsBefore = 3
    #expect(
      Verdict.of(evidence).told
        == ToldVerdict(.warnings, ["1 test fewer than before, although no test source changed."]))
    evidence.testsBefore = 7
    #expect(
      Verdict.of(evidence).told
        == ToldVerdict(.warnings, ["5 tests fewer than before, although no test source changed."]))
    evidence.testSourcesChanged = true
    #expect(Verdict.of(evidence).told == ToldVerdict(.succeeded))
    evidence.testSourcesChanged = false
    evidence.testsBefore = 2
    #expect(Verdict.of(evidence).told == ToldVerdict(.succeeded))
  }

  @Test("All warnings are told at once, in a fixed order")
  func allWarnings() {
    let results = [Finding.result("a", .passed, isFlaky: true)]
    let evidence = Verdict.Evidence(
      built: true, diagnostics: [Finding.diagnostic(.warning, "never used")], tests: TestReport(results: results),
      testsBefore: 2)
    #expect(
      Verdict.of(evidence).sentences == [
        "1 compiler warning.", "Flaky: a.",
        "1 test fewer than before, although no test source changed.",
      ])
  }

  @Test("The order of the rules: build, red tests, gaps, warnings")
  func order() {
    var evidence = evidence([.failed, .notRun, .passed])
    evidence.diagnostics = [Finding.diagnostic(.warning, "never used")]
    evidence.gaps = [.contradiction("A gap.")]
    evidence.built = false
    #expect(Verdict.of(evidence).outcome == .buildErrors)
    evidence.built = true
    #expect(Verdict.of(evidence).outcome == .testFailures)
    evidence.tests = TestReport(results: [Finding.result("a", .notRun)])
    #expect(Verdict.of(evidence).outcome == .incomplete)
    evidence.tests = TestReport(results: [Finding.result("a", .passed)])
    #expect(Verdict.of(evidence).outcome == .incomplete)
    evidence.gaps = []
    #expect(Verdict.of(evidence).outcome == .warnings)
    evidence.diagnostics = []
    #expect(Verdict.of(evidence).outcome == .succeeded)
  }

  @Test("No mix of states is ever called green when one of them leaves a test unaccounted for")
  func neverAFalseGreen() {
    var generator = SeededGenerator(seed: 17)
    for _ in 0..<2_000 {
      let states = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        TestState.allCases.randomElement(using: &generator) ?? .notRun
      }
      let verdict = Verdict.of(evidence(states))
      let proves =
        !states.isEmpty && states.allSatisfy { [.passed, .skipped, .canceled, .expectedFailure].contains($0) }
      #expect((verdict.outcome == .succeeded) == proves, "\(states)")
      #expect(verdict.sentences.isEmpty == proves, "\(states)")
    }
  }
}
