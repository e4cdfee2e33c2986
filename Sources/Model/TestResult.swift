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

/// A recorded failure or known issue of a test.
package struct TestFailure: Hashable, Sendable {
  /// The place where the failure was recorded; absent if the library reports none, as for a thrown error.
  package var location: SourceLocation?
  /// The whole message with all its lines.
  package var message: String
  /// The message split into its parts; nil if it has no known form.
  package var parsed: ParsedFailure?
  /// What ended the test, if the failure is about that alone; the message then begins with the test's state.
  package var end: String?

  package init(location: SourceLocation?, message: String, parsed: ParsedFailure? = nil) {
    self.location = location
    self.message = message
    self.parsed = parsed
  }

  /// Creates the failure of a test whose process died.
  package static func crash(_ reason: String, at location: SourceLocation?) -> TestFailure {
    var failure = TestFailure(location: location, message: CrashReport.message(reason))
    failure.end = reason
    return failure
  }

  /// Creates the failure of a test that was stopped by a rule.
  package static func timeOut(_ rule: String, at location: SourceLocation?) -> TestFailure {
    var failure = TestFailure(location: location, message: "Timed out: \(rule)")
    failure.end = rule
    return failure
  }
}

/// One case of a parameterised test.
package struct TestArgument: Hashable, Sendable {
  /// The arguments as printed by the library.
  package var display: String
  package var state: TestState
  /// Of a case that passed only in a later attempt, those of the first.
  package var failures: [TestFailure]

  package init(display: String, state: TestState, failures: [TestFailure] = []) {
    self.display = display
    self.state = state
    self.failures = failures
  }
}

/// One run of a test that was run more than once on the same commit.
package struct TestAttempt: Hashable, Sendable, Codable {
  package var state: TestState
  /// In seconds.
  package var duration: Double
  /// The first failure message, of those that all red runs of the test recorded if there is one.
  package var message: String?
  /// The next failure messages, a few; nil if there are none, and in older documents.
  package var others: [String]?
  /// The number of further failure messages; nil if there are none, and in older documents.
  package var more: Int?

  package init(
    state: TestState, duration: Double, message: String? = nil, others: [String]? = nil, more: Int? = nil
  ) {
    (self.state, self.duration, self.message, self.others, self.more) = (state, duration, message, others, more)
  }
}

extension TestAttempt {
  /// The number of messages beside the first one.
  private static let mostOthers = 3

  /// - Parameter told: the messages that are told before others.
  init(_ result: TestResult, first told: Set<String> = []) {
    var messages = result.failures.map(\.message)
    let first = messages.firstIndex(where: told.contains) ?? messages.indices.first
    let message = first.map { messages.remove(at: $0) }
    let others = Array(messages.prefix(Self.mostOthers))
    let more = messages.count - others.count + (result.leftOut?.failures ?? 0)
    self.init(
      state: result.state, duration: result.duration, message: message, others: others.isEmpty ? nil : others,
      more: more > 0 ? more : nil)
  }

  /// Returns the runs of a test, each first with what all those that failed have in common.
  static func all(of runs: [TestResult]) -> [TestAttempt] {
    let messages = runs.map { Set($0.failures.map(\.message)) }.filter { !$0.isEmpty }
    let common = messages.dropFirst().reduce(messages.first ?? []) { $0.intersection($1) }
    return runs.map { TestAttempt($0, first: common) }
  }
}

/// A line that was printed while a test ran.
package struct TranscriptLine: Hashable, Sendable {
  /// The kind of a line, for readers of a transcript.
  package enum Kind: String, Codable, Sendable {
    /// Printed by the test or the code it ran.
    case output
    /// The library's report of a skip, a measurement or something else that is not a failure.
    case event
    /// The library's report of a failure.
    case failure
  }

  package var kind: Kind
  package var text: String
  /// Whether another test may have printed the line, because several ran at once or one began as it ended.
  package var isShared: Bool

  package init(kind: Kind = .output, text: String, isShared: Bool = false) {
    self.kind = kind
    self.text = text
    self.isShared = isShared
  }
}

