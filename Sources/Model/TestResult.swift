/// How a test ended; the order of the cases is the order in which the rules are tried.
package enum TestState: String, Codable, CaseIterable, Sendable {
  case crashed
  case timedOut = "timed-out"
  case canceled
  case failed
  case expectedFailure = "expected-failure"
  case skipped
  case passed
  case notRun = "not-run"

  /// Whether the test makes the integration red.
  package var isRed: Bool {
    switch self {
    case .crashed, .timedOut, .failed: true
    case .canceled, .expectedFailure, .skipped, .passed, .notRun: false
    }
  }
}

/// One recorded failure, or one known issue, of a test.
package struct TestFailure: Hashable, Sendable, Codable {
  /// Where the failure was recorded; absent when the library gives no place, as for a thrown error.
  package var location: SourceLocation?
  /// The whole message, all its lines.
  package var message: String
  /// The message taken apart; nil when it has no known shape. Not part of any stored document.
  package var parsed: ParsedFailure?
  /// What ended the test, where the failure tells that and nothing else; the message has its state before that. Not part
  /// of any stored document.
  package var end: String?

  package init(location: SourceLocation?, message: String, parsed: ParsedFailure? = nil) {
    self.location = location
    self.message = message
    self.parsed = parsed
  }

  /// The failure of a test whose process died.
  package static func crash(_ reason: String, at location: SourceLocation?) -> TestFailure {
    var failure = TestFailure(location: location, message: CrashReport.message(reason))
    failure.end = reason
    return failure
  }

  /// The failure of a test that was stopped by a rule.
  package static func timeOut(_ rule: String, at location: SourceLocation?) -> TestFailure {
    var failure = TestFailure(location: location, message: "Timed out: \(rule)")
    failure.end = rule
    return failure
  }

  private enum CodingKeys: String, CodingKey {
    case location, message
  }
}

/// One case of a parameterised test.
package struct TestArgument: Hashable, Sendable, Codable {
  /// The arguments as the library prints them.
  package var display: String
  package var state: TestState
  package var failures: [TestFailure]

  package init(display: String, state: TestState, failures: [TestFailure] = []) {
    self.display = display
    self.state = state
    self.failures = failures
  }
}

/// One execution of a test that was run more than once on the same commit.
package struct TestAttempt: Hashable, Sendable, Codable {
  package var state: TestState
  /// Seconds.
  package var duration: Double
  /// The first of its failure messages.
  package var message: String?

  package init(state: TestState, duration: Double, message: String? = nil) {
    self.state = state
    self.duration = duration
    self.message = message
  }
}

/// One line that was printed while a test ran.
package struct TranscriptLine: Hashable, Sendable, Codable {
  /// What a line is, for the reader of a transcript.
  package enum Kind: String, Codable, Sendable {
    /// The test, or the code it ran, printed it.
    case output
    /// The library reported a skip, a measurement or something else that is no failure.
    case event
    /// The library reported a failure.
    case failure
  }

  package var kind: Kind
  package var text: String
  /// Whether another test may have printed it, because several ran at once.
  package var isShared: Bool

  package init(kind: Kind = .output, text: String, isShared: Bool = false) {
    self.kind = kind
    self.text = text
    self.isShared = isShared
  }
}

