package import Model

/// Reads Swift Testing's event stream, and what its process prints beside it, as they arrive.
///
/// The stream has no verdicts: results are put together at its end, because an issue can arrive after the end of the
/// test it belongs to. A record that cannot be read is counted and stops nothing.
package struct SwiftTestingEvents: Sendable {
  let relativise: @Sendable (String) -> String
  let onProgress: @Sendable (TestProgress) -> Void
  var names: SwiftTestingNames
  var tests: [SwiftTestingTestRecord] = []
  var indexes: [String: Int] = [:]
  var suites: Set<String> = []
  var openTests: Set<Int> = []
  var unattributed = KeptFailures()
  let bounds: Bounds
  var room: FailureRoom
  private var transcriptBytes = 0
  var loose: Transcript
  var anomalies = Anomalies()
  var hasRunStarted = false
  var hasRunEnded = false
  var runEndedAsFailed = false
  private var records: LineSplitter
  private var output = LineSplitter(limit: 65_536)
  private var errors = LineSplitter(limit: 65_536)
  private var recordCount = 0
  private var unreadable: (count: Int, first: Int, reason: String) = (0, 0, "")

  /// - Parameters:
  ///   - listed: the tests that the process was asked to run, as the library lists them.
  ///   - relativise: turns an absolute path into one relative to the package, or returns it as it is.
  package init(
    listed: [TestID], bounds: Bounds = .standard, relativise: @escaping @Sendable (String) -> String,
    onProgress: @escaping @Sendable (TestProgress) -> Void = { _ in }
  ) {
    self.bounds = bounds
    room = FailureRoom(bounds)
    loose = Transcript(bounds)
    records = LineSplitter(limit: bounds.record)
    self.relativise = relativise
    self.onProgress = onProgress
    names = SwiftTestingNames(listed: listed)
  }

  /// Takes the next bytes of the event stream.
  package mutating func consume(events bytes: some Sequence<UInt8>) {
    var lines: [[UInt8]] = []
    records.consume(bytes) { lines.append($0) }
    for line in lines { take(record: line) }
  }

  /// Takes the next bytes that the process printed; the order of the calls is the order in which they arrived.
  package mutating func consume(_ stream: ProcessStream, _ bytes: some Sequence<UInt8>) {
    var lines: [[UInt8]] = []
    switch stream {
    case .standardOutput:
      output.consume(bytes) { lines.append($0) }
      for line in lines { take(printed: line.text) }
    case .standardError:
      errors.consume(bytes) { lines.append($0) }
      for line in lines where !Self.isOwn(line) { take(printed: line.text) }
    }
  }

  /// Takes note that something was written to the file where the event stream would be if it were not taken elsewhere.
  package mutating func noteIntrusion(bytes: Int) {
    anomalies.note("The test process wrote \(bytes) bytes of its own to the file of the event stream.")
  }

  /// Ends the reading and returns what was learned.
  package mutating func finish() -> ParsedTestRun {
    if let line = records.finish() { take(record: line) }
    if let line = output.finish() { take(printed: line.text) }
    if let line = errors.finish(), !Self.isOwn(line) { take(printed: line.text) }
    if unreadable.count > 0 {
      anomalies.note(
        """
        \(unreadable.count) of \(recordCount) records of the event stream could not be read; \
        the first was number \(unreadable.first): \(unreadable.reason).
        """)
    }
    return result()
  }

  // MARK: Lines

  private mutating func take(record line: [UInt8]) {
    guard !line.isEmpty else { return }
    recordCount += 1
    do {
      let record = try SwiftTestingRecord(line: line)
      switch record.kind {
      case "test": take(test: record.payload)
      case "event": take(event: record.payload)
      default: break
      }
    } catch {
      if isAttachment(line) { return }
      if unreadable.count == 0 { (unreadable.first, unreadable.reason) = (recordCount, Self.reason(error)) }
      unreadable.count += 1
    }
  }

  /// Whether a record is only too long because a test attached something large to its results.
  private func isAttachment(_ line: [UInt8]) -> Bool {
    line.count >= bounds.record && Array(line.prefix(4096)).firstIndex(of: Array(#""attachment":{"#.utf8)) != nil
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return path.isEmpty ? "it is no valid JSON object" : "'\(path)' is not what the format says"
    default:
      return "it is no valid JSON object"
    }
  }

  private mutating func take(printed text: String) {
    if openTests.isEmpty {
      loose.append(TranscriptLine(text: text))
    } else {
      let line = TranscriptLine(text: text, isShared: openTests.count > 1)
      for index in openTests { append(line, to: index) }
    }
  }

  /// Adds a line to the transcript of a test, for which there may be no room any more.
  mutating func append(_ line: TranscriptLine, to index: Int) {
    if transcriptBytes >= bounds.transcripts { tests[index].transcript.close() }
    let before = tests[index].transcript.byteCount
    tests[index].transcript.append(line)
    transcriptBytes += tests[index].transcript.byteCount - before
  }

  /// Whether a line of standard error is the library's own account for people, which the events repeat.
  private static func isOwn(_ line: [UInt8]) -> Bool {
    ["◇ ", "✔ ", "✘ ", "➜ ", "↳ ", "━ ", "⚠︎ ", "± ", "⎙ "].contains { line.starts(with: $0.utf8) }
  }
}
