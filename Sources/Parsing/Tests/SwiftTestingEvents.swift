package import Model

/// A reader of Swift Testing's event stream, and of its process's output, as they arrive.
///
/// The stream has no verdicts: results are assembled at its end, because an issue can arrive after the end of its test.
/// Unreadable records are counted and otherwise ignored.
package struct SwiftTestingEvents: Sendable {
  let relativise: @Sendable (String) -> String?
  let onProgress: @Sendable (TestProgress) -> Void
  var names: SwiftTestingNames
  var tests: [SwiftTestingTestRecord] = []
  var indexes: [String: Int] = [:]
  /// The suites by their IDs, with the names that their authors gave them.
  var suites: [String: String?] = [:]
  var openTests: Set<Int> = []
  /// The tests that ended since output was last read completely, so that some of theirs may follow.
  private var justEnded: Set<Int> = []
  var unattributed = KeptFailures()
  let bounds: Bounds
  var room: FailureRoom
  private var transcriptBytes = 0
  private let processors: Int
  var loose: Transcript
  var anomalies = Anomalies()
  var hasRunStarted = false
  var hasRunEnded = false
  var runEndedAsFailed = false
  private var records: LineSplitter
  private var output = LineSplitter(limit: 65_536)
  private var errors = LineSplitter(limit: 65_536)
  private var printed = PrintedMessages()
  private var recordCount = 0
  private var unreadable: (count: Int, first: Int, reason: String) = (0, 0, "")

  /// - Parameters:
  ///   - listed: the tests that the process was asked to run, as the library lists them.
  ///   - processors: how many tests can run at a time without waiting for each other.
  ///   - relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  package init(
    listed: [TestID], bounds: Bounds = .standard, processors: Int = 1,
    relativise: @escaping @Sendable (String) -> String?,
    onProgress: @escaping @Sendable (TestProgress) -> Void = { _ in }
  ) {
    self.bounds = bounds
    self.processors = processors
    room = FailureRoom(bounds)
    loose = Transcript(bounds)
    records = LineSplitter(limit: bounds.record)
    self.relativise = relativise
    self.onProgress = onProgress
    names = SwiftTestingNames(listed: listed)
  }

  /// Adds the next bytes of the event stream.
  package mutating func consume(events bytes: some Sequence<UInt8>) {
    for line in records.consume(bytes) { take(record: line) }
  }

  /// Adds the next bytes that the process printed, in the order in which they arrived.
  package mutating func consume(_ stream: ProcessStream, _ bytes: some Sequence<UInt8>) {
    switch stream {
    case .standardOutput:
      for line in output.consume(bytes) { take(printed: line.text) }
    case .standardError:
      for line in errors.consume(bytes) where !printed.take(line) { take(printed: line.text) }
    }
  }

  /// Notes that all output was read that was printed before the events so far.
  package mutating func noteAllRead() { justEnded = [] }

  /// Records that something was written to the file that would hold the event stream if it were not redirected.
  package mutating func noteIntrusion(bytes: Int) {
    anomalies.note("The test process wrote \(bytes) bytes of its own to the file of the event stream.")
  }

  /// Ends the input and returns the results.
  package mutating func finish() -> ParsedTestRun {
    if let line = records.finish() { take(record: line) }
    if let line = output.finish() { take(printed: line.text) }
    if let line = errors.finish(), !printed.take(line) { take(printed: line.text) }
    if unreadable.count > 0 {
      anomalies.note(
        """
        \(unreadable.count) of \(recordCount) records of the event stream could not be read; \
        the first was number \(unreadable.first): \(unreadable.reason).
        """)
    }
    return result()
  }

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
      if unreadable.count == 0 { (unreadable.first, unreadable.reason) = (recordCount, ToolJSON.reason(error)) }
      unreadable.count += 1
    }
  }

  /// Whether a record is too long only because of a large attachment.
  private func isAttachment(_ line: [UInt8]) -> Bool {
    line.count >= bounds.record && line.prefix(4096).firstRange(ofBytes: Array(#""attachment":{"#.utf8)) != nil
  }

  private mutating func take(printed text: String) {
    // Many tests that are open print among each other in any case.
    let ended = justEnded.count <= TranscriptLine.mostSharing ? justEnded : []
    let possible = openTests.union(ended)
    if possible.isEmpty { loose.append(TranscriptLine(text: text)) }
    for index in possible { append(TranscriptLine(text: text, isShared: possible.count > 1), to: index) }
  }

  /// Adds a line to the transcript of a test, if there is room.
  mutating func append(_ line: TranscriptLine, to index: Int) {
    if transcriptBytes >= bounds.transcripts { tests[index].transcript.close() }
    let before = tests[index].transcript.byteCount
    tests[index].transcript.append(line)
    transcriptBytes += tests[index].transcript.byteCount - before
  }
}

extension SwiftTestingEvents {
  /// Records an issue with its test and case, as a failure, a known issue or a warning.
  mutating func record(_ event: SwiftTestingRecord.Payload, in index: Int?) {
    let messages = event.messages ?? []
    let texts = messages.isEmpty ? event.comments ?? [] : messages.compactMap(\.text)
    let message = room.keep(texts.joined(separator: "\n").withoutNul)
    let comments = messages.filter { $0.symbol == "details" }.compactMap(\.text)
    let place = location(event.issue?.sourceLocation ?? event.oldSourceLocation)
    let note = comments.nonEmpty?.joined(separator: "\n").withoutNul.cut(to: bounds.message)
    let isKnown = event.issue?.isKnown ?? false
    let isFailure = !isKnown && (event.issue?.isFailure ?? (event.issue?.severity != "warning"))
    // "Issue recorded" adds nothing to the author's own words.
    let isOnlyNote = !isKnown && !isFailure && texts.first == "Issue recorded"
    let failure = TestFailure(
      location: place, message: isOnlyNote ? note ?? message : message,
      parsed: isOnlyNote
        ? nil
        : FailureMessage.swiftTesting(headline: (texts.first ?? "").withoutNul.cut(to: bounds.message), note: note))
    guard let index else {
      if isFailure { unattributed.add(failure, within: &room) }
      return
    }
    file(failure, of: index, case: event.testCase?.id, isKnown: isKnown, isFailure: isFailure)
    for line in ((place.map { "\($0): " } ?? "") + message).split(separator: "\n", omittingEmptySubsequences: false) {
      append(TranscriptLine(kind: isFailure ? .failure : .event, text: String(line)), to: index)
    }
  }

  private mutating func file(
    _ failure: TestFailure, of index: Int, case key: String?, isKnown: Bool, isFailure: Bool
  ) {
    guard isKnown || isFailure else { return tests[index].warnings.add(failure, within: &room) }
    tests[index].issues.add(failure, isKnown: isKnown, within: &room)
    guard tests[index].isParameterized else { return }
    var ofCase = room
    let isFiled =
      key != nil && tests[index].changeCase(key) { $0.issues.add(failure, isKnown: isKnown, within: &ofCase) }
    if !isFiled { tests[index].hasIssueOutsideCases = true }
  }

  /// Records an attachment of a test, with the path that the library wrote it to.
  mutating func attach(_ event: SwiftTestingRecord.Payload, to index: Int?) {
    guard let index, let attached = event.attachment else { return }
    guard tests[index].attachments.count <= bounds.attachmentsPerTest else { return }
    let fallback = attached.path?.split(separator: "/").last.map(String.init)
    var attachment = TestAttachment(
      name: (attached._preferredName ?? fallback ?? "attachment").withoutNul.cut(to: bounds.name))
    attachment.path = attached.path
    if attached.path == nil { attachment.problem = "Swift Testing did not write it to a file." }
    if tests[index].attachments.count == bounds.attachmentsPerTest {
      attachment.path = nil
      attachment.problem =
        "A test may have \(bounds.attachmentsPerTest) attachments; this one and later ones are not kept."
    }
    if tests[index].isParameterized {
      attachment.caseName = event.testCase?.displayName?.withoutNul.cut(to: bounds.name)
    }
    tests[index].attachments.append(attachment)
  }

  /// Assembles the results after the last record.
  mutating func result() -> ParsedTestRun {
    var run = ParsedTestRun(library: .swiftTesting, source: "event-stream")
    var failures = unattributed.count
    let shared = SharedProcessors(tests.compactMap(\.span), count: processors)
    for index in tests.indices {
      addFailureThatWasOnlyAnnounced(index)
      failures += tests[index].issues.failures.count
      guard let id = names.testID(of: tests[index].eventID) else {
        anomalies.note("'\(tests[index].eventID)' is no test name.")
        for failure in tests[index].issues.failures.all { unattributed.add(failure, within: &room) }
        continue
      }
      var result = tests[index].result(id: id, suiteName: suites["\(id.module).\(id.suite)"] ?? nil)
      result.start = tests[index].span?.start
      result.waited = tests[index].span.map(shared.waiting) ?? 0
      run.results.append(result)
      if tests[index].isOpen { run.openTests.append(id) }
      run.endTimes[id] = tests[index].endTime
    }
    if runEndedAsFailed, failures == 0 {
      anomalies.note("Swift Testing called the run failed, but no failure was recorded.")
    }
    run.sawTerminalRecord = hasRunEnded && openTests.isEmpty && !(runEndedAsFailed && failures == 0)
    if unattributed.leftOut > 0 { anomalies.note(unattributed.sentence(of: .swiftTesting)) }
    run.unattributedFailures = unattributed.all
    run.looseOutput = loose.lines
    run.anomalies = anomalies.sentences
    return run
  }

  /// Adds a failure to a test that the library reported as failed, in case the record of the issue itself was lost.
  private mutating func addFailureThatWasOnlyAnnounced(_ index: Int) {
    guard tests[index].endedAsFailed else { return }
    // What could not be read may be an issue of any of its cases.
    let isExplained = !tests[index].issues.failures.isEmpty
    if unreadable.count > 0 || !isExplained { tests[index].hasIssueOutsideCases = true }
    guard !isExplained else { return }
    anomalies.note("\(tests[index].eventID) was called failed, but its failure is not in the event stream.")
    let failure = TestFailure(location: tests[index].location, message: "Swift Testing called the test failed.")
    tests[index].issues.add(failure, isKnown: false, within: &room)
  }
}

extension SwiftTestingEvents {
  /// Handles the description of a suite or a test function.
  mutating func take(test payload: SwiftTestingRecord.Payload) {
    guard let id = payload.id else { return anomalies.note("A test was described without an ID.") }
    guard payload.kind == "function" else {
      if suites.count < bounds.tests { suites[id] = .some(payload.displayName?.withoutNul.cut(to: bounds.name)) }
      return
    }
    guard indexes[id] == nil else { return anomalies.note("\(id) was described twice.") }
    guard tests.count < bounds.tests else {
      return anomalies.note("The event stream describes more than \(bounds.tests) tests; the others are left out.")
    }
    names.add(id)
    var test = SwiftTestingTestRecord(eventID: id, bounds: bounds)
    test.displayName = payload.displayName?.withoutNul.cut(to: bounds.name)
    test.tags = (payload.oldTags ?? payload.tags ?? []).prefix(bounds.marks).map { $0.cut(to: bounds.name) }
    test.bugs = (payload.bugs ?? []).prefix(bounds.marks).map { bug in
      TestBug(
        url: bug.url?.cut(to: bounds.name), id: bug.id?.cut(to: bounds.name),
        title: bug.title?.withoutNul.cut(to: bounds.name))
    }
    test.timeLimit = payload.timeLimit
    test.location = location(payload.sourceLocation)
    test.isParameterized = payload.isParameterized ?? false
    test.declare(cases: (payload.testCases ?? []).compactMap(\.id))
    indexes[id] = tests.count
    tests.append(test)
  }

  /// Handles an event; unknown kinds are newer than this reader and are ignored.
  mutating func take(event: SwiftTestingRecord.Payload) {
    if hasRunEnded { anomalies.note("The event stream goes on after the end of the run.") }
    let index = event.testID.flatMap { indexes[$0] }
    for message in event.messages ?? [] { message.text.map { printed.expect($0) } }
    switch event.kind {
    case "runStarted":
      if hasRunStarted { anomalies.note("The event stream has more than one start of a run.") }
      hasRunStarted = true
    case "runEnded":
      if hasRunEnded { anomalies.note("The event stream has more than one end of a run.") }
      hasRunEnded = true
      runEndedAsFailed = runEndedAsFailed || event.hasSymbol("fail")
    case "issueRecorded":
      record(event, in: index)
    case "valueAttached":
      attach(event, to: index)
    case "testStarted", "testEnded", "testSkipped", "testCancelled", "testCaseStarted", "testCaseEnded",
      "testCaseCancelled":
      guard let index else { return noteUnknown(event) }
      change(index, by: event)
    default:
      break
    }
  }

  private mutating func noteUnknown(_ event: SwiftTestingRecord.Payload) {
    guard let id = event.testID, suites[id] == nil else { return }
    anomalies.note("The event stream has events of \(id), which it does not describe.")
  }

  private mutating func change(_ index: Int, by event: SwiftTestingRecord.Payload) {
    let name = tests[index].eventID
    switch event.kind {
    case "testStarted":
      if tests[index].hasStarted { return anomalies.note("\(name) was started twice.") }
      tests[index].hasStarted = true
      tests[index].started = event.instant?.absolute
      openTests.insert(index)
      if let id = names.testID(of: name) { onProgress(.started(id)) }
    case "testEnded":
      end(index, by: event)
    case "testSkipped":
      if tests[index].hasStarted { return anomalies.note("\(name) was skipped after it had started.") }
      tests[index].isSkipped = true
      tests[index].reason = event.reason.map { room.keep($0) }
    case "testCancelled":
      tests[index].isCanceled = true
      tests[index].reason = event.reason.map { room.keep($0) }
    default:
      changeCase(of: index, by: event)
    }
  }

  private mutating func end(_ index: Int, by event: SwiftTestingRecord.Payload) {
    let name = tests[index].eventID
    if !tests[index].hasStarted { return anomalies.note("\(name) ended without having started.") }
    if tests[index].hasEnded { anomalies.note("\(name) ended twice.") }
    tests[index].endedAsFailed = tests[index].endedAsFailed || event.hasSymbol("fail")
    if tests[index].isCanceled, tests[index].reason == nil { tests[index].reason = event.reason.map { room.keep($0) } }
    if !tests[index].hasEnded {
      tests[index].ended = event.instant?.absolute
      tests[index].endTime = event.instant?.since1970
      tests[index].hasEnded = true
      openTests.remove(index)
      justEnded.insert(index)
      if let id = names.testID(of: name) { onProgress(.ended(id, tests[index].state)) }
    }
  }

  /// Changes a case of a parameterised test. Other tests have no cases, although one that cancels itself has a case
  /// event.
  private mutating func changeCase(of index: Int, by event: SwiftTestingRecord.Payload) {
    guard tests[index].isParameterized else { return }
    let key = event.testCase?.id
    switch event.kind {
    case "testCaseStarted":
      let display = event.testCase?.displayName ?? event.argumentsInMessage ?? "?"
      if !tests[index].addCase(key: key, display: display.withoutNul.cut(to: bounds.name)) {
        anomalies.note("A case of \(tests[index].eventID) was started twice: \(display).")
      }
    case "testCaseEnded":
      _ = tests[index].changeCase(key) { $0.hasEnded = true }
    case "testCaseCancelled":
      if tests[index].reason == nil { tests[index].reason = event.reason.map { room.keep($0) } }
      if !tests[index].changeCase(key, { $0.isCanceled = true }) { tests[index].isCanceled = true }
    default:
      break
    }
  }

  func location(_ place: SwiftTestingRecord.Place?) -> SourceLocation? {
    guard let place, let path = place.filePath ?? place._filePath, let line = place.line, line > 0 else { return nil }
    return SourceLocation(file: relativise(path) ?? path, line: line, column: place.column)
  }
}

extension SwiftTestingRecord.Payload {
  func hasSymbol(_ symbol: String) -> Bool {
    messages?.contains { $0.symbol == symbol } ?? false
  }

  /// The reason why a test was skipped or canceled: its comment, or the quoted end of the message.
  var reason: String? {
    if let comments, !comments.isEmpty { return comments.joined(separator: "\n").withoutNul }
    guard let text = messages?.first?.text, text.hasSuffix(#"""#),
      let colon = text.firstRange(ofASCII: #": ""#)
    else { return nil }
    return String(text[colon.upperBound...].dropLast()).withoutNul
  }

  /// The arguments in a message: `n → 1` in `Test case passing 1 argument n → 1 to param(_:) started.`
  var argumentsInMessage: String? {
    guard let text = messages?.first?.text, let rest = text.dropping("Test case passing "),
      let space = rest.firstRange(ofASCII: rest.contains(" arguments ") ? " arguments " : " argument "),
      let end = rest.firstRanges(ofASCII: " to ").last, space.upperBound <= end.lowerBound
    else { return nil }
    return String(rest[space.upperBound..<end.lowerBound])
  }
}
