import Model

/// The sources that pages quote, each highlighted once, with the addresses of their full texts.
struct ShownSources: Sendable {
  private static let mostIssues = 100

  private let sources: [String: HighlightedSource]
  private var links: @Sendable (String, Int?) -> String?

  /// Takes the sources of failures, of the declarations of red tests, and of build errors.
  ///
  /// - Parameter links: the page of a source, relative to the top of the report.
  init(_ report: Report, books: [LogBook], links: @escaping @Sendable (String, Int?) -> String?) {
    let tests = report.integration.tests.results.filter(TestPage.isNeeded)
    let failures = tests.flatMap { $0.failures + $0.knownIssues + ($0.arguments ?? []).flatMap(\.failures) }
    let calls = tests.flatMap(\.stacks).flatMap(\.frames)
    var paths = Set(tests.compactMap(\.location?.file))
    paths.formUnion(calls.compactMap(\.location?.file))
    paths.formUnion(failures.compactMap(\.location?.file))
    paths.formUnion(tests.compactMap(\.quit).flatMap { [$0.location, $0.calledFrom].compactMap(\.?.file) })
    paths.formUnion(tests.compactMap { report.integration.linesOfFailedAttempt(of: $0).first?.file })
    // The page of a red test quotes the changed line that speaks for who is suspected.
    paths.formUnion(report.integration.issues.prefix(Self.mostIssues).compactMap { $0.suspects.first?.place?.file })
    paths.formUnion(report.integration.worseCauses.values.compactMap { $0.suspect.place?.file })
    // Whether a line still stands where an earlier integration changed it.
    paths.formUnion(
      report.integration.issueRecords.filter(\.isOpen).prefix(Self.mostIssues).compactMap(\.suspectedHunk?.file))
    // The pages of issues quote the lines concerned.
    if !report.integration.issueRecords.isEmpty {
      paths.formUnion(report.integration.findings.prefix(Self.mostIssues).compactMap(\.location?.file))
      for gate in report.integration.gates {
        paths.formUnion(Set((gate.lines ?? []).map(\.file)).sorted().prefix(IssuePage.mostExcerpts))
      }
    }
    paths.formUnion(report.integration.diagnostics.filter { $0.severity == .error }.compactMap(\.location?.file))
    var sources: [String: HighlightedSource] = [:]
    for path in paths {
      if let bytes = report.sources[path] { sources[path] = HighlightedSource(bytes, path: path) }
    }
    self.sources = sources
    self.links = links
  }

  subscript(path: String) -> HighlightedSource? { sources[path] }

  /// Returns the page of a source, relative to the top of the report.
  func link(to path: String, line: Int? = nil) -> String? { links(path, line) }

  /// Returns the same with the pages of the report of a destination, for the sources that have some there.
  ///
  /// - Parameter root: the path from the top of the whole report to that of the destination's.
  func linked(to pages: CoveragePages, at root: String) -> ShownSources {
    var linked = self
    linked.links = { [links] path, line in pages.link(to: path, line: line).map { root + $0 } ?? links(path, line) }
    return linked
  }
}
