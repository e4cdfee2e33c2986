/// Why an integration ended as it did.
package enum OutcomeReason: Hashable, Sendable {
  /// What was being built.
  package enum Product: Hashable, Sendable {
    case package, archive
  }

  case buildFailed(Product, errors: Int)
  /// - Parameter last: the last activity that SwiftPM reported; empty if there was none.
  case resolvingFailed(errors: Int, last: String)
  /// What may mend the reason before.
  case hint(String)
  /// How a package without tests is only built, which mends the reason before, by the bot if it is one's.
  case hintToOnlyBuild(bot: String?)
  /// The commit lacks the file or the folder of the package, which is named with its place, as a noun phrase; and
  /// a folder that has a package, if any does.
  case packageMissing(String, another: String? = nil)
  case testsRed(failed: Int, crashed: Int, timedOut: Int)
  /// The titles of the tests that passed only on retry.
  case testsFlaky([String])
  case sanitizerReport(SanitizerReport)
  case gateFailed(GateResult)
  case noTestTarget
  case noTests
  case filterMatchesNothing(leftOut: Int)
  /// A filter matches no test, though another one does.
  case filterUnmatched(String)
  /// A skip matches no test, and may be mistyped.
  case skipUnmatched(String)
  case testsNotRun(Int, listed: Int)
  /// Tests that are declared but in no list, all for the same cause.
  case testsUnlisted([UnlistedTest], UnlistedTest.Cause)
  /// Tests that a library reports as passed although their functions were never called.
  case testsUncalled([TestID])
  case gap(TestGap)
  case analyzerWarnings(Int)
  case compilerWarnings(Int)
  /// The number of tests that recorded warnings.
  case testWarnings(Int)
  case orderDependent(Int)
  /// The number of earlier tests that are missing.
  case fewerTests(Int)
  /// Tests were left out because they reach nothing of what changed.
  case onlyAffected(OnlyAffected)
  case omission(PackageOmission)
  case silenced(Int)
  /// The number of issues of tests that the bot's file has in quarantine.
  case quarantined(Int)
  /// - Parameter said: how the trigger ended, as a sentence that may quote its output.
  case triggerFailed(IssueSubject, said: String)
  case canceled
  /// A signal ended the program, such as that of Ctrl-C, or the watcher that had started it is gone.
  case interrupted
  /// People's decisions about issues could not be read.
  case silencesUnreadable(String)
  /// The integration was interrupted, and only its end was recorded.
  case closed(String)
  /// An error that is shown to the user ended the integration.
  case stopped(String)
  /// The reason applies to some of the destinations.
  indirect case inDestinations([String], OutcomeReason)
  /// Nothing was built for a destination because another one is red.
  case spared(after: String)
  /// Nothing was built for a destination that has to wait until nothing else is queued.
  case waitsForIdleTime
  /// A reason of the earlier integration whose results were adopted, in its words.
  case adopted(String, Code)
}

/// A gap in the proof that every listed test ran.
package indirect enum TestGap: Hashable, Sendable {
  case listingFailed(executable: String, error: String, ownMain: String?)
  /// Swift Build did not look for XCTest tests in a target.
  case notSearched(target: String)
  case noProcess(TestLibrary)
  /// - Parameter stoppedAfter: the seconds after which all tests together were stopped; nil if they were not.
  case notRun(Int, stoppedAfter: Double? = nil)
  case ranUnlisted(TestID)
  case ranTwice(TestID)
  case failureOutside(TestLibrary, SourceLocation?, message: String)
  case crashOutlived(TestLibrary, CrashReport)
  /// A gap in a further attempt at a red test; the first attempt is 1.
  case ofAttempt(Int, TestID, TestGap)
  /// The number of further gaps, which are too many to read.
  case more(Int)
  /// How a library's output contradicts itself or the end of its process.
  case contradiction(String)
}

