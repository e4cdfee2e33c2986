import Model

/// A test according to the console output of its process, which is still arriving.
struct XCTestCaseRecord: Sendable {
  /// More than XCTest has metrics for the one `measure` block of a test.
  private static let mostMeasurements = 100

  /// `Class.method`, without the module.
  let name: String
  /// Nil if several modules have a test with this name and the order of the run does not show which one it is.
  let id: TestID?
  /// The gravest verdict so far; `.notRun` without one.
  private(set) var state = TestState.notRun
  private(set) var duration = 0.0
  private(set) var failures = KeptFailures()
  private(set) var transcript: Transcript
  /// The remaining room for failures of the process, which is passed on to the next test.
  private(set) var room: FailureRoom
  private var skipReason: String?
  private var measurements: [TestMeasurement] = []
  private var tail: MessageTail?
  /// The forms of output lines that cannot belong to a message, with digits replaced.
  private var outputShapes: Set<String> = []
  /// The number of lines examined for that; a test's output shows its forms early, and examining takes time.
  private var shapedLines = 0

  init(name: String, id: TestID?, room: FailureRoom, transcript: Transcript) {
    self.name = name
    self.id = id
    self.room = room
    self.transcript = transcript
  }

  // MARK: Taking lines

  /// Handles a line of standard output that is not one of XCTest's own, or continues one of its messages.
  mutating func take(output text: String) {
    if tail != nil {
      tail?.append(text)
      if tail?.isFull == true { endMessage() }
    } else {
      appendOutput(text)
    }
  }

  /// Handles a line of standard error.
  ///
  /// - Parameter isShared: whether it may be another test's.
  mutating func take(error text: String, isShared: Bool) {
    if tail == nil || isShared {
      transcript.append(TranscriptLine(text: text, isShared: isShared))
    } else {
      tail?.append(text, isError: true)
    }
  }

  mutating func take(_ remark: XCTestRemark) {
    endMessage()
    switch remark.kind {
    case .measurement:
      transcript.append(.event, remark.text)
      if measurements.count < Self.mostMeasurements { TestMeasurement(remark.text).map { measurements.append($0) } }
    case .failure, .skip:
      if FailureMessage.isComplete(remark.text) {
        record(remark, remark.text)
      } else {
        tail = MessageTail(remark: remark)
      }
    }
  }

  /// Handles a verdict; of several, the gravest is kept.
  mutating func end(_ verdict: TestState, seconds: Double) {
    endMessage()
    if verdict == .failed { transcript.append(.failure, "failed (\(seconds) seconds)") }
    if verdict.gravity < state.gravity { state = verdict }
    duration = max(duration, seconds)
    outputShapes = []
    shapedLines = 0
  }

  /// Decides which of the lines after a message belong to it, and treats the others as output.
  mutating func endMessage() {
    guard let tail else { return }
    self.tail = nil
    let (message, rest) = tail.split(isOutput: { outputShapes.contains(Self.shape(of: $0)) })
    record(tail.remark, message)
    for line in rest { appendOutput(line) }
  }

  /// - Parameter message: the whole text of the failure or skip.
  private mutating func record(_ remark: XCTestRemark, _ message: String) {
    let isFailure = remark.kind == .failure
    transcript.append(isFailure ? .failure : .event, (remark.location.map { "\($0): " } ?? "") + message)
    let message = room.keep(message)
    if isFailure {
      let parsed = FailureMessage.xctest(message)
      failures.add(TestFailure(location: remark.location, message: message, parsed: parsed), within: &room)
    } else {
      skipReason = Self.reason(of: message)
    }
  }

  private mutating func appendOutput(_ text: String) {
    transcript.append(TranscriptLine(text: text))
    guard !text.isEmpty, shapedLines < 2000 else { return }
    shapedLines += 1
    outputShapes.insert(Self.shape(of: text))
  }

  // MARK: Results

  /// The result; nil if the test's module is unknown.
  var result: TestResult? {
    guard let id else { return nil }
    var result = TestResult(
      id: id, library: .xctest, state: state, duration: duration, failures: state == .passed ? [] : failures.all,
      skipReason: state == .skipped ? skipReason : nil, transcript: transcript.lines)
    result.leftOut = state == .passed ? nil : LeftOutCounts(failures: failures.leftOut)
    result.measurements = measurements
    return result
  }

  /// The console's additions to an observer's report.
  var printed: XCTestPrinted.Case {
    XCTestPrinted.Case(skipReason: skipReason, measurements: measurements, transcript: transcript.lines)
  }

  /// The contradiction if a test passed although failures of it were printed.
  var contradiction: String? {
    guard state == .passed, !failures.isEmpty else { return nil }
    return "\(name) passed, but its output has a line that reads like a failure of it."
  }

  /// Returns the author's words in a message such as `Test skipped: required true value but got false - reason`; nil if
  /// there are none.
  private static func reason(of message: String) -> String? {
    var rest = message.dropFirst("Test skipped".count)
    for condition in swappedConditions where rest.hasPrefix(condition) { rest = rest.dropFirst(condition.count) }
    for separator in [" - ", ": "] where rest.hasPrefix(separator) {
      rest = rest.dropFirst(separator.count)
      return rest.isEmpty ? nil : String(rest)
    }
    return nil
  }

  /// What XCTest says of `XCTSkipIf` and `XCTSkipUnless`: false, since it has the values the wrong way round.
  /// https://github.com/swiftlang/swift-corelibs-xctest/blob/main/Sources/XCTest/Public/XCTSkip.swift
  private static let swappedConditions = [
    ": required true value but got false", ": required false value but got true",
  ]

  /// Returns the part that lines of one kind share: the mark or time stamp at their beginning with digits replaced, or
  /// the whole line if it begins with a word.
  static func shape(of line: String) -> String {
    let mark = line.first.map { !$0.isLetter && !$0.isWhitespace } == true
    let start = line.prefix(200)
    let part = mark ? start.prefix { !$0.isWhitespace } : start
    return String(part.map { $0.isNumber ? "0" : $0 })
  }
}

/// A failure or skip whose text may continue on the following lines.
///
/// XCTest marks the beginning of a message but not its end, so output that a test prints after a failure looks like
/// more of its message. A line certainly belongs to the message while an operand is still open, and is certainly output
/// if the message is complete. Otherwise, a line that resembles earlier output of the same test ends the message, and
/// anything else continues it.
struct MessageTail: Sendable {
  let remark: XCTestRemark
  private var lines: [(text: String, isError: Bool)] = []
  private var size = 0

  init(remark: XCTestRemark) {
    self.remark = remark
  }

  /// Whether no more lines are accepted.
  var isFull: Bool { lines.count >= 200 || size >= 65_536 }

  /// - Parameter isError: whether the line is of standard error, and so belongs to no message.
  mutating func append(_ text: String, isError: Bool = false) {
    lines.append((text, isError))
    size += text.utf8.count
  }

  /// Returns the whole message, and the lines that are output.
  func split(isOutput: (String) -> Bool) -> (message: String, rest: [String]) {
    var message = remark.text
    var taken = 0
    var isUnfinished = FailureMessage.isUnfinished(message)
    for (index, line) in lines.enumerated() where !line.isError {
      if !isUnfinished {
        if FailureMessage.isComplete(message) || isOutput(line.text) { break }
      }
      message += "\n" + line.text
      taken = index + 1
      if isUnfinished { isUnfinished = FailureMessage.isUnfinished(message) }
    }
    while message.hasSuffix("\n") { message.removeLast() }
    let errors = lines[..<taken].filter(\.isError)
    return (message, errors.map(\.text) + lines[taken...].map(\.text))
  }
}
