import Model
import Syntax

/// What the page of a red test's issue says of the test.
extension IssuePage {
  /// The maximum number of other tests that are named.
  private static let mostNamed = 10
  /// The maximum number of lines of a test that is shown as a whole.
  private static let longestTest = 30

  /// How its test ended the process, if it did so here; the heading says it.
  var quit: ProcessQuit? {
    issue.kind == .quit ? issue.test.flatMap { own.tests[$0]?.quit } : nil
  }

  /// How its test raced, such as `has a data race`; nil if it did not do so here.
  var race: String? { sanitizer?.found.phrase }

  /// What a sanitizer reported of its test here; nil for any other issue.
  var sanitizer: SanitizerSection? {
    guard issue.isFound, let test = issue.test.flatMap({ own.tests[$0] }) else { return nil }
    return test.sanitizerReports.first { $0.isTold(by: issue) }
      .map { SanitizerSection(found: $0, test: test, sources: sources) }
  }

  /// The other test that did not begin for the same reason, or how many there are.
  var unbegun: String? {
    guard quit != nil, let test = issue.test.flatMap({ own.tests[$0] }) else { return nil }
    return own.integration.tests.results.unbegun(with: test)
  }

  /// The other tests that did not begin, if the heading only counts them.
  var unbegunNames: String? {
    let others = issue.test.flatMap { own.tests[$0] }.map { own.integration.tests.results.kept(fromBeginningWith: $0) }
    guard quit != nil, let others, others.count > 1 else { return nil }
    return ShortList.text(others.map(\.title), first: Self.mostNamed)
  }

  /// Why its test did not check it; nil if that is not known, and if the test began.
  var unrun: String? {
    guard let test = issue.test.flatMap({ report.tests[$0] }), test.state == .notRun, test.quit == nil, !test.wasCutOff
    else { return nil }
    return MissingTestsWords.unchecked(stoppedAfter: integration.limitOfTests)
  }

  var quitLine: TemplateValue? {
    quit.map { quit in
      counts.red > 0 || quit.status != nil
        ? .missing : .record(["operands": .missing, "text": .text(RunWords.seemsGreen()), "note": .missing])
    }
  }

  /// In how many of its runs its test ended so, such as `in 2 of 3 runs`; nil for one that ran once.
  var runs: String? {
    guard issue.isFound, let test = issue.test.flatMap({ own.tests[$0] }), test.state.issueKind == issue.kind else {
      return nil
    }
    return FlakyWords.repetition(of: test).map { String($0.dropFirst()) }
  }

  /// Its test with several cases of which some are red; nil for any other issue.
  private var testOfCases: TestResult? {
    guard issue.isFound, issue.kind == .testFailure, let test = issue.test.flatMap({ own.tests[$0] }),
      let cases = test.arguments, cases.count > 1, cases.contains(where: \.state.isRed)
    else { return nil }
    return test
  }

  /// How many of the cases of its test are red, such as `3 of 3 cases red`; nil where it has not several.
  var cases: String? { testOfCases?.caseCount }

  /// The first red case, whose failure stands beside it; nil where the heading has it.
  var caseName: String? {
    testOfCases.flatMap { test in
      (test.arguments ?? []).count(where: \.state.isRed) > 1 ? test.caseName(with: test.firstFailure) : nil
    }
  }

  /// The calls that led to where its test died or hangs, as the page of the test has them; missing for any other issue.
  var backtrace: TemplateValue {
    guard issue.isFound, let test = issue.test.flatMap({ own.tests[$0] }), test.state.issueKind == issue.kind else {
      return .missing
    }
    if let crash = test.crash { return CrashSection(crash: crash, report: report).backtrace }
    return test.hang.map { HangSection(hang: $0, report: report).backtrace } ?? .missing
  }

  /// Returns the line in a file that declares its test; nil if that is in another one.
  func declaration(in file: String) -> Int? {
    issue.test.flatMap { own.tests[$0]?.location }.flatMap { $0.file == file ? $0.line : nil }
  }

  /// Returns the lines of its test if they have a place, and are all that has to be shown; otherwise nil.
  func testLines(with place: SourceLocation) -> ClosedRange<Int>? {
    guard changeBeside == nil, let start = declaration(in: place.file),
      let end = sources[place.file]?.code.bodyLines(ofFunctionAt: start)?.upperBound,
      start <= place.line, place.line <= end, end - start < Self.longestTest
    else { return nil }
    return start...end
  }
}
