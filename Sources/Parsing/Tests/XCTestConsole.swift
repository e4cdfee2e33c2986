package import Model

/// A reader of an XCTest process's output as it arrives.
///
/// A test can print anything, including lines like XCTest's own. A verdict therefore counts only for the open test; a
/// second verdict, or a failure of a test that is no longer open, can only make that test's result worse; and the final
/// totals count only if they agree with the results.
package struct XCTestConsole: Sendable {
  private let relativise: @Sendable (String) -> String?
  private let onProgress: @Sendable (TestProgress) -> Void
  private var names: XCTestNames
  private let bounds: Bounds
  private var room: FailureRoom
  /// The number of bytes in the transcripts of the tests so far.
  private var transcriptBytes = 0
  /// The number of tests that ran without having been requested.
  private var unasked = 0
  private var output = LineSplitter(limit: 65_536)
  private var errors = LineSplitter(limit: 65_536)
  private var cases: [XCTestCaseRecord] = []
  /// The most recently started case with each name.
  private var indexes: [String: Int] = [:]
  private var open: Int?
  /// The cases that ended since standard error was last read completely, so that some of theirs may follow.
  private var justEnded: Set<Int> = []
  private var frame = XCTestFrame()
  private var loose: Transcript
  private var anomalies = Anomalies()
  /// The anomalies of lines that imitate XCTest's own; the others are above.
  private var imitations = Anomalies()

  /// - Parameters:
  ///   - asked: the tests that the process was asked to run, in XCTest's order.
  ///   - relativise: returns the path relative to the package for a printed path; nil for a path outside.
  package init(
    asked: [TestID], bounds: Bounds = .standard, relativise: @escaping @Sendable (String) -> String?,
    onProgress: @escaping @Sendable (TestProgress) -> Void = { _ in }
  ) {
    self.bounds = bounds
    room = FailureRoom(bounds)
    loose = Transcript(bounds)
    self.relativise = relativise
    self.onProgress = onProgress
    names = XCTestNames(asked: asked)
  }

  /// Adds the next bytes of one of the two streams, in the order in which they arrived.
  package mutating func consume(_ stream: ProcessStream, _ bytes: some Sequence<UInt8>) {
    switch stream {
    case .standardOutput:
      for line in output.consume(bytes) { take(line) }
    case .standardError:
      for line in errors.consume(bytes) { take(error: line) }
    }
  }

  /// Notes that all of standard error was read that was printed before the output so far.
  package mutating func noteAllRead() { justEnded = [] }

  /// Ends the input and returns the results.
  package mutating func finish() -> ParsedTestRun {
    takeRest()
    var run = ParsedTestRun(library: .xctest, source: "console")
    if let open, let id = cases[open].id { run.openTests = [id] }
    for record in cases {
      if let result = record.result {
        run.results.append(result)
      } else if record.state == .failed {
        run.unattributedFailures +=
          record.failures.isEmpty
          ? [TestFailure(location: nil, message: "\(record.name) failed")] : record.failures.all
      }
    }
    let failures = cases.reduce(0) { $0 + ($1.state == .passed ? 0 : $1.failures.count) }
    run.announcedEnd = frame.total != nil
    run.sawTerminalRecord = frame.isComplete(tests: cases.count, failures: failures, anomalies: &anomalies)
    run.looseOutput = loose.lines
    run.anomalies = imitations.sentences + anomalies.sentences
    return run
  }

  /// Ends the input if an observer in the process reported the results.
  package mutating func finish(_ observation: XCTestObservation) -> ParsedTestRun {
    takeRest()
    var observation = observation
    return observation.result(
      printed: XCTestPrinted(
        cases: cases.map { ($0.name, $0.printed) }, loose: loose.lines, imitations: imitations.sentences,
        totals: frame.total))
  }

  private mutating func takeRest() {
    if let line = output.finish() { take(line) }
    if let line = errors.finish() { take(error: line) }
    if let open { cases[open].endMessage() }
  }

  // MARK: Lines

  private static let marks = ["Test ", ": error: "].map { Array($0.utf8) }

  /// Whether a line has what all of XCTest's lines have, so that the bulk of the output is passed on quickly.
  private static func mayCount(_ bytes: [UInt8]) -> Bool {
    bytes.first == UInt8(ascii: "\t") || marks.contains { bytes[...].firstRange(ofBytes: $0) != nil }
  }

  private mutating func take(_ bytes: [UInt8]) {
    guard Self.mayCount(bytes) else { return print(bytes) }
    let openName = open.map { cases[$0].name }
    let remark = XCTestRemark.parse(
      bytes, open: openName, isKnown: { indexes[$0] != nil }, relativise: relativise)
    if let remark {
      take(remark, line: bytes)
    } else if let (line, prefix) = XCTestLine.parse(bytes), accepts(line) {
      if !prefix.isEmpty { print(prefix) }
      take(line)
    } else {
      print(bytes)
    }
  }

  private mutating func take(_ remark: XCTestRemark, line: [UInt8]) {
    if let open, cases[open].name == remark.name {
      if !remark.prefix.isEmpty { print(remark.prefix) }
      cases[open].take(remark)
    } else if let index = indexes[remark.name] {
      imitations.note("A failure of \(remark.name) was printed while that test was not running.")
      cases[index].take(remark)
      cases[index].end(.failed, seconds: 0)
      print(line)
    }
  }

  /// Whether a line that looks like XCTest's own can be one at this point.
  private mutating func accepts(_ line: XCTestLine) -> Bool {
    switch line {
    case .caseStarted(let name):
      if open != nil, names.isAsked(name) {
        imitations.note("A start of \(name) was printed while another test was running.")
      }
      return open == nil
    case .caseEnded(let name, let verdict, _):
      if let open, cases[open].name == name { return true }
      guard let index = indexes[name] else {
        if names.isAsked(name) { imitations.note("A verdict on \(name) was printed before that test had started.") }
        return false
      }
      imitations.note("A second verdict on \(name) was printed.")
      if verdict == .failed { cases[index].end(.failed, seconds: 0) }
      return false
    case .suiteStarted, .suiteEnded:
      return open == nil
    case .executed:
      return open == nil && frame.expectsTotals
    }
  }

  private mutating func take(_ line: XCTestLine) {
    switch line {
    case .caseStarted(let name): start(name)
    case .caseEnded(_, let verdict, let seconds): end(verdict, seconds: seconds)
    case .suiteStarted(let name): frame.start(name)
    case .suiteEnded(let name): frame.end(name)
    case .executed(let tests, let failures): frame.total(tests: tests, failures: failures)
    }
  }

  private mutating func take(error bytes: [UInt8]) {
    let possible = justEnded.union(open.map { [$0] } ?? [])
    let text = bytes.text
    guard (1...TranscriptLine.mostSharing).contains(possible.count) else {
      loose.append(TranscriptLine(text: text))
      return
    }
    for index in possible {
      let before = cases[index].transcript.byteCount
      cases[index].take(error: text, isShared: possible.count > 1)
      if index != open { transcriptBytes += cases[index].transcript.byteCount - before }
    }
  }

  private mutating func print(_ bytes: [UInt8]) {
    if let open {
      cases[open].take(output: bytes.text)
    } else {
      loose.append(TranscriptLine(text: bytes.text))
    }
  }

  // MARK: Cases

  private mutating func start(_ name: String) {
    frame.runCase(anomalies: &anomalies)
    var id: TestID?
    switch names.start(name) {
    case .again,
      .unlisted where indexes[name] != nil:
      anomalies.note("\(name) was started twice.")
      open = indexes[name]
      return
    case .test(let test):
      id = test
    case .ambiguous(let candidates):
      let modules = candidates.map(\.module).joined(separator: " and ")
      anomalies.note(
        "\(name) exists in \(modules), and the order of the run does not tell which of them a result belongs to.")
    case .unlisted:
      anomalies.note("\(name) ran although it was not asked for.")
      // However many more of them there are, the end can no longer be trusted.
      unasked += 1
      guard unasked <= bounds.unasked else { return }
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      id = TestID(module: "?", suite: parts.first ?? "", name: parts.last ?? "")
    }
    open = cases.count
    indexes[name] = cases.count
    let transcript = Transcript(bounds, left: bounds.transcripts - transcriptBytes)
    cases.append(XCTestCaseRecord(name: name, id: id, room: room, transcript: transcript))
    if let id { onProgress(.started(id)) }
  }

  private mutating func end(_ verdict: TestState, seconds: Double) {
    guard let index = open else { return }
    if let line = errors.finish() { take(error: line) }
    cases[index].end(verdict, seconds: seconds)
    room = cases[index].room
    transcriptBytes += cases[index].transcript.byteCount
    open = nil
    justEnded.insert(index)
    if let contradiction = cases[index].contradiction { anomalies.note(contradiction) }
    if let id = cases[index].id { onProgress(.ended(id, cases[index].state)) }
  }
}

