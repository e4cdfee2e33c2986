package import Model

/// What the newest integration in which a flaky test failed says about it.
package struct FlakyCase: Sendable {
  let title: String
  let message: String?
  let place: String?
  /// Which lines only the failed attempt ran.
  let different: String?
  /// The command that runs the test in a checkout until it fails.
  let command: String

  private init(_ test: IntegrationRecord.Case, of document: IntegrationRecord) {
    title = test.displayName ?? test.id.name
    let failed = test.failures.first
    message = ((test.attempts ?? []).lazy.compactMap(\.message).first ?? failed?.message).map {
      FailureLine.brief(of: $0)
    }
    let (file, line) = failed?.file == nil ? (test.file, test.line) : (failed?.file, failed?.line)
    place = file.flatMap { file in line.map { SourceLocation(file: file, line: $0).short } }
    let lines = document.coverage.changes?.linesOfFailedAttempt(of: test.id) ?? []
    different = lines.isEmpty ? nil : FlakyWords.onlyFailed(LinePlaces(lines))
    let result = TestResult(id: test.id, library: test.library, state: test.state)
    command = RepeatCommands(result, testCommand: document.tests.command).untilItFails
  }

  /// Returns the cases of tests in the documents of integrations, by test; the first document that has one counts.
  package static func all(of tests: Set<TestID>, in documents: [IntegrationRecord]) -> [TestID: FlakyCase] {
    var cases: [TestID: FlakyCase] = [:]
    for document in documents {
      for test in document.tests.cases where tests.contains(test.id) && cases[test.id] == nil {
        if test.flaky == true || test.state.isRed { cases[test.id] = FlakyCase(test, of: document) }
      }
    }
    return cases
  }
}
