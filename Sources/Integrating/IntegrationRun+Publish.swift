import FoundationEssentials
import Git
import Glibc
import Model
import Rendering

extension IntegrationRun {
  /// Writes the summary document and the report.
  func publish() throws(IntegratingError) -> FinishedIntegration {
    integration.endedAt = integrator.clock.now()
    // What the libraries and the runtime wrote themselves, past the log.
    for folder in [results, kept.folder("hangs")] { try folder.maskFiles(with: mask) }
    let publisher = Publisher(
      home: integrator.home, kept: kept, templates: integrator.templates, time: integrator.time,
      mask: mask)
    // The practice card needs it before, where the integration came so far.
    if integration.histories.isEmpty { tellTestHistory() }
    if !integration.tests.runs.isEmpty {
      let files = VerdictFiles(folder: integrator.home.integrations(of: integration.bot))
      try files.write(TestVerdicts(integration), mask: mask)
    }
    if let memory = following.result { try IssueMemoryFile(in: kept).write(memory, mask: mask) }
    return try publisher.publish(integration, scope: scope, isDirty: target.includesWorkingTree, report: report)
  }

  private func report() -> Report {
    let logs = Step.allCases.compactMap { step in
      kept.folder("log").read("\(step.rawValue).log").map { Report.Log(step: step, bytes: $0) }
    }
    var report = Report(integration: integration, logs: logs, sources: sources(), testSources: testSources())
    report.comparison = comparison()
    report.origins = origins
    return report
  }

  /// The text of every source that a page shows, as it was integrated.
  private func sources() -> [String: [UInt8]] {
    var paths = Set(testSources().keys)
    paths.formUnion(integration.coverage.coverage?.files.map(\.path) ?? [])
    paths.formUnion((integration.diagnostics + integration.analysis).compactMap(\.location?.file))
    paths.formUnion(
      integration.tests.results.flatMap { ($0.failures + $0.knownIssues + $0.warnings).compactMap(\.location?.file) })
    paths.formUnion(integration.tests.results.flatMap { $0.stacks.flatMap(\.frames).compactMap(\.location?.file) })
    var sources: [String: [UInt8]] = [:]
    for path in paths where !path.hasPrefix("/") {
      sources[path] = source(path)
    }
    return sources.merging(uncountedTexts()) { text, _ in text }
  }

  /// The text of a file of the package as it was integrated; behind a link, that of the file where the link leads.
  ///
  /// A file that the commit does not have, such as a generated one, has no text to show.
  func source(_ path: String) -> [UInt8]? {
    let inRepository = PackagePlace(target.package).inRepository(path)
    if let text = text(inRepository) { return text }
    // A link leads to nothing outside of the repository.
    let places =
      target.includesWorkingTree
      ? try? Repository.places(of: [inRepository], inFilesOf: workspace.checkout)
      : try? repository.places(of: [inRepository], in: target.commit)
    guard case .file(let place) = places?[inRepository], place != inRepository else { return nil }
    return text(place)
  }

  /// From the commit's blobs; for uncommitted changes from the workspace, which nobody else writes to.
  private func text(_ inRepository: String) -> [UInt8]? {
    if target.includesWorkingTree { return workspace.source.read(inRepository) }
    return submoduleSources[inRepository] ?? (try? repository.contents(of: inRepository, in: target.commit))
  }

  func testSources() -> [String: String] {
    var targets: [String: String] = [:]
    for target in model?.targets ?? [] where target.isTest {
      for path in target.sourcePaths { targets[path] = target.name }
    }
    return targets
  }
}
