import Model

/// One finding at one place, for formats that show findings beside the source.
struct ExportedFinding {
  enum Level: String {
    case error, warning
  }

  /// What findings of one sort have in common.
  enum Rule: Hashable {
    case issue(Issue.Kind)
    /// A test ended its process as if all were well. No issue follows it.
    case quit

    static let all = Issue.Kind.allCases.map(Rule.issue) + [.quit]

    var id: String {
      switch self {
      case .issue(let kind): kind.rawValue
      case .quit: "quit"
      }
    }

    var word: String {
      switch self {
      case .issue(let kind): kind.word
      case .quit: "quit"
      }
    }

    var level: Level {
      switch self {
      case .issue(let kind): kind.level
      case .quit: .error
      }
    }
  }

  var rule: Rule
  /// The same for the same finding in every integration.
  var id: String
  /// Nil if nothing follows it.
  var status: Issue.Status?
  var test: TestID?
  var message: String
  /// Relative to the repository; absolute if it is outside.
  var file: String?
  var line: Int?
  var column: Int?
  /// Distinguishes the failures of one test, from 0.
  var ordinal = 0

  var level: Level { rule.level }

  /// Returns an integration's own findings: the tests that ended their process, and its issues in their order; a red
  /// test has one for each of its failures that belongs to the issue.
  static func all(of document: IntegrationRecord) -> [ExportedFinding] {
    let cases = Dictionary(document.tests.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let findings = document.findings
    let alike = Dictionary(findings.map { (Subject($0), 1) }, uniquingKeysWith: +)
    return quits(of: document)
      + findings.flatMap { issue in
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
            rule: .issue(issue.kind), id: issue.id, status: issue.status, test: issue.test, message: failure.message,
            file: (failure.file ?? test.file).map(document.repositoryPath),
            line: failure.file == nil ? test.line : failure.line, ordinal: ordinal)
        }
      }
  }

  /// Returns one finding for each test that ended its process, however many of the required destinations have it.
  private static func quits(of document: IntegrationRecord) -> [ExportedFinding] {
    let counting = ([document] + (document.cells ?? [])).filter { $0.destination?.required != false }
    return counting.flatMap(\.tests.cases).filter { $0.quit != nil }.grouped(by: \.id).compactMap { tests in
      guard let test = tests.first, let quit = test.quit else { return nil }
      let end = quit.location
      return ExportedFinding(
        rule: .quit, id: "quit \(test.id)", test: test.id, message: quit.words.capitalizedFirst,
        file: (end?.file ?? test.file).map(document.repositoryPath), line: end == nil ? test.line : end?.line,
        column: end?.column)
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
      rule: .issue(issue.kind), id: issue.id, status: issue.status, test: issue.test, message: issue.message,
      file: (issue.file ?? test?.file).map(document.repositoryPath), line: issue.file == nil ? test?.line : issue.line,
      column: issue.column)
  }

  var isInRepository: Bool { file.map { !$0.hasPrefix("/") && !$0.isEmpty } ?? false }
}

extension Issue.Kind {
  var level: ExportedFinding.Level {
    switch self {
    case .error, .linkerError, .testFailure, .crash, .timeOut, .sanitizer, .gate, .triggerError, .serviceError: .error
    case .warning, .analyzerWarning, .serviceWarning: .warning
    }
  }
}
