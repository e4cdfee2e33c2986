package import Model

extension OutcomeReason {
  /// The most tests that a sentence names; the page of tests lists any number.
  private static let mostNamed = 3
  /// The number of flaky tests that are named before they are only counted.
  static let mostFlakyNamed = 2

  /// The reason for the outcome, as a sentence.
  package var sentence: String {
    switch self {
    case .buildFailed(.package, let errors): Self.failedBuild("The build", errors, log: "build")
    case .buildFailed(.archive, let errors):
      Self.failedBuild("The release build for the archive", errors, log: "archiving")
    case .resolvingFailed(let errors, let last): Self.failedResolving(errors, last)
    case .testsRed(let failed, let crashed, let timedOut): Self.red(failed, crashed, timedOut)
    case .testsFlaky(let titles):
      titles.count <= Self.mostFlakyNamed
        ? "Flaky: \(CountText.list(titles))." : "\(Self.tests(titles.count)) passed and failed on the same code."
    case .sanitizerReport(let report): "Outside any identifiable test: \(report.story)"
    case .gateFailed(let gate): gate.message
    case .noTestTarget, .noTests, .filterMatchesNothing: "\((headline ?? "").capitalizedFirst)."
    case .filterUnmatched(let filter): "No test matches the filter '\(filter)'."
    case .skipUnmatched(let skip): "No test matches the skip '\(skip)', so it leaves out nothing."
    case .testsNotRun(let count, let listed): "\(count) of \(CountText.counted(listed, "listed test")) did not run."
    case .testsUnlisted(let tests, let cause):
      "\(Self.tests(tests.count)) did not run, \(cause.words)"
        + Self.names(tests.map { "\($0.name) (\($0.file):\($0.line))" })
    case .testsUncalled(let tests):
      "\(Self.tests(tests.count)) passed, but "
        + CountText.agreeing(tests.count, "its function was never called", "their functions were never called")
        + Self.names(tests.map { "\($0)" })
    case .gap(let gap): gap.sentence
    case .analyzerWarnings(let count): "\(CountText.counted(count, "analyzer warning"))."
    case .compilerWarnings(let count): "\(CountText.counted(count, "compiler warning"))."
    case .testWarnings(let count):
      "\(Self.tests(count)) recorded \(CountText.agreeing(count, "a warning", "warnings"))."
    case .orderDependent(let count):
      "\(Self.tests(count)) \(CountText.agreeing(count, "ends", "end")) differently when run alone."
    case .fewerTests(let count): "\(Self.tests(count)) fewer than before, although no test source changed."
    case .onlyAffected(let only): only.sentences.joined(separator: " ")
    case .omission(let omission): omission.sentence
    case .silenced(let count):
      "\(CountText.counted(count, "issue is silenced and does", "issues are silenced and do")) not count."
    case .quarantined(let count):
      "\(CountText.counted(count, "issue is in quarantine and does", "issues are in quarantine and do")) not count."
    case .canceled: "The integration was canceled."
    case .interrupted: "The integration was interrupted."
    case .inDestinations(let names, let reason): "\(CountText.list(names)): \(reason.sentence)"
    case .spared(let name): "Not built, because \(name) is red."
    case .waitsForIdleTime: "Built when nothing else waits."
    case .hint(let hint): hint
    case .hintToOnlyBuild(let bot):
      "To only build it, write "
        + (bot.map { "'tests: none' into \(WatchState.BotState.file(of: $0)), or " } ?? "")
        + "'actions: [build]' into .martlet.yml."
    case .packageMissing(let what, let another): "There is no \(what)\(Self.place(ofPackage: another))."
    case .triggerFailed(_, let said), .silencesUnreadable(let said), .closed(let said), .adopted(let said, _): said
    case .stopped(let error): error.capitalizedFirst
    }
  }

  /// The reason behind the word for the outcome, where a heading tells it; otherwise nil.
  package var headline: String? {
    switch self {
    case .noTestTarget: "the package has no test target"
    case .noTests: "the package's test targets contain no tests"
    case .filterMatchesNothing(let leftOut):
      "no test matches the filter; \(Self.tests(leftOut)) \(CountText.agreeing(leftOut, "was", "were")) left out"
    case .packageMissing(let what, let another): "no \(what)\(Self.place(ofPackage: another))"
    default: nil
    }
  }