/// Everything that is known about one listed test after a run.
package struct TestResult: Hashable, Sendable {
  package var id: TestID
  package var library: TestLibrary
  package var state: TestState
  /// Seconds; zero when the test did not run.
  package var duration: Double
  package var displayName: String?
  package var tags: [String]
  /// Where the test is declared.
  package var location: SourceLocation?
  package var isFlaky: Bool
  package var failures: [TestFailure]
  package var knownIssues: [TestFailure]
  package var skipReason: String?
  /// The cases of a parameterised test, in the order in which they were started; nil for other tests.
  package var arguments: [TestArgument]?
  /// All attempts in order; empty when the test was run once.
  package var attempts: [TestAttempt]
  package var transcript: [TranscriptLine]
  /// How its process died, when the test is crashed.
  package var crash: CrashReport?
  /// What its process was doing, when the test is timed out.
  package var hang: HangReport?
  /// What a sanitizer found while it ran.
  package var sanitizerReports: [SanitizerReport] = []
  /// What it recorded as a warning; a warning is no failure.
  package var warnings: [TestFailure] = []
  /// In the order in which they were attached, over all attempts.
  package var attachments: [TestAttachment] = []
  /// What `measure` gave, in order; only XCTest measures.
  package var measurements: [TestMeasurement] = []
  /// The bug reports that it names, where the library tells them.
  package var bugs: [TestBug] = []
  /// Its own limit in seconds, where the library tells it.
  package var timeLimit: Double?
  /// How it ended when it was run alone, where that differs.
  package var alone: TestAttempt?
  /// How it ended its process before it came to its own end; it is `notRun` then.
  package var quit: ProcessQuit?
  /// How much of what it reported is not kept; nil where all is.
  package var leftOut: LeftOutCounts?

  package init(
    id: TestID, library: TestLibrary, state: TestState = .notRun, duration: Double = 0, displayName: String? = nil,
    tags: [String] = [], location: SourceLocation? = nil, isFlaky: Bool = false, failures: [TestFailure] = [],
    knownIssues: [TestFailure] = [], skipReason: String? = nil, arguments: [TestArgument]? = nil,
    attempts: [TestAttempt] = [], transcript: [TranscriptLine] = [], crash: CrashReport? = nil, hang: HangReport? = nil
  ) {
    self.id = id
    self.library = library
    self.state = state
    self.duration = duration
    self.displayName = displayName
    self.tags = tags
    self.location = location
    self.isFlaky = isFlaky
    self.failures = failures
    self.knownIssues = knownIssues
    self.skipReason = skipReason
    self.arguments = arguments
    self.attempts = attempts
    self.transcript = transcript
    self.crash = crash
    self.hang = hang
  }
}

extension TestResult {
  /// The stacks of the process that the test died or hung in.
  package var stacks: [ThreadStack] { [crash?.thread].compactMap(\.self) + (hang?.threads ?? []) }
}

extension TestResult {
  /// The result of a red test that was run again on the same commit.
  ///
  /// A test that passes at last is passed and flaky: it keeps the messages of its first attempt, and with them what the
  /// page can tell. A test that never passes keeps the gravest of its results, the first of several. An attempt that is
  /// skipped, canceled or not run proves nothing and heals nothing.
  ///
  /// - Parameter retries: the results of the later attempts, in order.
  package func retried(_ retries: [TestResult]) -> TestResult {
    guard state.isRed, let last = retries.last else { return self }
    let all = [self] + retries
    let order = TestState.allCases
    var result = self
    if last.state == .passed {
      result.state = .passed
      result.isFlaky = true
      result.duration = last.duration
    } else {
      let red = all.filter(\.state.isRed)
      let gravest = red.min { (order.firstIndex(of: $0.state) ?? 0) < (order.firstIndex(of: $1.state) ?? 0) }
      result = gravest ?? self
    }
    result.attempts = all.map {
      TestAttempt(state: $0.state, duration: $0.duration, message: $0.failures.first?.message)
    }
    result.attachments = all.flatMap(\.attachments)
    return result
  }
}

extension TestState {
  /// Whether the test came to its end by itself, so that its duration tells how long it takes.
  package var isEnd: Bool { [.passed, .failed, .expectedFailure].contains(self) }

  /// The seconds that a test of the state took; nil where it did not run, or nobody saw how long.
  package func time(_ seconds: Double) -> Double? {
    switch self {
    case .notRun: nil
    case .crashed, .timedOut, .canceled: seconds == 0 ? nil : seconds
    case .failed, .expectedFailure, .skipped, .passed: seconds
    }
  }
}

extension TestResult {
  /// The seconds that it took, up to the end of its process where it died; nil where that is not known.
  package var time: Double? { quit != nil && duration > 0 ? duration : state.time(duration) }
}

extension [TestResult] {
  /// The seconds that they took together, as far as that is known; nil where it is known of none.
  package var time: Double? {
    let times = compactMap(\.time)
    return times.isEmpty ? nil : times.reduce(0, +)
  }
}

extension TestAttempt {
  /// The seconds that it took; nil where that is not known.
  package var time: Double? { state.time(duration) }
}

extension TestVerdicts.Verdict {
  /// The seconds that the test took; nil where that is not known.
  package var time: Double? { state.time(Double(duration) / 1000) }
}

extension TestResult {
  /// Whether it takes longer than it should, by a mark in seconds.
  package func isSlow(beyond mark: Double) -> Bool { state.isEnd && duration > mark }
}

extension IntegrationRecord.Case {
  /// The seconds that it took; nil where that is not known.
  package var time: Double? { quit != nil && duration > 0 ? duration : state.time(duration) }

  /// Whether it takes longer than it should, by a mark in seconds.
  package func isSlow(beyond mark: Double) -> Bool { state.isEnd && duration > mark }
}
