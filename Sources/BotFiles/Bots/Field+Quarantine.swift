import Model

extension Field {
  /// Reads the tests whose failures do not count for a while.
  func quarantine() -> [QuarantinedTest]? {
    list(Self.example) { $0.quarantinedTest() }
  }

  private static let example = "[{test: GreeterTests.slow(), reason: depends on the time of day, until: 2027-12-24}]"

  private func quarantinedTest() -> QuarantinedTest? {
    guard let fields = fields(String(Self.example.dropFirst().dropLast())) else { return nil }
    let (test, reason, until) = (fields.field("test"), fields.field("reason"), fields.field("until"))
    fields.finish()
    for (key, field) in [("test", test), ("reason", reason), ("until", until)] where field == nil {
      return refuse("each of 'quarantine' needs '\(key)', such as \(Self.example.dropFirst().dropLast())")
    }
    guard let id = test?.testName(), let text = reason?.text("why the test need not count"), let day = until?.day()
    else {
      return nil
    }
    return QuarantinedTest(test: id, reason: text, lastDay: day)
  }

  private func testName() -> TestID? {
    let expectation = "the full name of a test such as GreeterTests.slow() or GreeterTests.SlowTests/testAll"
    return text(expectation).flatMap { TestID($0) ?? expected(expectation) }
  }

  private func day() -> String? {
    let expectation = "a day such as 2027-12-24"
    return text(expectation).flatMap { LastDay($0)?.text ?? expected(expectation) }
  }
}
