import Model

extension SwiftTestingEvents {
  /// Files an issue with its test and its case: as a failure, a known issue or a warning.
  mutating func record(_ event: SwiftTestingRecord.Payload, in index: Int?) {
    let messages = event.messages ?? []
    let texts = messages.isEmpty ? event.experimental.comments : messages.compactMap(\.text)
    let message = texts.joined(separator: "\n").withoutNul
    let comments = messages.filter { $0.symbol == "details" }.compactMap(\.text)
    let place = location(event.issue?.sourceLocation ?? event.experimental.sourceLocation)
    let note = comments.isEmpty ? nil : comments.joined(separator: "\n").withoutNul
    let isKnown = event.issue?.isKnown ?? false
    let isFailure = !isKnown && (event.issue?.isFailure ?? (event.issue?.severity != "warning"))
    // "Issue recorded" says nothing where the author does.
    let isOnlyNote = !isKnown && !isFailure && texts.first == "Issue recorded"
    let failure = TestFailure(
      location: place, message: isOnlyNote ? note ?? message : message,
      anatomy: isOnlyNote ? nil : FailureMessage.swiftTesting(headline: (texts.first ?? "").withoutNul, note: note))
    guard let index else {
      if isFailure { unattributed.append(failure) }
      return
    }
    file(failure, of: index, case: event.experimental.testCase?.id, isKnown: isKnown, isFailure: isFailure)
    tests[index].transcript.append(isFailure ? .failure : .event, (place.map { "\($0): " } ?? "") + message)
  }

  private mutating func file(
    _ failure: TestFailure, of index: Int, case key: String?, isKnown: Bool, isFailure: Bool
  ) {
    guard isKnown || isFailure else { return tests[index].warnings.append(failure) }
    if isKnown { tests[index].knownIssues.append(failure) } else { tests[index].failures.append(failure) }
    guard tests[index].isParameterized else { return }
    let isFiled =
      key != nil
      && tests[index].changeCase(key) { testCase in
        if isKnown { testCase.knownIssues.append(failure) } else { testCase.failures.append(failure) }
      }
    if !isFiled { tests[index].hasIssueOutsideCases = true }
  }

  /// Files what a test left beside its results, with the path that the library says it wrote it to.
  mutating func attach(_ event: SwiftTestingRecord.Payload, to index: Int?) {
    guard let index, let attached = event.experimental.attachment else { return }
    guard tests[index].attachments.count < Self.mostAttachments else { return }
    let fallback = attached.path?.split(separator: "/").last.map(String.init)
    var attachment = TestAttachment(name: (attached._preferredName ?? fallback ?? "attachment").withoutNul)
    attachment.path = attached.path
    if attached.path == nil { attachment.problem = "Swift Testing did not write it to a file." }
    if tests[index].attachments.count == Self.mostAttachments - 1 {
      attachment.path = nil
      attachment.problem =
        "A test may have \(Self.mostAttachments - 1) attachments; this one and later ones are not kept."
    }
    if tests[index].isParameterized { attachment.caseName = event.experimental.testCase?.displayName?.withoutNul }
    tests[index].attachments.append(attachment)
  }

  private static var mostAttachments: Int { 1000 }

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
