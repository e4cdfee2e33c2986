import Model

/// What the results of the tests add to the lines of their log.
///
/// What is printed does not tell tests of the same name apart; nothing is added to their lines.
struct LogRemarks {
  /// The maximum number of tests that crashed or took too long, and of those that ran again.
  private static let most = (unended: 10, again: 100)

  /// The tests that crashed or took too long, each with the line on which it began.
  let unended: [(number: Int, text: String)]
  /// How all attempts of a test ended, by the numbers of the lines on which it failed.
  let courses: [Int: String]

  init(_ lines: [LogBook.Line], of tests: [TestResult]) {
    let named = Dictionary(grouping: tests, by: \.title)
    let alone = tests.filter { named[$0.title]?.count == 1 }
    unended = alone.filter { [.crashed, .timedOut].contains($0.state) }.prefix(Self.most.unended).compactMap { test in
      let starts = ["Test \(Self.printed(test)) started", "Test Case '\(test.id.suite).\(test.id.name)' started"]
      let line = lines.last { $0.holds(starts) }
      return line.map { ($0.number, "\(test.title) \(test.state.past)") }
    }
    let again = alone.filter { $0.attempts.count > 1 }.prefix(Self.most.again).compactMap { test in
      FlakyWords.attempts(of: test).map { (course: $0, marks: Self.failures(of: test)) }
    }
    var courses: [Int: String] = [:]
    for line in again.isEmpty ? [] : lines where line.kind == .error && line.isHead {
      courses[line.number] = again.first { line.holds($0.marks) }?.course
    }
    self.courses = courses
  }

  private static func printed(_ test: TestResult) -> String { test.displayName.map { "\"\($0)\"" } ?? test.id.name }

  /// How the libraries begin a line about a failure of the test.
  private static func failures(of test: TestResult) -> [String] {
    ["Test \(printed(test)) recorded an issue", " error: \(test.id.suite).\(test.id.name) : "]
  }
}

extension LogBook.Line {
  /// Returns whether the line contains one of the texts.
  fileprivate func holds(_ texts: [String]) -> Bool {
    texts.contains { bytes.firstRange(ofBytes: Array($0.utf8)) != nil }
  }
}