/// Everything known about a listed test after a run.
package struct TestResult: Hashable, Sendable {
  package var id: TestID
  package var library: TestLibrary
  package var state: TestState
  /// In seconds; zero if the test did not run.
  package var duration: Double
  /// When it began, in seconds of a clock that all tests of a run share; nil if that is not known.
  package var start: Double?
  /// How much of the duration it waited for tests that ran at the same time, in seconds: an estimate.
  package var waited = 0.0
  package var displayName: String?
  /// The name that its author gave the suite around it.
  package var suiteName: String?
  package var tags: [String]
  /// The location of the test's declaration.
  package var location: SourceLocation?
  package var isFlaky: Bool
  package var failures: [TestFailure]
  package var knownIssues: [TestFailure]
  package var skipReason: String?
  /// The cases of a parameterised test, in the order in which they were started; nil for other tests.
  package var arguments: [TestArgument]?
  /// All attempts in order; empty if the test was run once.
  package var attempts: [TestAttempt]
  package var transcript: [TranscriptLine]
  /// How the process died, if the test crashed.
  package var crash: CrashReport?
  /// What the process was doing, if the test timed out.
  package var hang: HangReport?
  /// What a sanitizer found while the test ran.
  package var sanitizerReports: [SanitizerReport] = []
  /// The issues that the test recorded as warnings, which are not failures.
  package var warnings: [TestFailure] = []
  /// In the order in which they were attached, across all attempts.
  package var attachments: [TestAttachment] = []
  /// The results of `measure`, in order; only XCTest measures.
  package var measurements: [TestMeasurement] = []
  /// The bug reports that the test refers to, if the library reports them.
  package var bugs: [TestBug] = []
  /// The test's own time limit in seconds, if the library reports it.
  package var timeLimit: Double?
  /// How the test ended when run alone, if that differs.
  package var alone: TestAttempt?
  /// How a test that was red in an attempt ended in the serial run, which maps tests to lines and is no attempt; nil if
  /// it has no end there.
  package var serialRun: TestAttempt?
  /// How the test ended its process before finishing; its state is then `notRun`.
  package var quit: ProcessQuit?
  /// How much of the test's output is not kept; nil if all of it is.
  package var leftOut: LeftOutCounts?
  /// Whether it was left out because it reaches nothing of what changed; its state is then `skipped`.
  package var isUnaffected = false

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
  /// The stacks of the process in which the test died or hung.
  package var stacks: [ThreadStack] { [crash?.thread].compactMap(\.self) + (hang?.threads ?? []) }
}

extension TestResult {
  /// Returns the combined result of a red test that was run again on the same commit.
  ///
  /// A test that passes in the end is passed and flaky, and so are its cases: they keep the messages of the first attempt,
  /// and thereby the details that the page can show. Its duration is that of the first attempt that came to its own end,
  /// since a later one runs without the other tests, and in another integration it ran with them. A test that never
  /// passes keeps its most severe result, the first if there are several. An attempt that is skipped, canceled or not run
  /// proves nothing and does not make up for a failure. What a sanitizer found in any attempt is kept.
  ///
  /// - Parameters:
  ///   - retries: the results of the later attempts, in order.
  ///   - cutOff: what the last attempt came to that had no time to end; only what a sanitizer found counts of it.
  package func retried(_ retries: [TestResult], cutOff: TestResult? = nil) -> TestResult {
    var result = joined(with: retries)
    for attempt in [self] + retries + [cutOff].compactMap(\.self) {
      result.sanitizerReports.add(attempt.sanitizerReports)
    }
    return result
  }

  private func joined(with retries: [TestResult]) -> TestResult {
    guard state.isRed, let last = retries.last else { return self }
    let all = [self] + retries
    let order = TestState.allCases
    var result = self
    if last.state == .passed, let ended = all.first(where: \.state.isEnd) {
      result.state = .passed
      result.isFlaky = true
      (result.start, result.duration, result.waited) = (ended.start, ended.duration, ended.waited)
      result.arguments = last.arguments?.keeping(failuresOf: arguments ?? [])
    } else {
      let red = all.filter(\.state.isRed)
      let gravest = red.min { (order.firstIndex(of: $0.state) ?? 0) < (order.firstIndex(of: $1.state) ?? 0) }
      result = gravest ?? self
    }
    result.attempts = TestAttempt.all(of: all)
    result.attachments = all.flatMap(\.attachments)
    return result
  }
}

extension [TestArgument] {
  /// Returns the cases with the failures that they had in another attempt, case by case even if two print alike.
  fileprivate func keeping(failuresOf other: [TestArgument]) -> [TestArgument] {
    var left = Dictionary(grouping: other.reversed(), by: \.display)
    return map { argument in
      var argument = argument
      argument.failures = left[argument.display]?.popLast()?.failures ?? []
      return argument
    }
  }
}

extension TestState {
  /// Whether the test finished on its own, so that its duration is meaningful.
  package var isEnd: Bool { [.passed, .failed, .expectedFailure].contains(self) }