  private static func place(ofPackage folder: String?) -> String { folder.map { "; a package is in \($0)/" } ?? "" }

  /// Returns the end of a sentence about tests, with their names if these are few.
  private static func names(_ names: [String]) -> String {
    names.count > mostNamed ? "." : ": \(CountText.list(names))."
  }

  private static func failedBuild(_ build: String, _ errors: Int, log: String) -> String {
    errors == 0
      ? "\(build) failed without a readable message; see the \(log) log."
      : "\(build) failed with \(CountText.counted(errors, "error"))."
  }

  /// SwiftPM's errors do not always name the address that it was using, which is the one to look at.
  private static func failedResolving(_ errors: Int, _ last: String) -> String {
    let log = "; see the resolving log"
    let count = errors == 0 ? log : ": \(CountText.counted(errors, "error"))"
    return "The dependencies could not be resolved\(count)\(last.isEmpty ? "" : ", after “\(last)”")."
  }

  /// Returns a single sentence, because many places show only the first reason.
  private static func red(_ failed: Int, _ crashed: Int, _ timedOut: Int) -> String {
    let parts = [(failed, "failed"), (crashed, "crashed"), (timedOut, "timed out")].filter { $0.0 > 0 }
    let words = parts.enumerated().map { index, part in "\(index == 0 ? tests(part.0) : "\(part.0)") \(part.1)" }
    return "\(CountText.list(words))."
  }

  private static func tests(_ number: Int) -> String { CountText.counted(number, "test") }
}

extension Integration {
  /// The reason that the heading tells behind the word for the outcome; nil if it tells none.
  var headlineReason: OutcomeReason? {
    guard cells.isEmpty, outcome == .checkoutError || isWithoutTests else { return nil }
    return reasons.first { $0.headline != nil }
  }

  /// Whether it is incomplete because no tests are known at all.
  var isWithoutTests: Bool { outcome == .incomplete && tests.counts.listed == 0 && tests.unlisted.isEmpty }
}

extension UnlistedTest.Cause {
  /// The reason why such tests did not run, to follow a comma.
  var words: String {
    switch self {
    case .notBuilt: "declared in a target that was not built"
    case .handWrittenList: "left out by Tests/LinuxMain.swift"
    case .notListed: "declared, but not listed by the test program"
    }
  }
}

extension TestGap {
  /// What is missing, as a sentence.
  package var sentence: String {
    switch self {
    case .listingFailed(let executable, let error, let ownMain):
      "The tests of \(executable) could not be listed: \(error)"
        + (ownMain.map {
          " \($0) replaces XCTest's own main, which lists the tests. Without that file they are found."
        } ?? "")
    case .notSearched(let target):
      "Swift Build did not look for XCTest tests in \(target), so these did not run."
    case .noProcess(let library): "No \(library.rawValue) process ran."
    case .notRun(let count, let limit):
      "\(MissingTestsWords.notRun(count, stoppedAfter: limit, noun: "listed test"))."
    case .ranUnlisted(let test): "\(test) ran although it is not listed."
    case .ranTwice(let test): "\(test) ran in more than one process."
    case .failureOutside(let library, let location, let message):
      "\(library.rawValue) recorded a failure outside any test\(location.map { " at \($0)" } ?? ""): \(message)"
    case .crashOutlived(let library, let crash):
      "\(library.rawValue): a thread crashed and the process ended as if nothing had happened: "
        + "\(crash.reason)\(crash.location.map { ", at \($0.file):\($0.line)" } ?? "")."
    case .ofAttempt(let attempt, let test, let gap): "Attempt \(attempt) of \(test): \(gap.sentence)"
    case .more(let count): "\(count) more like this."
    case .contradiction(let sentence): sentence
    }
  }
}

extension IntegrationRecord {
  /// Creates the document of an integration.
  package init(_ integration: Integration) {
    self.init(integration) { $0.sentence }
  }
}
