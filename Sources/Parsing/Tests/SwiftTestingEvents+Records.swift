import Model

extension SwiftTestingEvents {
  /// Takes the description of a suite or a test function.
  mutating func take(test payload: SwiftTestingRecord.Payload) {
    guard let id = payload.id else { return anomalies.note("A test was described without an ID.") }
    guard payload.kind == "function" else {
      if suites.count < bounds.tests { suites.insert(id) }
      return
    }
    guard indexes[id] == nil else { return anomalies.note("\(id) was described twice.") }
    guard tests.count < bounds.tests else {
      return anomalies.note("The event stream describes more than \(bounds.tests) tests; the others are left out.")
    }
    names.add(id)
    var test = SwiftTestingTestRecord(eventID: id, bounds: bounds)
    test.displayName = payload.displayName?.withoutNul.cut(to: bounds.name)
    test.tags = payload.experimental.tags.prefix(bounds.marks).map { $0.cut(to: bounds.name) }
    test.bugs = payload.experimental.bugs.prefix(bounds.marks).map { bug in
      TestBug(
        url: bug.url?.cut(to: bounds.name), id: bug.id?.cut(to: bounds.name),
        title: bug.title?.withoutNul.cut(to: bounds.name))
    }
    test.timeLimit = payload.experimental.timeLimit
    test.location = location(payload.sourceLocation)
    test.isParameterized = payload.isParameterized ?? false
    test.declare(cases: payload.experimental.testCases.compactMap(\.id))
    indexes[id] = tests.count
    tests.append(test)
  }

  /// Takes an event; kinds that this reader does not know are newer than it and are passed over.
  mutating func take(event: SwiftTestingRecord.Payload) {
    if hasRunEnded { anomalies.note("The event stream goes on after the end of the run.") }
    let index = event.testID.flatMap { indexes[$0] }
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
    guard let id = event.testID, !suites.contains(id) else { return }
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
      tests[index].hasEnded = true
      openTests.remove(index)
      if let id = names.testID(of: name) { onProgress(.ended(id, tests[index].state)) }
    }
  }

  /// Only parameterised tests have cases of their own; a test that cancels itself has a case event all the same.
  private mutating func changeCase(of index: Int, by event: SwiftTestingRecord.Payload) {
    guard tests[index].isParameterized else { return }
    let key = event.experimental.testCase?.id
    switch event.kind {
    case "testCaseStarted":
      let display = event.experimental.testCase?.displayName ?? event.argumentsInMessage ?? "?"
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
    return SourceLocation(file: relativise(path), line: line, column: place.column)
  }
}

extension SwiftTestingRecord.Payload {
  func hasSymbol(_ symbol: String) -> Bool {
    messages?.contains { $0.symbol == symbol } ?? false
  }

  /// Why a test was skipped or canceled: its comment, or the quoted end of the message.
  var reason: String? {
    if !experimental.comments.isEmpty { return experimental.comments.joined(separator: "\n").withoutNul }
    guard let text = messages?.first?.text, text.hasSuffix(#"""#),
      let colon = text.range(of: #": ""#, in: text.startIndex)
    else { return nil }
    return String(text[colon.upperBound...].dropLast()).withoutNul
  }

  /// `n → 1` of `Test case passing 1 argument n → 1 to param(_:) started.`
  var argumentsInMessage: String? {
    guard let text = messages?.first?.text, let rest = text.dropping("Test case passing "),
      let space = rest.range(of: rest.contains(" arguments ") ? " arguments " : " argument ", in: rest.startIndex),
      let end = rest.ranges(ofText: " to ").last, space.upperBound <= end.lowerBound
    else { return nil }
    return String(rest[space.upperBound..<end.lowerBound])
  }
}
