package import Model

/// The results of running the tests with function bodies removed and conditions negated, `mutants.json`, for other programs.
///
/// It is stored beside `coverage.json`, both in the archive and in a report; paths are relative to the repository.
package struct MutantsDocument: Hashable, Sendable {
  /// The name and version of the format.
  package static let schemaName = "martlet.mutants/1"
  /// The name of the file.
  package static let fileName = "mutants.json"

  private let report: MutationReport
  private let commit: CommitID
  /// The folder of the package in the repository.
  private let package: String

  /// Creates the document of an integration; nil if it tried no mutants.
  package init?(_ integration: Integration) {
    guard let report = integration.coverage.coverage?.mutants?.value else { return nil }
    self.report = report
    commit = integration.commit.id
    package = integration.packagePath
  }

  /// The document as JSON, with one function or condition per line.
  package var text: String {
    JSONText.of(
      .object([
        "schema": .text(Self.schemaName),
        "commit": .text(commit.rawValue),
        "scope": .text(report.scope.rawValue),
        "functions": .list(report.functions.map { json($0, name: "name") }),
        "conditions": report.conditions.isEmpty ? nil : .list(report.conditions.map { json($0, name: "text") }),
      ]), openLevels: 2)
  }

  /// - Parameter name: the key of its name.
  private func json(_ subject: MutationReport.Subject, name: String) -> JSONValue {
    var mutants: [MutationReport.Mutant]?
    var omission: String?
    switch subject.verdict {
    case .judged(let all): mutants = all
    case .notJudged(let why): omission = why.rawValue
    }
    return .object([
      "path": .text(IntegrationRecord.repositoryPath(subject.path, package: package)),
      "line": .integer(subject.start.line),
      "column": .integer(subject.start.column),
      "lastLine": .integer(subject.end.line),
      "lastColumn": .integer(subject.end.column - 1),
      name: .text(subject.name),
      "tests": .integer(subject.tests),
      "changed": subject.isChanged ? .bool(true) : nil,
      "mutants": mutants.map { .list($0.map(json)) },
      "notJudged": omission.map { .text($0) },
    ])
  }

  /// Without `noticed`, the tests did not notice the mutant.
  private func json(_ mutant: MutationReport.Mutant) -> JSONValue {
    .object([
      "body": .text(mutant.replacement.rawValue),
      "noticed": mutant.notice.map { .text($0.rawValue) },
      "test": mutant.test.map { .text($0.description) },
    ])
  }
}
