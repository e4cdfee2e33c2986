package import Model

/// The results of an XCTest process, assembled from the reports of an observer in it.
///
/// Printed text cannot affect the outcome. The console only supplies what XCTest does not report to its observers: why
/// a test was skipped, and what was printed while it ran.
package struct XCTestObservation: Sendable {
  private let asked: Set<TestID>
  private let bounds: Bounds
  private var room: FailureRoom
  /// The number of tests that ran without having been requested.
  private var unasked = 0
  private let relativise: @Sendable (String) -> String?
  private let onProgress: @Sendable (TestProgress) -> Void
  private(set) var cases: [XCTestObservedCase] = []
  private var indexes: [XCTestObservedCase.Name: Int] = [:]
  /// The running tests, the outermost first, because a test can run others.
  private var running: [(name: XCTestObservedCase.Name, index: Int?)] = []
  private var counts = (started: UInt64(0), finished: UInt64(0), issues: UInt64(0))
  /// The counts without tests that other tests run, and without their failures.
  private var outer = (started: 0, issues: 0)
  private var hasBundleStarted = false
  private var isComplete = false
  /// The call with which the process was about to end.
  private var exit: ObservedExit?
  private(set) var unattributed = KeptFailures()
  private var anomalies = Anomalies()

  /// - Parameters:
  ///   - asked: the tests that the process was asked to run.
  ///   - relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  package init(
    asked: [TestID], bounds: Bounds = .standard, relativise: @escaping @Sendable (String) -> String?,
    onProgress: @escaping @Sendable (TestProgress) -> Void = { _ in }
  ) {
    self.asked = Set(asked)
    self.bounds = bounds
    room = FailureRoom(bounds)
    self.relativise = relativise
    self.onProgress = onProgress
  }

  /// Handles the next authentic record.
  package mutating func take(_ record: ObserverRecord) {
    var fields = ObserverFields(record)
    let isOver = isComplete
    switch record.kind {
    case .ready, .failed, .streamOpened, .events, .connected, .counters, .counted, .valuesFollowed, .valueStarted,
      .valueFinished, .valueMissed, .programsRun, .startedAt, .mutantRun, .threads:
      return
    case .exit:
      exit = exit ?? ObservedExit(record)
      return
    case .intrusion:
      anomalies.note("A test called Martlet's observer of XCTest itself.")
      return
    case .bundleStarted:
      if hasBundleStarted { anomalies.note("XCTest began a second run inside the first.") }
      hasBundleStarted = true
    case .bundleFinished: finishBundle(&fields)
    case .suiteIssue:
      _ = fields.text()
      counts.issues &+= 1
      outer.issues += 1
      if let failure = failure(&fields) { unattributed.add(failure, within: &room) }
    case .testStarted: if let name = XCTestObservedCase.Name(&fields) { start(name) }
    case .testIssue: if let name = XCTestObservedCase.Name(&fields) { note(failure(&fields), of: name) }
    case .testFinished: if let name = XCTestObservedCase.Name(&fields) { finish(name, &fields) }
    }
    if isOver { anomalies.note("XCTest's observer reported more after the end of the run.") }
  }

  // MARK: Tests

  private mutating func start(_ name: XCTestObservedCase.Name) {
    counts.started &+= 1
    if let outer = running.first {
      running.append((name, nil))
      if let id = name.id, asked.contains(id) {
        anomalies.note("\(id) was started while \(outer.name) was running.")
      }
      return
    }
    outer.started += 1
    if let index = indexes[name] {
      anomalies.note("\(name) was started twice.")
      cases[index].hasEnded = false
      running.append((name, index))
      return
    }
    if name.id.map(asked.contains) != true {
      anomalies.note("\(name) ran although it was not asked for.")
      unasked += 1
      // Later ones are not kept, so that XCTest's own numbers disagree with the results.
      guard unasked <= bounds.unasked else { return running.append((name, nil)) }
    }
    indexes[name] = cases.count
    running.append((name, cases.count))
    cases.append(XCTestObservedCase(name: name))
    if let id = name.id { onProgress(.started(id)) }
  }

  private mutating func note(_ failure: TestFailure?, of name: XCTestObservedCase.Name) {
    counts.issues &+= 1
    if running.last(where: { $0.name == name }).map({ $0.index != nil }) ?? true { outer.issues += 1 }
    guard let failure else { return }
    if let test = running.last(where: { $0.name == name }) {
      if let index = test.index { cases[index].failures.add(failure, within: &room) }
    } else if let index = indexes[name] {
      anomalies.note("A failure of \(name) was recorded while that test was not running.")
      cases[index].failures.add(failure, within: &room)
    } else {
      unattributed.add(failure, within: &room)
    }
  }

  private mutating func finish(_ name: XCTestObservedCase.Name, _ fields: inout ObserverFields) {
    // An incomplete record does not show whether the test failed.
    guard let skipped = fields.number(), let failures = fields.number(), let duration = fields.number() else { return }
    counts.finished &+= 1
    guard let last = running.last, last.name == name else {
      return anomalies.note("\(name) ended without having started.")
    }
    running.removeLast()
    guard let index = last.index else { return }
    cases[index].hasEnded = true
    cases[index].isSkipped = skipped == 1
    cases[index].failureCount = Int(clamping: failures)
    cases[index].duration = Double(bitPattern: duration)
    if let contradiction = cases[index].contradiction { anomalies.note(contradiction) }
    if let id = name.id { onProgress(.ended(id, cases[index].state)) }
  }

  private mutating func failure(_ fields: inout ObserverFields) -> TestFailure? {
    guard let file = fields.text(), let line = fields.number(), let text = fields.text() else { return nil }
    let message = room.keep(text)
    let isPlace = !file.isEmpty && !file.hasPrefix("<") && line > 0
    return TestFailure(
      location: isPlace ? SourceLocation(file: relativise(file) ?? file, line: Int(clamping: line)) : nil,
      message: message,
      parsed: FailureMessage.xctest(message))
  }

  // MARK: The end

  private mutating func finishBundle(_ fields: inout ObserverFields) {
    let said = (fields.number(), fields.number(), fields.number())
    if let open = running.first {
      return anomalies.note("XCTest's end was reported while \(open.name) was running.")
    }
    guard said.0 == counts.started, said.1 == counts.finished, said.2 == counts.issues else {
      return anomalies.note(
        """
        XCTest's observer counted \(XCTestFrame.words(tests: said.0 ?? 0, failures: said.2 ?? 0)), \
        but \(XCTestFrame.words(tests: counts.started, failures: counts.issues)) were reported.
        """)
    }
    isComplete = true
  }

  /// Compares the reported end with the two other sources of evidence: XCTest ends the process itself, with a status
  /// that says whether there was any failure, and prints the numbers of tests and failures.
  private mutating func weighTheEnd(_ totals: XCTestFrame.Totals?) {
    guard isComplete else { return }
    if let exit, !exit.endsRun {
      anomalies.note("XCTest's end was reported, and then the process was ended by \(exit.words).")
    }
    if let exit, exit.endsRun, (exit.status == 0) != (outer.issues == 0) {
      anomalies.note(
        "XCTest ended with status \(exit.status), but \(CountText.counted(outer.issues, "failure was", "failures were")) reported."
      )
    }
    // A test may have closed its output, in which case there are no totals.
    if let totals, totals.tests != outer.started || totals.failures != outer.issues {
      anomalies.note(
        """
        XCTest printed that there were \(XCTestFrame.words(tests: totals.tests, failures: totals.failures)), \
        but \(XCTestFrame.words(tests: outer.started, failures: outer.issues)) were reported.
        """)
    }
  }

  /// Returns the results after the last record.
  mutating func result(printed: XCTestPrinted) -> ParsedTestRun {
    var run = ParsedTestRun(library: .xctest, source: "observer")
    var printed = printed
    for test in cases {
      let text = printed.next(test.name.consoleName)
      if let result = test.result(text) {
        run.results.append(result)
      } else {
        run.unattributedFailures += test.failures.all
      }
    }
    if let open = running.first, let id = open.name.id { run.openTests = [id] }
    weighTheEnd(printed.totals)
    run.sawTerminalRecord = isComplete
    run.unattributedFailures += unattributed.all
    if unattributed.leftOut > 0 { anomalies.note(unattributed.sentence(of: .xctest)) }
    run.looseOutput = printed.loose
    run.anomalies = anomalies.sentences + printed.imitations
    return run
  }
}
