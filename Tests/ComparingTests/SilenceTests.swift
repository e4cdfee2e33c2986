import FoundationEssentials
import Model
import Rendering
import Testing

@testable import Comparing

@Suite("Silenced issues")
struct SilenceTests {
  private let red = Issue(id: "", kind: .testFailure, message: "no", test: Finding.test("a"))
  private let failed = IssueReach(built: true, tests: [Finding.test("a"): .failed], listed: true)
  private let passed = IssueReach(built: true, tests: [Finding.test("a"): .passed], listed: true)

  private func silence(
    _ id: String, _ scope: Silence.Scope, number: Int = 1, commit: CommitID? = nil, until: Double? = nil
  ) -> Silence {
    Silence(
      issue: id, scope: scope, reason: "known", author: "Mira", since: Date(timeIntervalSince1970: 0),
      until: until.map { Date(timeIntervalSince1970: $0) }, number: number, commit: commit, message: "no")
  }

  @Test("For ever holds through every streak")
  func ever() {
    let first = Finding.comparison([red], with: nil, reach: failed, number: 1)
    let silences = [silence(first.issues[0].id, .ever)]
    let second = Finding.comparison([red], with: first.memory, reach: failed, number: 2, silences: silences)
    #expect(second.issues.map(\.status) == [.silenced])
    #expect(second.issues[0].silence == silences[0])
    #expect(second.issues[0].age == 1)
    let gone = Finding.comparison([], with: second.memory, reach: passed, number: 3, silences: silences)
    #expect(gone.issues.map(\.status) == [.resolved])
    let back = Finding.comparison([red], with: gone.memory, reach: failed, number: 4, silences: silences)
    #expect(back.issues.map(\.status) == [.silenced])
  }

  @Test("For a streak ends with the streak: when the issue comes back, it counts")
  func streak() {
    let first = Finding.comparison([red], with: nil, reach: failed, number: 1)
    let silences = [silence(first.issues[0].id, .streak, number: 1)]
    let second = Finding.comparison([red], with: first.memory, reach: failed, number: 2, silences: silences)
    #expect(second.issues.map(\.status) == [.silenced])
    let gone = Finding.comparison([], with: second.memory, reach: passed, number: 3, silences: silences)
    let back = Finding.comparison([red], with: gone.memory, reach: failed, number: 4, silences: silences)
    #expect(back.issues.map(\.status) == [.new])
    #expect(back.issues[0].silence == nil)
  }

