import Model

extension IntegrationRun {
  /// Returns the places in the package that an issue names: its own, the lines of a gate, the accesses of a sanitizer's
  /// report, the stack frames in the package, and the lines of the functions in which a process ended, and of its test.
  func places(of issue: Issue, in integration: Integration) -> [SourceLocation] {
    let result = issue.test.flatMap { test in integration.tests.results.first { $0.id == test } }
    let frames = (result?.stacks ?? []).flatMap(\.frames).filter(\.isOwn).compactMap(\.location)
    var places: [SourceLocation] = []
    let lines = (issue.failedGate?.lines ?? []).prefix(SuspectEvidence.mostGateLines)
    let called = frames.prefix(SuspectEvidence.mostFrames)
    let own =
      issue.kind.endsProcess
      ? called.flatMap { self.lines(ofFunctionAt: $0, in: integration) } + (result.map(ownLines) ?? []) : []
    let accesses = (result?.sanitizerReports ?? integration.tests.sanitizerReports)
      .filter { $0.isTold(by: issue) }.flatMap(\.accesses)
    for place in [issue.location].compactMap(\.self) + lines + accesses + called + own
    where !places.contains(where: { $0.file == place.file && $0.line == place.line }) && !place.file.hasPrefix("/") {
      places.append(place)
    }
    return places
  }
}

extension Issue.Kind {
  /// Whether it is that of a test that ended its process, or had to be ended with it.
  fileprivate var endsProcess: Bool { [.crash, .timeOut, .quit].contains(self) }
}
