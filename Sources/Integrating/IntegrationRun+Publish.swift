import FoundationEssentials
import Git
import Glibc
import Model
import Processes
import Rendering

extension IntegrationRun {
  /// Writes the summary document and the report, each aside and then renamed into place.
  func publish() throws(IntegratingError) -> FinishedIntegration {
    integration.endedAt = integrator.clock.now()
    let document = mask.mask(try encodedDocument())
    let coverage = CoverageDocument(integration).map { mask.mask(Array($0.text.utf8)) }
    if let coverage { try kept.write(coverage, to: CoverageDocument.fileName) }
    try kept.write(document, to: "integration.json")
    try Ledger(in: integrator.home.integrations(of: integration.bot)).append(
      Ledger.Entry(
        number: integration.number, commit: integration.commit.id, outcome: integration.outcome, scope: scope,
        isDirty: target.includesWorkingTree))
    // Last, so that templates that fail lose a report and not the integration.
    let report = try writeReport(document, coverage)
    return FinishedIntegration(integration: integration, document: document, report: report)
  }

  private func encodedDocument() throws(IntegratingError) -> [UInt8] {
    do {
      return [UInt8](try IntegrationDocument.encoder.encode(IntegrationDocument(integration))) + [UInt8(ascii: "\n")]
    } catch {
      throw IntegratingError(
        .service,
        "cannot write the summary document of \(integration.bot) \(integration.number): \(error). This is a fault of Martlet; please report it."
      )
    }
  }

  /// Removes half-written reports of processes that were killed; their names end with the process's number.
  private static func removeOrphans(in site: Folder) {
    for name in site.names() where name.hasPrefix(".") && name.hasSuffix(".new") {
      let parts = name.split(separator: ".")
      guard parts.count == 3, let process = pid_t(parts[1]), kill(process, 0) != 0, errno == ESRCH else { continue }
      try? site.folder(name).remove()  // It only takes space.
    }
  }

  /// Renders the pages into a folder aside and renames it into the site.
  private func writeReport(_ document: [UInt8], _ coverage: [UInt8]?) throws(IntegratingError) -> Folder {
    let site = try integrator.home.site(of: integration.bot).create()
    Self.removeOrphans(in: site)
    let aside = site.folder(".\(integration.number).\(getpid()).new")
    let place = site.folder(String(integration.number))
    do {
      try aside.remove()
      try aside.create()
      var folders: Set<String> = []
      let renderer = ReportRenderer(
        templates: integrator.templates.library, assets: integrator.templates.assets, time: integrator.time)
      try renderer.render(report()) { path, bytes in
        if let end = path.lastIndex(of: "/"), folders.insert(String(path[..<end])).inserted {
          try aside.folder(String(path[..<end])).create()
        }
        try aside.create(path, mask.mask(bytes))
      }
      try aside.create("integration.json", document)
      if let coverage { try aside.create(CoverageDocument.fileName, coverage) }
      try aside.rename(to: place)
    } catch {
      try? aside.remove()  // What failed to be written is of no use; the first error is the one to tell.
      throw error as? IntegratingError
        ?? IntegratingError(
          .service, "\(error)\nThe results are kept in \(kept.path); only the report could not be made.")
    }
    return place
  }

  private func report() -> Report {
    let logs = Step.allCases.compactMap { step in
      kept.folder("log").read("\(step.rawValue).log").map { Report.Log(step: step, bytes: $0) }
    }
    return Report(integration: integration, logs: logs, sources: sources(), testSources: testSources())
  }

  /// The text of every source that a page shows, as it was integrated.
  private func sources() -> [String: [UInt8]] {
    var paths = Set(testSources().keys)
    paths.formUnion(integration.coverage.coverage?.files.map(\.path) ?? [])
    paths.formUnion(integration.diagnostics.compactMap(\.location?.file))
    paths.formUnion(integration.tests.results.flatMap { $0.failures.compactMap(\.location?.file) })
    paths.formUnion(integration.tests.results.flatMap { $0.stacks.flatMap(\.frames).compactMap(\.location?.file) })
    var sources: [String: [UInt8]] = [:]
    for path in paths where !path.hasPrefix("/") {
      sources[path] = source(path)
    }
    return sources
  }

  /// From the commit's blobs; for uncommitted changes from the workspace, which nobody else writes to.
  func source(_ path: String) -> [UInt8]? {
    let inRepository = target.package == "." ? path : "\(target.package)/\(path)"
    if target.includesWorkingTree { return workspace.source.read(inRepository) }
    if let text = submoduleSources[inRepository] { return text }
    // A file that the commit does not have, such as a generated one, has no text to show.
    return try? repository.contents(of: inRepository, in: target.commit)
  }

  func testSources() -> [String: String] {
    var targets: [String: String] = [:]
    for target in model?.targets ?? [] where target.isTest {
      for path in target.sourcePaths { targets[path] = target.name }
    }
    return targets
  }
}
