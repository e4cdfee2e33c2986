import Model

/// What the reports of sanitizers add to a log: they make a test red that prints that it passed.
extension LogRemarks {
  /// Returns the report of a sanitizer that begins on a line, with its test and its place if no other report begins alike.
  func report(on head: LogBook.Line, of tests: [TestResult]) -> LogFinding? {
    guard let sanitizer = LogKinds.sanitizer(head.bytes) else { return nil }
    let known = tests.flatMap { test in
      test.sanitizerReports.filter { head.bytes.elementsEqual($0.headline.utf8) }.map { (test: test.id, report: $0) }
    }
    let only = known.count == 1 ? known[0] : nil
    return LogFinding(
      kind: .report, number: head.number, text: head.text, place: only?.report.location, test: only?.test,
      sanitizer: sanitizer, isSilenced: only.map { silenced.contains($0.test) } ?? false)
  }

  /// Returns the numbers of the lines that say that a test passed which such a report made red.
  static func passedThoughRed(_ tests: [TestResult], in lines: [LogBook.Line]) -> Set<Int> {
    let marks = tests.filter { $0.state.isRed && !$0.sanitizerReports.isEmpty }.flatMap { test in
      ["Test \(printed(test)) passed after", "Test Case '\(test.id.suite).\(test.id.name)' passed"]
    }
    return marks.isEmpty ? [] : Set(lines.filter { $0.holds(marks) }.map(\.number))
  }
}
