package import Model

/// Reads the output of an XCTest process as it arrives.
///
/// A test can print whatever it likes, lines like XCTest's own included. So a verdict counts only for the test that is
/// open; a second verdict, or a failure of a test that is no longer open, can make that test's result worse and never
/// better; and the final totals count only when they agree with what was seen.
package struct XCTestConsole: Sendable {
  private let relativise: @Sendable (String) -> String
  private let onProgress: @Sendable (TestProgress) -> Void
  private var names: XCTestNames
  private let bounds: Bounds
  private var room: FailureRoom
  /// The bytes that the transcripts of the tests before keep.
  private var transcriptBytes = 0
  /// Tests that ran though nobody asked for them.
  private var unasked = 0
  private var output = LineSplitter(limit: 65_536)
  private var errors = LineSplitter(limit: 65_536)
  private var cases: [XCTestCaseRecord] = []
  /// The case last started under a name.
  private var indexes: [String: Int] = [:]
  private var open: Int?
  private var frame = XCTestFrame()
  private var loose: Transcript
  private var anomalies = Anomalies()
  /// Those of them that tell of lines which only pass themselves off as XCTest's.
  private var imitations = Anomalies()

  /// - Parameters:
  ///   - asked: the tests that the process was asked to run, in the order in which XCTest lists them.
  ///   - relativise: turns a printed path into one relative to the package, or returns it as it is.
  package init(
    asked: [TestID], bounds: Bounds = .standard, relativise: @escaping @Sendable (String) -> String,
    onProgress: @escaping @Sendable (TestProgress) -> Void = { _ in }
  ) {
    self.bounds = bounds
    room = FailureRoom(bounds)
    loose = Transcript(bounds)
    self.relativise = relativise
    self.onProgress = onProgress
    names = XCTestNames(asked: asked)
  }

  /// Takes the next bytes of one of the two streams; the order of the calls is the order in which they arrived.
  package mutating func consume(_ stream: ProcessStream, _ bytes: some Sequence<UInt8>) {
    var lines: [[UInt8]] = []
    switch stream {
    case .standardOutput:
      output.consume(bytes) { lines.append($0) }
      for line in lines { take(line) }
    case .standardError:
      errors.consume(bytes) { lines.append($0) }
      for line in lines { take(error: line) }
    }
  }

  /// Ends the reading and returns what was learned.
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
    run.announcedEnd = frame.hasTotals
    run.sawTerminalRecord = frame.isComplete(tests: cases.count, failures: failures, anomalies: &anomalies)
    run.looseOutput = loose.lines
    run.anomalies = anomalies.sentences
    return run
  }

  /// Ends the reading where an observer in the process reported the results.
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

  private mutating func note(imitation sentence: String) {
    anomalies.note(sentence)
    imitations.note(sentence)
  }

  // MARK: Lines

  private static let marks = ["Test ", ": error: "].map { Array($0.utf8) }

  /// Whether a line has what every line of XCTest's has; most of what tests print has not, and is passed on quickly.
  private static func mayCount(_ bytes: [UInt8]) -> Bool {
    bytes.first == UInt8(ascii: "\t") || marks.contains { bytes.firstIndex(of: $0) != nil }
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
      note(imitation: "A failure of \(remark.name) was printed while that test was not running.")
      cases[index].take(remark)
      cases[index].end(.failed, seconds: 0)
      print(line)
    }
  }

  /// Whether a line that looks like XCTest's own can be one at this moment.
  private mutating func accepts(_ line: XCTestLine) -> Bool {
    switch line {
    case .caseStarted(let name):
      if open != nil, names.isAsked(name) {
        note(imitation: "A start of \(name) was printed while another test was running.")
      }
      return open == nil
    case .caseEnded(let name, let verdict, _):
      if let open, cases[open].name == name { return true }
      guard let index = indexes[name] else {
        if names.isAsked(name) { note(imitation: "A verdict on \(name) was printed before that test had started.") }
        return false
      }
      note(imitation: "A second verdict on \(name) was printed.")
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
    case .executed(let tests, _, let failures): frame.total(tests: tests, failures: failures)
    }
  }

  private mutating func take(error bytes: [UInt8]) {
    if let open {
      cases[open].take(error: bytes.text)
    } else {
      loose.append(TranscriptLine(text: bytes.text))
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
    case .again:
      anomalies.note("\(name) was started twice.")
      open = indexes[name]
      return
    case .test(let test):
      id = test
    case .ambiguous(let candidates):
      let modules = candidates.map(\.module).joined(separator: " and ")
      anomalies.note(
        "\(name) exists in \(modules), and the order of the run does not tell which of them a result belongs to.")
    case .unlisted where indexes[name] != nil:
      anomalies.note("\(name) was started twice.")
      open = indexes[name]
      return
    case .unlisted:
      anomalies.note("\(name) ran although it was not asked for.")
      // Whatever more of them claim, there is no end that could be believed.
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

  private mutating func end(_ verdict: XCTestLine.Verdict, seconds: Double) {
    guard let index = open else { return }
    if let line = errors.finish() { cases[index].take(error: line.text) }
    cases[index].end(verdict, seconds: seconds)
    room = cases[index].room
    transcriptBytes += cases[index].transcript.byteCount
    open = nil
    if let contradiction = cases[index].contradiction { anomalies.note(contradiction) }
    if let id = cases[index].id { onProgress(.ended(id, cases[index].state)) }
  }
}

/// Finds the module of a test that the console names only `Class.method`.
///
/// XCTest runs tests in the order in which it lists them, so where two modules have a class of the same name, the
/// place in that order tells them apart; without it nothing does.
struct XCTestNames: Sendable {
  /// What a name stands for at a given moment of the run.
  enum Resolution {
    /// A test that was asked for and had not started.
    case test(TestID)
    /// One of several tests; which one cannot be told.
    case ambiguous([TestID])
    /// A test that had started before.
    case again
    /// A test that was not asked for.
    case unlisted
  }

  private let positions: [String: [(position: Int, id: TestID)]]
  private var started: Set<Int> = []
  /// The position that comes next as long as the run keeps to the order.
  private var next: Int? = 0

  init(asked: [TestID]) {
    var positions: [String: [(position: Int, id: TestID)]] = [:]
    for (position, id) in asked.enumerated() {
      positions[Self.consoleName(of: id), default: []].append((position, id))
    }
    self.positions = positions
  }

  /// `Class.method`; XCTest's classes are never nested, because their discovery on Linux finds only outer ones.
  static func consoleName(of id: TestID) -> String {
    "\(id.suite).\(id.name)"
  }

  func isAsked(_ name: String) -> Bool { positions[name] != nil }

  /// Takes note that a test of this name starts now.
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