  @Test("For an integration holds for its commit alone")
  func integration() {
    let first = Finding.comparison([red], with: nil, reach: failed, number: 1)
    let here = [silence(first.issues[0].id, .integration, commit: Finding.commit)]
    let there = [silence(first.issues[0].id, .integration, commit: CommitID(rawValue: "b"))]
    #expect(
      Finding.comparison([red], with: first.memory, reach: failed, silences: here).issues.map(\.status) == [.silenced])
    #expect(
      Finding.comparison([red], with: first.memory, reach: failed, silences: there).issues.map(\.status)
        == [.unresolved])
  }

  @Test("One whose end has come does not hold, and is told; a later one that holds goes before it")
  func expired() {
    let first = Finding.comparison([red], with: nil, reach: failed, number: 1)
    let id = first.issues[0].id
    let old = silence(id, .ever, until: 100)
    func compare(_ silences: [Silence], at seconds: Double) -> Issue {
      Finding.comparison(
        [red], with: first.memory, reach: failed, silences: silences, now: Date(timeIntervalSince1970: seconds)
      ).issues[0]
    }
    #expect(compare([old], at: 99).status == .silenced)
    let ended = compare([old], at: 100)
    #expect(ended.status == .unresolved)
    #expect(ended.endedSilence == old)
    #expect(ended.silence == nil)
    let again = compare([old, silence(id, .streak, number: 1)], at: 100)
    #expect(again.status == .silenced)
    #expect(again.endedSilence == nil)
  }

  @Test("An error of the build cannot be silenced")
  func errors() {
    let error = Issue(id: "", kind: .error, message: "no such thing")
    let first = Finding.comparison([error], with: nil, reach: IssueReach(built: false, tests: [:]), number: 1)
    let again = Finding.comparison(
      [error], with: first.memory, reach: IssueReach(built: false, tests: [:]),
      silences: [silence(first.issues[0].id, .ever)])
    #expect(again.issues.map(\.status) == [.unresolved])
  }

  private func evidence(_ states: [TestState]) -> Verdict.Evidence {
    let results = states.enumerated().map { Finding.result("test\($0.offset)", $0.element) }
    return Verdict.Evidence(built: true, diagnostics: [], tests: TestReport(results: results))
  }

  private func issue(_ kind: Issue.Kind, _ message: String = "no", test: String? = nil) -> Issue {
    Issue(id: "x", kind: kind, status: .silenced, message: message, test: test.map(Finding.test))
  }

  @Test("A silenced red test does not turn an integration red, and another does")
  func verdict() {
    let sentence = "1 issue is silenced and does not count."
    var one = evidence([.failed, .passed])
    one.silenced = [issue(.testFailure, test: "test0")]
    #expect(Verdict.of(one).told == ToldVerdict(.succeeded, [sentence]))
    var two = evidence([.failed, .crashed, .passed])
    two.silenced = one.silenced
    #expect(Verdict.of(two).told == ToldVerdict(.testFailures, ["1 test crashed.", sentence]))
    two.silenced.append(issue(.crash, test: "test1"))
    #expect(Verdict.of(two).told == ToldVerdict(.succeeded, ["2 issues are silenced and do not count."]))
  }

  @Test("What is in quarantine is not told as silenced, which nobody did")
  func quarantine() {
    var evidence = evidence([.failed, .failed, .passed])
    evidence.silenced = [issue(.testFailure, test: "test0"), issue(.testFailure, test: "test1")]
    let entry = QuarantinedTest(test: Finding.test("test1"), reason: "slow disk", lastDay: "1970-01-02")
    let (now, end) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 172_800))
    evidence.silenced[1].silence = Silence(entry, until: end, since: now, number: 5)
    #expect(
      Verdict.of(evidence).told
        == ToldVerdict(
          .succeeded,
          ["1 issue is silenced and does not count.", "1 issue is in quarantine and does not count."]))
  }

  /// A test with what sanitizers found in it.
  private func result(_ state: TestState, _ reports: [String], failures: [String] = []) -> TestResult {
    var result = Finding.result("test0", state, failures: failures.map { Finding.failure($0) })
    result.sanitizerReports = reports.map {
      SanitizerReport(sanitizer: "ThreadSanitizer", problem: $0, headline: $0, isFatal: false)
    }
    result.failures += result.sanitizerReports.map { Finding.failure($0.story) }
    return result
  }

  @Test("A silenced failure does not silence what a sanitizer found in the same test, nor the reverse")
  func sanitizer() {
    let test = result(.failed, ["data race"], failures: ["no"])
    var evidence = Verdict.Evidence(built: true, diagnostics: [], tests: TestReport(results: [test]))
    let both = [issue(.testFailure, test: "test0"), issue(.sanitizer, "ThreadSanitizer: data race", test: "test0")]
    for one in both {
      evidence.silenced = [one]
      #expect(Verdict.of(evidence).outcome == .testFailures, "\(one.kind)")
    }
    evidence.silenced = both
    #expect(Verdict.of(evidence).outcome == .succeeded)
  }

  @Test("A test that sanitizers alone failed is silenced when each of their findings is")
  func sanitizerAlone() {
    let test = result(.failed, ["data race", "data race", "thread leak"])
    var evidence = Verdict.Evidence(built: true, diagnostics: [], tests: TestReport(results: [test]))
    let found = IssueFinder.issues(diagnostics: [], tests: [test])
    #expect(found.map(\.kind) == [.sanitizer, .sanitizer, .sanitizer])
    for count in 0...2 {
      evidence.silenced = Array(found.suffix(count))
      #expect(Verdict.of(evidence).outcome == .testFailures, "\(count)")
    }
    evidence.silenced = found
    #expect(Verdict.of(evidence).outcome == .succeeded)
    // Warnings name the test, too, and say nothing of why it is red.
    evidence.silenced = [issue(.warning, "ThreadSanitizer: data race", test: "test0")]
    #expect(Verdict.of(evidence).outcome == .testFailures)
  }

  @Test("What a sanitizer found outside every test is an issue, turns an integration red, and can be silenced")
  func looseReports() {
    let place = SourceLocation(file: "Sources/Shop/Cart.swift", line: 9)
    let frames = [StackFrame(number: 0, function: "Cart.add()", location: place)]
    let report = SanitizerReport(
      sanitizer: "ThreadSanitizer", problem: "data race", stacks: [ThreadStack(frames: frames)], headline: "race",
      isFatal: false)
    var evidence = evidence([.passed])
    evidence.tests.add([report, report])
    #expect(
      Verdict.of(evidence).told
        == ToldVerdict(
          .testFailures,
          [
            "Outside any identifiable test: ThreadSanitizer: data race\n  Cart.add() at Sources/Shop/Cart.swift:9"
          ]))
    let found = IssueFinder.issues(diagnostics: [], tests: [], looseReports: evidence.tests.sanitizerReports)
    #expect(found.map(\.kind) == [.sanitizer])
    #expect(found.map(\.location) == [place])
    #expect(found.map(\.test) == [nil])
    evidence.silenced = found
    #expect(Verdict.of(evidence).outcome == .succeeded)
  }

  @Test("A silenced finding of a sanitizer without a place hides no other one, and the sentence tells the other one")
  func looseReportsWithoutPlace() {
    func report(in function: String) -> SanitizerReport {
      SanitizerReport(
        sanitizer: "ThreadSanitizer", problem: "data race",
        stacks: [ThreadStack(frames: [StackFrame(number: 0, function: function)])], headline: "race", isFatal: false)
    }
    var evidence = evidence([.passed])
    evidence.tests.add([report(in: "Logger.write()"), report(in: "Pool.take()"), report(in: "Pool.take()")])
    let found = IssueFinder.issues(diagnostics: [], tests: [], looseReports: evidence.tests.sanitizerReports)
    #expect(
      found.map(\.message) == [
        "ThreadSanitizer: data race, in Logger.write()", "ThreadSanitizer: data race, in Pool.take()",
      ])
    evidence.silenced = [found[0]]
    #expect(Verdict.of(evidence).outcome == .testFailures)
    evidence.silenced = found
    #expect(Verdict.of(evidence).outcome == .succeeded)
  }

  @Test("A silenced finding of a sanitizer at one place hides none at another")
  func looseReportsElsewhere() {
    func report(line: Int) -> SanitizerReport {
      let place = SourceLocation(file: "Sources/Shop/Cart.swift", line: line)
      return SanitizerReport(
        sanitizer: "ThreadSanitizer", problem: "data race",
        stacks: [ThreadStack(frames: [StackFrame(number: 0, function: "Cart.add()", location: place)])],
        headline: "race", isFatal: false)
    }
    var evidence = evidence([.passed])
    evidence.tests.add([report(line: 5), report(line: 9)])
    let found = IssueFinder.issues(diagnostics: [], tests: [], looseReports: evidence.tests.sanitizerReports)
    evidence.silenced = [found[1]]
    #expect(
      Verdict.of(evidence).sentences.first
        == "Outside any identifiable test: ThreadSanitizer: data race\n  Cart.add() at Sources/Shop/Cart.swift:5")
  }

  @Test("What is only carried over takes nothing from what was found now")
  func carriedOver() {
    let reach = IssueReach(built: true, tests: [:], listed: true, analyzed: true)
    let old = Issue(id: "", kind: .analyzerWarning, message: "line too long")
    let first = Finding.comparison([old], with: nil, reach: reach, number: 1)
    let failure = Issue(id: "", kind: .analyzerWarning, message: "The command of the analyze action failed.")
    let second = Finding.comparison(
      [failure], with: first.memory, reach: IssueReach(built: true, tests: [:], listed: true), number: 2,
      silences: [silence(first.issues[0].id, .ever)])
    #expect(second.issues.map(\.status) == [.new, .silenced])
    var evidence = evidence([.passed])
    evidence.analyzerWarnings = 1
    evidence.silenced = second.silenced
    #expect(Verdict.of(evidence).told == ToldVerdict(.analyzerWarnings, ["1 analyzer warning."]))
  }

  @Test("What is missing from the proof stays missing, whatever is silenced")
  func incomplete() {
    var evidence = evidence([.crashed, .notRun])
    evidence.silenced = [issue(.crash, test: "test0")]
    #expect(Verdict.of(evidence).outcome == .incomplete)
    evidence = self.evidence([.failed])
    evidence.silenced = [issue(.testFailure, test: "test0")]
    evidence.gaps = [.contradiction("The process ended early.")]
    #expect(Verdict.of(evidence).outcome == .incomplete)
  }

  @Test("A silenced warning of a test does not count, whether its dependence on the others is silenced too or not")
  func warningsOfOneTest() {
    var result = Finding.result("test0", .passed)
    result.warnings = [Finding.failure("slow")]
    var report = TestReport(results: [result])
    report.isolation = IsolationReport(
      ran: 1, differing: [.init(id: result.id, together: .passed, alone: .failed)])
    var evidence = Verdict.Evidence(built: true, diagnostics: [], tests: report)
    var order = issue(.warning, "alone", test: "test0")
    order.subject = .orderDependence
    let slow = issue(.warning, "slow", test: "test0")
    evidence.silenced = [order]
    #expect(
      Verdict.of(evidence).told
        == ToldVerdict(.warnings, ["1 test recorded a warning.", "1 issue is silenced and does not count."]))
    evidence.silenced = [slow]
    #expect(
      Verdict.of(evidence).told
        == ToldVerdict(
          .warnings, ["1 test ends differently when run alone.", "1 issue is silenced and does not count."]))
    evidence.silenced = [order, slow]
    #expect(Verdict.of(evidence).told == ToldVerdict(.succeeded, ["2 issues are silenced and do not count."]))
  }

  @Test("Silenced warnings, findings of the analyzer and gates do not count")
  func others() {
    var evidence = evidence([.passed])
    evidence.diagnostics = [Finding.diagnostic(.warning, "one"), Finding.diagnostic(.warning, "two")]
    evidence.analyzerWarnings = 1
    let gate = GateResult(rule: "patch=80", state: .failed, sentence: "1 of 2 lines ran.")
    evidence.failedGates = [gate]
    #expect(Verdict.of(evidence).outcome == .testFailures)
    var silenced = issue(.gate, gate.message)
    silenced.subject = .gate(gate.rule)
    evidence.silenced = [silenced]
    #expect(Verdict.of(evidence).outcome == .analyzerWarnings)
    evidence.silenced.append(issue(.analyzerWarning))
    #expect(Verdict.of(evidence).sentences.first == "2 compiler warnings.")
    evidence.silenced.append(issue(.warning))
    #expect(Verdict.of(evidence).sentences.first == "1 compiler warning.")
    evidence.silenced.append(issue(.warning))
    #expect(Verdict.of(evidence).told == ToldVerdict(.succeeded, ["4 issues are silenced and do not count."]))
  }
}
