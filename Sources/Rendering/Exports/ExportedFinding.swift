import Model

/// One finding at one place, for formats that show findings beside the source.
struct ExportedFinding {
  enum Level: String {
    case error, warning
  }

  /// What it belongs to, whose id is the same for the same finding in every integration.
  var issue: IntegrationRecord.FlatIssue
  var message: String
  /// Relative to the repository; absolute if it is outside.
  var file: String?
  var line: Int?
  var column: Int?
  /// Distinguishes the failures of one test, from 0.
  var ordinal = 0
  /// The destination that did not build for it, and is not required; nil for any other.
  var optionalDestination: String?

  var level: Level { optionalDestination == nil ? issue.kind.level : .warning }

  /// Returns an integration's own findings, its issues in their order, then the errors of destinations that are not
  /// required; a red test has one for each of its failures that belongs to the issue.
  static func all(of document: IntegrationRecord) -> [ExportedFinding] {
    ofWhole(document) + errorsOfOptional(document)
  }

  /// Returns the build errors that only destinations have that are not required, each once.
  private static func errorsOfOptional(_ document: IntegrationRecord) -> [ExportedFinding] {
    var told = Set(document.findings.map(\.id))
    return (document.cells ?? []).filter { $0.destination?.required == false }.flatMap { cell in
      cell.findings.filter { [.error, .linkerError].contains($0.kind) && told.insert($0.id).inserted }.map { issue in
        var finding = finding(issue, of: nil, in: document)
        finding.optionalDestination = cell.destination?.name
        return finding
      }
    }
  }

  private static func ofWhole(_ document: IntegrationRecord) -> [ExportedFinding] {
    let results = results(of: document)
    let findings = document.findings
    let alike = Dictionary(findings.map { (Subject($0), 1) }, uniquingKeysWith: +)
    return findings.flatMap { issue in
      let test = result(of: issue, in: results)
      // If some of its failures are silenced, they belong to another issue of the same test.
      let isWhole = alike[Subject(issue)] == 1
      // Those of a test that passed in the end are of attempts.
      let failures = (test.flatMap { $0.state.isRed ? $0.failures : nil } ?? []).filter { failure in
        isWhole || issue.findings?.contains(Fingerprint.of(failure.message)) == true
      }
      guard let test, !failures.isEmpty, issue.kind.level == .error else {
        return [finding(issue, of: test, in: document)]
      }
      return failures.enumerated().map { ordinal, failure in
        ExportedFinding(
          issue: issue, message: failure.message, file: (failure.file ?? test.file).map(document.repositoryPath),
          line: failure.file == nil ? test.line : failure.line, ordinal: ordinal)
      }
    }
  }

  /// How the tests ended for a destination, whose name is empty where there is only one way to build.
  private typealias Results = (destination: String, tests: [TestID: IntegrationRecord.Case])

  /// Returns the results of the destinations that the findings are of: all that are required.
  private static func results(of document: IntegrationRecord) -> [Results] {
    let required = document.cells.map { ([document] + $0).filter { $0.destination?.required != false } }
    return (required ?? [document]).map { ($0.destination?.name ?? "", $0.tests.cases.keyed(by: \.id)) }
  }

  /// Returns the test of an issue for the first destination that has the issue and where it is red, otherwise for the
  /// first that has the issue; those for which it is older come last.
  private static func result(of issue: IntegrationRecord.FlatIssue, in results: [Results]) -> IntegrationRecord.Case? {
    guard let test = issue.test else { return nil }
    let cases = ([issue] + (issue.elsewhere ?? [])).flatMap { told in
      results.filter { told.destinations?.contains($0.destination) != false }.compactMap { $0.tests[test] }
    }
    return cases.first(where: \.state.isRed) ?? cases.first
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
      issue: issue, message: issue.message, file: (issue.file ?? test?.file).map(document.repositoryPath),
      line: issue.file == nil ? test?.line : issue.line, column: issue.column)
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
