package import Model

/// The export of one integration to other programs.
package struct IntegrationExport: Sendable {
  let document: IntegrationRecord
  /// The coverage by lines; nil if it was not kept.
  let coverage: CoverageDocument?

  package init(_ document: IntegrationRecord, coverage: CoverageDocument?) {
    self.document = document.tellingGatesFromRepository
    self.coverage = coverage
  }

  /// Returns the file in the given format; the same integration always gives the same text.
  ///
  /// All paths are relative to the repository, even if the package is in a subfolder, because that is where the readers
  /// of these formats look for files.
  /// - Throws: an error if the format needs coverage, or coverage by lines, that the integration does not have.
  package func text(as format: ExportFormat, badge: BadgeSubject = .outcome) throws(ExportError) -> String {
    switch format {
    case .junit: return JUnitExport.text(document)
    case .sarif: return SARIFExport.text(document)
    case .markdown: return MarkdownExport(document, lines: coverage).text
    case .badge: return Badge(badge, of: document).text
    case .github: return GitHubExport.text(document)
    case .csv: return CSVExport.text(try files(for: format), of: document)
    case .json where !document.coverage.available:
      return CoverageDocument(unavailableFor: document).text
    case .json: return try lines(for: format).text
    case .lcov: return LCOVExport.text(try lines(for: format))
    case .cobertura: return CoberturaExport.text(try lines(for: format), timestamp: document.endedAt)
    case .sonar: return SonarExport.text(try lines(for: format))
    case .codecov: return CodecovExport.text(try lines(for: format))
    }
  }

  private func files(for format: ExportFormat) throws(ExportError) -> [IntegrationRecord.File] {
    guard document.coverage.available else { throw noCoverage(format) }
    return document.coverage.files ?? []
  }

  private func lines(for format: ExportFormat) throws(ExportError) -> CoverageDocument {
    guard document.coverage.available else { throw noCoverage(format) }
    guard let coverage, coverage.isAvailable else {
      throw ExportError(
        "cannot export \(name) as \(format.rawValue): there is no coverage.json beside its integration.json, so nobody knows how often its lines ran. Integrate the commit again, or choose a format that needs no lines: \(Self.formats { $0 != .coverageOfLines })."
      )
    }
    guard coverage.commit == document.commit.id, coverage.number == document.number else {
      throw ExportError(
        "cannot export \(name) as \(format.rawValue): the coverage.json beside its integration.json belongs to \(VisibleText.of(coverage.bot)) \(coverage.number). Copy the two files from one report."
      )
    }
    return coverage
  }

  private func noCoverage(_ format: ExportFormat) -> ExportError {
    let reason = document.coverage.reason.map { VisibleText.of($0) } ?? "No reason was recorded."
    return ExportError(
      "cannot export \(name) as \(format.rawValue): it has no coverage. \(reason) Formats without coverage are \(Self.formats { $0 == .nothing })."
    )
  }

  private var name: String { "\(VisibleText.of(document.bot)) \(document.number)" }

  private static func formats(where isFit: (ExportFormat.Need) -> Bool) -> String {
    CountText.list(ExportFormat.allCases.filter { isFit($0.need) }.map(\.rawValue))
  }
}

extension IntegrationRecord {
  /// Returns a path of the document, which is relative to the package, relative to the repository; absolute paths are
  /// unchanged.
  package func repositoryPath(_ path: String) -> String { Self.repositoryPath(path, package: package) }

  static func repositoryPath(_ path: String, package: String) -> String {
    PackagePlace(package).inRepository(path)
  }

  /// Returns the place of an issue or a failure, as compilers write it.
  func placeText(_ file: String?, _ line: Int?) -> String? {
    file.map { file in repositoryPath(file) + (line.map { ":\($0)" } ?? "") }
  }
}