/// The modules of tests that the console names only as `Class.method`.
///
/// XCTest runs tests in the order in which it lists them, so the position in that order distinguishes classes with the
/// same name in two modules; nothing else does.
struct XCTestNames: Sendable {
  /// The meaning of a name at a given point of the run.
  enum Resolution {
    /// A requested test that had not started before.
    case test(TestID)
    /// One of several tests, which cannot be distinguished.
    case ambiguous([TestID])
    /// A test that had started before.
    case again
    /// A test that was not requested.
    case unlisted
  }

  private let positions: [String: [(position: Int, id: TestID)]]
  private var started: Set<Int> = []
  /// The next position, as long as the run follows the order.
  private var next: Int? = 0

  init(asked: [TestID]) {
    var positions: [String: [(position: Int, id: TestID)]] = [:]
    for (position, id) in asked.enumerated() {
      positions[Self.consoleName(of: id), default: []].append((position, id))
    }
    self.positions = positions
  }

  /// Returns `Class.method`; XCTest's classes are never nested, because discovery on Linux finds only outer ones.
  static func consoleName(of id: TestID) -> String {
    "\(id.suite).\(id.name)"
  }

  func isAsked(_ name: String) -> Bool { positions[name] != nil }

  /// Records that a test with this name starts.
  mutating func start(_ name: String) -> Resolution {
    guard let all = positions[name] else { return .unlisted }
    let left = all.filter { !started.contains($0.position) }
    guard let first = left.first else { return .again }
    let isExpected = next == first.position
    next = isExpected || all.count == 1 ? first.position + 1 : nil
    started.insert(first.position)
    return all.count == 1 || isExpected ? .test(first.id) : .ambiguous(all.map(\.id))
  }
}
