import Model

/// One test as the console of its process tells it, while the output is still arriving.
struct XCTestCaseRecord: Sendable {
  /// `Class.method`, without the module.
  let name: String
  /// Absent when several modules have a test of this name and the order of the run does not tell which one it is.
  let id: TestID?
  private(set) var verdict: XCTestLine.Verdict?
  private(set) var duration = 0.0
  private(set) var failures = KeptFailures()
  private(set) var transcript: Transcript
  /// What is left of the room for failures of the process; whoever runs the next test takes it on.
  private(set) var room: FailureRoom
  private var skipReason: String?
  private var tail: MessageTail?
  /// What lines of output look like that no message can claim, numbers aside.
  private var outputShapes: Set<String> = []
  /// How many lines were looked at for that: what a test prints shows itself early, and looking takes time.
  private var shapedLines = 0

  init(name: String, id: TestID?, room: FailureRoom, transcript: Transcript) {
    self.name = name
    self.id = id
    self.room = room
    self.transcript = transcript
  }

  /// How the verdicts so far add up; `.notRun` without one.
  var state: TestState {
    switch verdict {
    case nil: .notRun
    case .failed: .failed
    case .skipped: .skipped
    case .passed: .passed
    }
  }

  // MARK: Taking lines

  /// Takes a line of standard output that is none of XCTest's own, or continues a message of it.
  mutating func take(output text: String) {
    if tail != nil {
      tail?.append(text)
      if tail?.isFull == true { endMessage() }
    } else {
      appendOutput(text)
    }
  }

  /// Takes a line of standard error.
  mutating func take(error text: String) {
    if tail == nil {
      transcript.append(TranscriptLine(text: text))
    } else {
      tail?.append(error: text)
    }
  }

  mutating func take(_ remark: XCTestRemark) {
    endMessage()
    let place = remark.location.map { "\($0): " } ?? ""
    switch remark.kind {
    case .measurement:
      transcript.append(.event, remark.text)
    case .failure, .skip:
      if FailureMessage.isComplete(remark.text) {
        record(remark.kind, at: remark.location, remark.text)
        transcript.append(remark.kind == .failure ? .failure : .event, place + remark.text)
      } else {
        tail = MessageTail(remark: remark)
      }
    }
  }

  /// Takes a verdict; of several, the gravest stays.
  mutating func end(_ verdict: XCTestLine.Verdict, seconds: Double) {
    endMessage()
    if verdict == .failed { transcript.append(.failure, "failed (\(seconds) seconds)") }
    let order: [XCTestLine.Verdict] = [.failed, .skipped, .passed]
    self.verdict = order.first { $0 == verdict || $0 == self.verdict }
    duration = max(duration, seconds)
    outputShapes = []
    shapedLines = 0
  }

  /// Decides which of the lines behind a message belong to it, and files the others as output.
  mutating func endMessage() {
    guard let tail else { return }
    self.tail = nil
    let (message, rest) = tail.split(isOutput: { outputShapes.contains(Self.shape(of: $0)) })
    record(tail.remark.kind, at: tail.remark.location, message)
    transcript.append(
      tail.remark.kind == .failure ? .failure : .event, (tail.remark.location.map { "\($0): " } ?? "") + message)
    for line in rest { appendOutput(line) }
  }

  private mutating func record(_ kind: XCTestRemark.Kind, at location: SourceLocation?, _ message: String) {
    if kind == .failure {
      let message = room.keep(message)
      let parsed = FailureMessage.parse(message, library: .xctest)
      failures.add(TestFailure(location: location, message: message, parsed: parsed), within: &room)
    } else {
      skipReason = Self.reason(of: room.keep(message))
    }
  }

  private mutating func appendOutput(_ text: String) {
    transcript.append(TranscriptLine(text: text))
    guard !text.isEmpty, shapedLines < 2000 else { return }
    shapedLines += 1
    outputShapes.insert(Self.shape(of: text))
  }

  // MARK: Results

  /// The result; nil when it is not known which module's test this is.
  var result: TestResult? {
    guard let id else { return nil }
    var result = TestResult(
      id: id, library: .xctest, state: state, duration: duration, failures: verdict == .passed ? [] : failures.all,
      skipReason: state == .skipped ? skipReason : nil, transcript: transcript.lines)
    result.leftOut = verdict == .passed ? nil : LeftOutCounts(failures: failures.leftOut)
    return result
  }

  /// What the console adds to the report of an observer.
  var printed: XCTestPrinted.Case {
    XCTestPrinted.Case(skipReason: skipReason, transcript: transcript.lines)
  }

  /// What is wrong when a test passed although failures of it were printed.
  var contradiction: String? {
    guard verdict == .passed, !failures.isEmpty else { return nil }
    return "\(name) passed, but its output has a line that reads like a failure of it."
  }

  /// `Test skipped: required true value but got false - reason` without its first words.
  private static func reason(of message: String) -> String? {
    var rest = message.dropFirst("Test skipped".count)
    for separator in [" - ", ": "] where rest.hasPrefix(separator) {
      rest = rest.dropFirst(separator.count)
      return rest.isEmpty ? nil : String(rest)
    }
    return nil
  }

  /// What stays the same in lines of one kind: the mark or time stamp a line begins with, its digits replaced; for
  /// lines that begin with a word, the whole line.
  static func shape(of line: String) -> String {
    let mark = line.first.map { !$0.isLetter && !$0.isWhitespace } == true
    let part = mark ? line.prefix { !$0.isWhitespace } : line[...]
    return String(part.prefix(200).map { $0.isNumber ? "0" : $0 })
  }
}

/// A failure or skip whose text may go on over the lines that follow.
///
/// XCTest marks where a message begins and not where it ends, so output that a test prints behind a failure reads
/// like more of its message. A line belongs to the message for certain while an operand is still open, and is output
/// for certain where the message is complete; between the two, a line that looks like earlier output of the same test
/// ends the message, and anything else continues it.
struct MessageTail: Sendable {
  let remark: XCTestRemark
  private var lines: [(text: String, isError: Bool)] = []
  private var size = 0

  init(remark: XCTestRemark) {
    self.remark = remark
  }

  /// Whether no more lines are taken.
  var isFull: Bool { lines.count >= 200 || size >= 65_536 }

  mutating func append(_ text: String) {
    lines.append((text, false))
    size += text.utf8.count
  }

  /// Appends a line of standard error, which belongs to no message.
  mutating func append(error text: String) {
    lines.append((text, true))
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
