import Model

extension SwiftTestingEvents {
  /// Files an issue with its test and its case: as a failure, a known issue or a warning.
  mutating func record(_ event: SwiftTestingRecord.Payload, in index: Int?) {
    let messages = event.messages ?? []
    let texts = messages.isEmpty ? event.experimental.comments : messages.compactMap(\.text)
    let message = room.keep(texts.joined(separator: "\n").withoutNul)
    let comments = messages.filter { $0.symbol == "details" }.compactMap(\.text)
    let place = location(event.issue?.sourceLocation ?? event.experimental.sourceLocation)
    let note = comments.isEmpty ? nil : comments.joined(separator: "\n").withoutNul.cut(to: bounds.message)
    let isKnown = event.issue?.isKnown ?? false
    let isFailure = !isKnown && (event.issue?.isFailure ?? (event.issue?.severity != "warning"))
    // "Issue recorded" says nothing where the author does.
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
    file(failure, of: index, case: event.experimental.testCase?.id, isKnown: isKnown, isFailure: isFailure)
    for line in ((place.map { "\($0): " } ?? "") + message).split(separator: "\n", omittingEmptySubsequences: false) {
      append(TranscriptLine(kind: isFailure ? .failure : .event, text: String(line)), to: index)
    }
  }

  private mutating func file(
    _ failure: TestFailure, of index: Int, case key: String?, isKnown: Bool, isFailure: Bool
  ) {
    guard isKnown || isFailure else { return tests[index].warnings.add(failure, within: &room) }
    if isKnown {
      tests[index].knownIssues.add(failure, within: &room)
    } else {
      tests[index].failures.add(failure, within: &room)
    }
    var ofCase = room
    guard tests[index].isParameterized else { return }
    let isFiled =
      key != nil
      && tests[index].changeCase(key) { testCase in
        if isKnown {
          testCase.knownIssues.add(failure, within: &ofCase)
        } else {
          testCase.failures.add(failure, within: &ofCase)
        }
      }
    if !isFiled { tests[index].hasIssueOutsideCases = true }
  }

  /// Files what a test left beside its results, with the path that the library says it wrote it to.
  mutating func attach(_ event: SwiftTestingRecord.Payload, to index: Int?) {
    guard let index, let attached = event.experimental.attachment else { return }
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
      attachment.caseName = event.experimental.testCase?.displayName?.withoutNul.cut(to: bounds.name)
    }
    tests[index].attachments.append(attachment)
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
        for failure in tests[index].failures.all { unattributed.add(failure, within: &room) }
        continue
      }
      run.results.append(tests[index].result(id: id))
      if tests[index].isOpen { run.openTests.append(id) }
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

  /// A test that the library calls failed is failed, even if the record of the issue itself was lost.
  private mutating func addFailureThatWasOnlyAnnounced(_ index: Int) {
    guard tests[index].endedAsFailed, tests[index].failures.isEmpty else { return }
    anomalies.note("\(tests[index].eventID) was called failed, but its failure is not in the event stream.")
    let failure = TestFailure(location: tests[index].location, message: "Swift Testing called the test failed.")
    tests[index].failures.add(failure, within: &room)
  }
}
