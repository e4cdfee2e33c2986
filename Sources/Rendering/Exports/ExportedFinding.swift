import Model

/// One finding at one place, for formats that show findings beside the source.
struct ExportedFinding {
  enum Level: String {
    case error, warning
  }

  var kind: Issue.Kind
  /// The same for the same finding in every integration.
  var id: String
  var status: Issue.Status
  var test: TestID?
  var message: String
  /// Relative to the repository; absolute if it is outside.
  var file: String?
  var line: Int?
  var column: Int?
  /// Distinguishes the failures of one test, from 0.
  var ordinal = 0

  var level: Level { kind.level }

  /// Returns an integration's own findings, its issues in their order; a red test has one for each of its
  /// failures that belongs to the issue.
  static func all(of document: IntegrationRecord) -> [ExportedFinding] {
    let cases = Dictionary(document.tests.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let findings = document.findings
    let alike = Dictionary(findings.map { (Subject($0), 1) }, uniquingKeysWith: +)
    return findings.flatMap { issue in
      let test = issue.test.flatMap { cases[$0] }
      // If some of its failures are silenced, they belong to another issue of the same test.
      let isWhole = alike[Subject(issue)] == 1
      let failures = (test?.failures ?? []).filter { failure in
        isWhole || issue.findings?.contains(Fingerprint.of(failure.message)) == true
      }
      guard let test, !failures.isEmpty, issue.kind.level == .error else {
        return [finding(issue, of: test, in: document)]
      }
      return failures.enumerated().map { ordinal, failure in
        ExportedFinding(
          kind: issue.kind, id: issue.id, status: issue.status, test: issue.test, message: failure.message,
          file: (failure.file ?? test.file).map(document.repositoryPath),
          line: failure.file == nil ? test.line : failure.line, ordinal: ordinal)
      }
    }
  }

  /// The common key of a test's findings, unless some of them are silenced.
  private struct Subject: Hashable {
    var test: TestID?
    var kind: Issue.Kind

    init(_ issue: IntegrationRecord.FlatIssue) { (test, kind) = (issue.test, issue.kind) }
  }

  private static func finding(
    _ issue: IntegrationRecord.FlatIssue, of test: IntegrationRecord.Case?, in document: IntegrationRecord
  ) -> ExportedFinding {
    ExportedFinding(
      kind: issue.kind, id: issue.id, status: issue.status, test: issue.test, message: issue.message,
      file: (issue.file ?? test?.file).map(document.repositoryPath), line: issue.file == nil ? test?.line : issue.line,
      column: issue.column)
  }

  var isInRepository: Bool { file.map { !$0.hasPrefix("/") && !$0.isEmpty } ?? false }
}

extension Issue.Kind {
  var level: ExportedFinding.Level {
    switch self {
    case .error, .linkerError, .testFailure, .crash, .timeOut, .quit, .sanitizer, .gate, .triggerError, .serviceError:
      .error
    case .warning, .analyzerWarning, .serviceWarning: .warning
    }
  }
}