extension OutcomeReason {
  /// The kind of a reason and its subject, in words that never change so that other programs can rely on them.
  package struct Code: Hashable, Sendable, Codable {
    package var code: String
    /// The rule of a gate, or the name of a trigger; nil if nothing needs to be distinguished.
    package var name: String?
    /// The destinations that the reason applies to; nil for all.
    package var destinations: [String]?

    package init(_ code: String, name: String? = nil, destinations: [String]? = nil) {
      self.code = code
      self.name = name
      self.destinations = destinations
    }

    package static func gateFailed(_ rule: String) -> Code { Code("gate-failed", name: rule) }

    package static let testsFlaky = Code("tests-flaky")
    package static let closed = Code("closed")
    package static let hint = Code("hint")

    /// Whether it is about single tests or about gates, or makes nothing red.
    fileprivate var isOfTestsOrGates: Bool {
      Self.ofTestsOrGates.contains(code) || PackageOmission.Code(rawValue: code) != nil
    }

    private static let ofTestsOrGates: Set<String> = [
      "tests-red", "tests-flaky", "tests-canceled", "tests-unlisted", "gate-failed", "only-affected", "silenced",
      "quarantined", "skip-matches-nothing", "trigger-failed",
    ]

    /// Whether it is about gates or tests that are known, so that there is no test of which nobody knows.
    package var isOfKnownTests: Bool { isOfTestsOrGates || gap == .notRun }

    /// Whether it is that there may be tests that nobody knows of.
    package var isOfListing: Bool { gap == .listingFailed || gap == .notSearched }

    /// Whether it makes nothing red, and is told all the same.
    package var isRemark: Bool { Self.remarks.contains(code) || PackageOmission.Code(rawValue: code) != nil }

    private static let remarks: Set<String> = [
      "tests-flaky", "only-affected", "silenced", "quarantined", "skip-matches-nothing",
    ]

    /// Whether it is that issues do not count.
    package var isOfSilenced: Bool { ["silenced", "quarantined"].contains(code) }

    /// Whether it is how many warnings there are, in all destinations alike.
    package var isOfWarnings: Bool {
      destinations == nil && ["compiler-warnings", "analyzer-warnings"].contains(code)
    }

    /// Whether it is that listed tests did not run, or may not have.
    package var isGap: Bool {
      switch gap {
      case nil, .failureOutside, .crashOutlived: false
      case .listingFailed, .notSearched, .noProcess, .notRun, .ranUnlisted, .ranTwice, .more, .contradiction: true
      }
    }

    private var gap: TestGap.Name? { TestGap.Name(rawValue: code) }

    /// Whether it is that tests were flaky, in whichever destinations.
    package var isOfFlakyTests: Bool { code == Code.testsFlaky.code }

    /// The rule of a failed gate; nil for any other reason.
    package var gate: String? { code == Code.gateFailed("").code ? name : nil }
  }

  package var code: Code {
    switch self {
    case .buildFailed(.package, _): Code("build-failed")
    case .buildFailed(.archive, _): Code("archive-failed")
    case .resolvingFailed: Code("resolving-failed")
    case .hint, .hintToOnlyBuild: .hint
    case .packageMissing: Code("package-missing")
    case .testsRed: Code("tests-red")
    case .testsFlaky: .testsFlaky
    case .sanitizerReport: Code("sanitizer-report")
    case .gateFailed(let gate): .gateFailed(gate.rule)
    case .noTestTarget: Code("no-test-target")
    case .noTests: Code("no-tests")
    case .filterMatchesNothing: Code("filter-matches-nothing")
    case .filterUnmatched(let filter): Code("filter-matches-nothing", name: filter)
    case .skipUnmatched(let skip): Code("skip-matches-nothing", name: skip)
    case .testsNotRun: Code(TestGap.Name.notRun.rawValue)
    case .testsUnlisted: Code("tests-unlisted")
    case .testsUncalled: Code("tests-uncalled")
    case .gap(let gap): Code(gap.name.rawValue)
    case .analyzerWarnings: Code("analyzer-warnings")
    case .compilerWarnings: Code("compiler-warnings")
    case .testWarnings: Code("test-warnings")
    case .orderDependent: Code("order-dependent")
    case .fewerTests: Code("fewer-tests")
    case .onlyAffected: Code("only-affected")
    case .omission(let omission): Code(omission.code.rawValue)
    case .silenced: Code("silenced")
    case .quarantined: Code("quarantined")
    case .triggerFailed(let subject, _): Code("trigger-failed", name: subject.name)
    case .canceled: Code("canceled")
    case .interrupted: Code("interrupted")
    case .silencesUnreadable: Code("silences-unreadable")
    case .closed: .closed
    case .stopped: Code("stopped")
    case .inDestinations(let names, let reason):
      Code(reason.code.code, name: reason.code.name, destinations: names)
    case .spared: Code("spared")
    case .waitsForIdleTime: Code("waits-for-idle-time")
    case .adopted(_, let code): code
    }
  }
}

extension OutcomeReason {
  /// The seconds after which all tests together were stopped, so that some did not run; nil for any other reason.
  package var limitOfTests: Double? {
    switch self {
    case .gap(.notRun(_, let limit)): limit
    case .inDestinations(_, let reason): reason.limitOfTests
    default: nil
    }
  }
}

extension TestGap {
  /// Its kind, for the code of the reason.
  fileprivate enum Name: String {
    case contradiction
    case listingFailed = "listing-failed"
    case notSearched = "tests-not-searched"
    case noProcess = "no-test-process"
    case notRun = "tests-not-run"
    case ranUnlisted = "ran-unlisted"
    case ranTwice = "ran-twice"
    case failureOutside = "failure-outside-tests"
    case crashOutlived = "crash-outlived"
    case more = "more-gaps"
  }

  fileprivate var name: Name {
    switch self {
    case .listingFailed: .listingFailed
    case .notSearched: .notSearched
    case .noProcess: .noProcess
    case .notRun: .notRun
    case .ranUnlisted: .ranUnlisted
    case .ranTwice: .ranTwice
    case .failureOutside: .failureOutside
    case .crashOutlived: .crashOutlived
    case .ofAttempt(_, _, let gap): gap.name
    case .more: .more
    case .contradiction: .contradiction
    }
  }
}

extension IntegrationRecord {
  /// Whether more made it red than single tests and gates, such as a process that crashed after its tests.
  package var failedOutsideTests: Bool {
    guard outcome == .testFailures || outcome == .incomplete else { return false }
    return reasonCodes?.allSatisfy(\.isOfTestsOrGates) != true
  }
}
