import Model

extension SwiftTestingEvents {
  /// Files an issue with its test and its case: as a failure, a known issue or, for a warning, a line of the
  /// transcript.
  mutating func record(_ event: SwiftTestingRecord.Payload, in index: Int?) {
    let messages = event.messages ?? []
    let texts = messages.isEmpty ? event.experimental.comments : messages.compactMap(\.text)
    let message = texts.joined(separator: "\n").withoutNul
    let comments = messages.filter { $0.symbol == "details" }.compactMap(\.text)
    let place = location(event.issue?.sourceLocation ?? event.experimental.sourceLocation)
    let note = comments.isEmpty ? nil : comments.joined(separator: "\n").withoutNul
    let failure = TestFailure(
      location: place, message: message,
      anatomy: FailureMessage.swiftTesting(headline: (texts.first ?? "").withoutNul, note: note))
    let isKnown = event.issue?.isKnown ?? false
    let isFailure = !isKnown && (event.issue?.isFailure ?? (event.issue?.severity != "warning"))
    guard let index else {
      if isFailure { unattributed.append(failure) }
      return
    }
    file(failure, of: index, case: event.experimental.testCase?.id, isKnown: isKnown, isFailure: isFailure)
    tests[index].transcript.append(event: (place.map { "\($0): " } ?? "") + message)
  }

  private mutating func file(
    _ failure: TestFailure, of index: Int, case key: String?, isKnown: Bool, isFailure: Bool
  ) {
    guard isKnown || isFailure else { return }
    if isKnown { tests[index].knownIssues.append(failure) } else { tests[index].failures.append(failure) }
    guard tests[index].isParameterized else { return }
    let isFiled =
      key != nil
      && tests[index].changeCase(key) { testCase in
        if isKnown { testCase.knownIssues.append(failure) } else { testCase.failures.append(failure) }
      }
    if !isFiled { tests[index].hasIssueOutsideCases = true }
  }

  /// Puts the results together after the last record.
  mutating func result() -> ParsedTestRun {
    var run = ParsedTestRun(library: .swiftTesting, source: "event-stream")
    var failures = unattributed.count
    for index in tests.indices {
      addFailureThatWasOnlyAnnounced(index)
      failures += tests[index].failures.count
      guard let id = names.testID(of: tests[index].eventID) else {
        anomalies.note("'\(tests[index].eventID)' is no test name.")
        unattributed += tests[index].failures
        continue
      }
      run.results.append(tests[index].result(id: id))
      if tests[index].isOpen { run.openTests.append(id) }
    }
    if runEndedAsFailed, failures == 0 {
      anomalies.note("Swift Testing called the run failed, but no failure was recorded.")
    }
    run.sawTerminalRecord = hasRunEnded && openTests.isEmpty && !(runEndedAsFailed && failures == 0)
    run.unattributedFailures = unattributed
    run.looseOutput = loose.lines
    run.anomalies = anomalies.sentences
    return run
  }

  /// A test that the library calls failed is failed, even if the record of the issue itself was lost.
  private mutating func addFailureThatWasOnlyAnnounced(_ index: Int) {
    guard tests[index].endedAsFailed, tests[index].failures.isEmpty else { return }
    anomalies.note("\(tests[index].eventID) was called failed, but its failure is not in the event stream.")
    tests[index].failures.append(
      TestFailure(location: tests[index].location, message: "Swift Testing called the test failed."))
  }
}
