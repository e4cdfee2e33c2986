package import Model

/// The tests that ran each line, `test-map.json.gz`, for other programs.
///
/// It is stored beside `coverage.json`, both in the archive and in a report. Tests and sets of tests are identified by
/// their indices in their lists, from 0; paths are relative to the repository.
package struct TestMapDocument: Hashable, Sendable {
  /// The name and version of the format.
  package static let schemaName = "martlet.test-map/1"
  /// The name of the file.
  package static let fileName = "test-map.json.gz"

  private let map: TestMap
  private let commit: CommitID
  /// The folder of the package in the repository.
  private let package: String

  /// Creates the map of an integration; nil if it has none.
  package init?(_ integration: Integration) {
    guard let map = integration.coverage.coverage?.testMap?.value else { return nil }
    self.map = map
    commit = integration.commit.id
    package = integration.packagePath
  }

  /// The document as JSON, with one test, set or file per line.
  package var text: String {
    JSONText.of(
      .object([
        "schema": .text(Self.schemaName),
        "commit": .text(commit.rawValue),
        "gaps": map.gaps.isEmpty ? nil : .list(map.gaps.map { .text($0) }),
        "tests": .list(map.tests.map { .text($0.description) }),
        "sets": .list(map.sets.map { .list($0.map { .integer($0) }) }),
        "values": map.values.map { .list($0.map(json)) },
        "files": .list(map.files.sorted { $0.key < $1.key }.map(json)),
      ]), openLevels: 2)
  }

  /// The name of a global or a static property with its module, the type around it and its own, and the first and the
  /// last line of what ran to make its value.
  private func json(value: TestMap.Value) -> JSONValue {
    .object([
      "name": .text(value.name),
      "module": value.module.map { .text($0) },
      "owner": value.owner.map { .text($0) },
      "type": value.type.map { .text($0) },
      "ran": value.ran.isEmpty
        ? nil
        : .list(
          value.ran.sorted { $0.key < $1.key }.map { path, lines in
            .object([
              "path": .text(IntegrationRecord.repositoryPath(path, package: package)),
              "lines": .list(lines.map { .list([.integer($0.lowerBound), .integer($0.upperBound)]) }),
            ])
          }),
    ])
  }

  /// For lines, the first, the last and their set, for lines that ran in the tests' own processes the same, where programs
  /// that tests started ran some of the file as well; for parts of lines that differ in their tests, the line, the column
  /// from which on and their set; for shared lines, which run once per process, and for those that ran outside of tests,
  /// the first and the last; for functions, the line and column of the beginning, and their set.
  private func json(path: String, file: TestMap.File) -> JSONValue {
    func list(_ lines: [TestMap.Lines]) -> JSONValue {
      .list(lines.map { .list([.integer($0.lines.lowerBound), .integer($0.lines.upperBound), .integer($0.set)]) })
    }
    func list(_ lines: [ClosedRange<Int>]) -> JSONValue? {
      lines.isEmpty ? nil : .list(lines.map { .list([.integer($0.lowerBound), .integer($0.upperBound)]) })
    }
    return .object([
      "path": .text(IntegrationRecord.repositoryPath(path, package: package)),
      "lines": list(file.lines),
      "inProcess": file.inProcess.map(list),
      "parts": file.parts.isEmpty
        ? nil
        : .list(file.parts.map { .list([.integer($0.start.line), .integer($0.start.column), .integer($0.set)]) }),
      "shared": list(file.once),
      "outside": list(file.outside),
      "functions": .list(
        file.functions.map { .list([.integer($0.start.line), .integer($0.start.column), .integer($0.set)]) }),
    ])
  }
}
