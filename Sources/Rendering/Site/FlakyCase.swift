package import Model

/// What the newest integration in which a test was flaky says about it.
package struct FlakyCase: Sendable {
  let title: String
  let message: String?
  let place: String?
  /// How its attempts ended; nil if it ran once.
  let course: String?
  /// Which lines only the failed attempt ran.
  let different: String?
  /// The command that runs the test until it fails, and what it does.
  let again: (words: String, command: String)
  /// Who added a test that was flaky from its first run on, and where; nil if one of several commits did.
  private(set) var addition: TestAddition?

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
    let result = TestResult(test)
    course = result.attempts.count > 1 ? FlakyWords.attempts(of: result) : nil
    let commands =
      RepeatCommands(
        result, testCommand: document.tests.command, commit: document.workingTree == nil ? document.commit.id : nil,
        beside: document.tests.cases.filter { $0.id.module == test.id.module }.map(TestResult.init)
      )
    again = (commands.untilItFailsWords, commands.untilItFails)
  }

  /// Returns the cases of tests, each in the document of its last failure by chance, if that is among these; who added
  /// a test is in that of its first one.
  package static func all(of tests: [FlakyTest], in documents: [IntegrationRecord]) -> [TestID: FlakyCase] {
    var cases: [TestID: FlakyCase] = [:]
    for document in documents {
      let here = Set(tests.filter { $0.lastFailure == document.number }.map(\.id))
      for test in document.tests.cases where here.contains(test.id) {
        cases[test.id] = FlakyCase(test, of: document)
      }
    }
    for document in documents {
      for test in tests where test.since == document.number {
        cases[test.id]?.addition = document.addition(of: test.id)
      }
    }
    return cases
  }
}

extension TestResult {
  /// Takes of a case in a document how its attempts ended.
  fileprivate init(_ test: IntegrationRecord.Case) {
    self.init(id: test.id, library: test.library, state: test.state, attempts: test.attempts ?? [])
  }
}