  /// Returns the duration of a test in this state, in seconds, up to the end of the process if it died; nil if it did not
  /// run or its duration is unknown.
  package func time(_ seconds: Double) -> Double? {
    switch self {
    // What a library says of a skipped test is how long it took to skip it.
    case .skipped: nil
    case .crashed, .timedOut, .canceled, .notRun: seconds == 0 ? nil : seconds
    case .failed, .expectedFailure, .passed: seconds
    }
  }
}

extension TestResult {
  /// The duration in seconds; nil if unknown.
  package var time: Double? { state.time(duration) }

  /// The duration without waiting for tests that ran at the same time, in seconds; nil if unknown.
  package var ownTime: Double? { time.map { max($0 - waited, 0) } }

  /// All its runs in their order: the first, the serial one, and those that ran it again.
  package var runs: [TestAttempt] {
    [attempts.first ?? TestAttempt(self), serialRun].compactMap(\.self) + attempts.dropFirst()
  }

  /// Whether it was run again and never ended otherwise than red.
  package var failedEveryRetry: Bool { attempts.count > 1 && runs.allSatisfy(\.state.isRed) }

  /// The durations of all its runs that are known, in seconds.
  package var timesOfRuns: [Double] { runs.compactMap(\.time) }

  /// Whether it was running when its process ended, with no proof that it ended the process itself.
  package var wasCutOff: Bool { state == .notRun && quit == nil && duration > 0 }
}

extension [TestResult] {
  /// The sum of the tests' own times in seconds, as far as they are known, from the microseconds that documents keep; nil
  /// if none is known.
  package var ownTime: Double? {
    let times = compactMap { $0.ownTime?.roundedToMicroseconds }
    return times.isEmpty ? nil : times.reduce(0, +)
  }
}

extension TestAttempt {
  /// The duration in seconds; nil if unknown.
  package var time: Double? { state.time(duration) }
}

extension TestVerdicts.Verdict {
  /// The duration of the test in seconds; nil if unknown.
  package var time: Double? { state.time(duration / 1000) }
}

extension TestResult {
  /// Returns whether the test takes longer than it should, given a threshold in seconds; waiting for others is not its own
  /// fault.
  package func isSlow(beyond mark: Double) -> Bool { state.isEnd && ownTime?.isLonger(than: mark) ?? false }

  /// Returns the same of a test that is judged beside its run before.
  ///
  /// - Parameter before: its own time in that run, in seconds; nil if unknown.
  package func isSlow(beyond mark: Double, before: Double?) -> Bool {
    isSlow(beyond: mark) && !XCTestTick.mayExplain(ownTime, beyond: mark, after: before, in: library)
  }

  /// Returns whether the test ran for longer than a threshold in seconds, however it ended; waiting for others does not
  /// count.
  package func takes(longerThan mark: Double) -> Bool { ownTime?.isLonger(than: mark) ?? false }
}

extension Double {
  /// Whether a duration in seconds is longer than another one, in the microseconds that documents keep.
  func isLonger(than mark: Double) -> Bool { roundedToMicroseconds > mark.roundedToMicroseconds }
}

extension IntegrationRecord.Case {
  /// The duration in seconds; nil if unknown.
  package var time: Double? { state.time(duration) }

  /// The duration without waiting for tests that ran at the same time, in seconds; nil if unknown.
  package var ownTime: Double? { time.map { max($0 - (waited ?? 0), 0) } }

  /// Returns whether the test takes longer than it should, given a threshold in seconds.
  package func isSlow(beyond mark: Double) -> Bool { state.isEnd && ownTime?.isLonger(than: mark) ?? false }

  /// Returns the same of a test that is judged beside its run before.
  ///
  /// - Parameter before: its own time in that run, in seconds; nil if unknown.
  package func isSlow(beyond mark: Double, before: Double?) -> Bool {
    isSlow(beyond: mark) && !XCTestTick.mayExplain(ownTime, beyond: mark, after: before, in: library)
  }
}

/// The time for which XCTest may keep any test waiting on Linux: now and then its run loop notices only with its next tick
/// that the test has ended; see https://github.com/swiftlang/swift-corelibs-xctest/issues/469.
enum XCTestTick {
  /// The interval of the ticks in seconds, with what it takes to wake up.
  private static let length = 0.11

  /// Returns whether the tick may be why a test took longer than a mark: it did not the time before, and without the tick
  /// it would not now.
  static func mayExplain(_ time: Double?, beyond mark: Double, after before: Double?, in library: TestLibrary) -> Bool {
    guard library == .xctest, let time, let before, !before.isLonger(than: mark) else { return false }
    return !(time - length).isLonger(than: mark)
  }
}
