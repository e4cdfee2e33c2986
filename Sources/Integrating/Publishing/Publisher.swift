import FoundationEssentials
import Glibc
import Model
import Processes
import Rendering

/// Writes what is kept of a finished integration, and its report.
struct Publisher {
  let home: Home
  /// The folder of what is kept of the integration.
  let kept: Folder
  let templates: ReportTemplates
  let time: LocalTime
  /// Keeps secrets out of what is written.
  var mask = SecretMask([])

  /// Writes the summary document, the line in the ledger and the report, each aside and then renamed into place.
  ///
  /// - Parameters:
  ///   - scope: what must be equal for two integrations to be comparable.
  ///   - report: gathers what the pages need.
  func publish(_ integration: Integration, scope: String, isDirty: Bool, report: () -> Report)
    throws(IntegratingError) -> FinishedIntegration
  {
    let document = mask.mask(try encodedDocument(integration))
    let coverage = CoverageDocument(integration).map { mask.mask(Array($0.text.utf8)) }
    // Made ready aside before the document says that the integration is finished: should this process be killed, the
    // next one has only to rename it. A disk that does not take the report has not got a finished integration.
    let prepared = try prepare(report(), document, coverage)
    do throws(IntegratingError) {
      if let coverage { try kept.write(coverage, to: CoverageDocument.fileName) }
      try kept.write(document, to: StoredIntegration.fileName)
      try Ledger(in: home.integrations(of: integration.bot)).append(
        Ledger.Entry(
          number: integration.number, commit: integration.commit.id, outcome: integration.outcome, scope: scope,
          isDirty: isDirty, branchKey: integration.branch.map(FileSystemName.encode)))
      try History(in: home.integrations(of: integration.bot)).append(HistoryLine(integration), mask: mask)
    } catch {
      // Without the document the report only takes space; the first error is the one to tell.
      if case .report(let aside) = prepared, !kept.holds(StoredIntegration.fileName) { try? aside.remove() }
      throw error
    }
    let place = home.site(of: integration.bot).folder(String(integration.number))
    switch prepared {
    case .report(let aside): try aside.rename(to: place)
    case .failure(let error): throw error
    }
    return FinishedIntegration(integration: integration, document: document, report: place)
  }

  private func encodedDocument(_ integration: Integration) throws(IntegratingError) -> [UInt8] {
    do {
      return [UInt8](try IntegrationDocument.encoder.encode(IntegrationDocument(integration))) + [UInt8(ascii: "\n")]
    } catch {
      throw IntegratingError(
        .service,
        "cannot write the summary document of \(integration.bot) \(integration.number): \(error). This is a fault of Martlet; please report it."
      )
    }
  }

  /// What came of rendering the pages.
  private enum Prepared {
    /// They lie in a folder aside.
    case report(Folder)
    /// Templates that fail lose a report and not the integration.
    case failure(IntegratingError)
  }

  /// Renders the pages into a folder aside. It is whole when it holds the summary document.
  /// - Throws: when the folder cannot be written.
  private func prepare(
    _ report: Report, _ document: [UInt8], _ coverage: [UInt8]?
  ) throws(IntegratingError) -> Prepared {
    let site = try home.site(of: report.integration.bot).create()
    LeftReports(home: home, bot: report.integration.bot).removeUseless()
    let aside = site.folder(".\(report.integration.number).\(getpid()).new")
    do {
      try aside.remove()
      try aside.create()
      let renderer = ReportRenderer(templates: templates.library, assets: templates.assets, time: time)
      try write(renderer.parts(of: report), of: report.integration.bot, to: aside)
      try copyAttachments(of: report.integration, into: aside)
      if let coverage { try aside.create(CoverageDocument.fileName, coverage) }
      try aside.create(StoredIntegration.fileName, document)
    } catch {
      try? aside.remove()  // What failed to be written is of no use; the first error is the one to tell.
      if let error = error as? IntegratingError { throw error }
      return .failure(
        IntegratingError(
          .service, "\(error)\nThe results are kept in \(kept.path); only the report could not be made."))
    }
    return .report(aside)
  }

  /// The number of the latest report with pages about source: a failed build has none, and the one before it may.
  private func lastWithSources(of bot: String) -> String? {
    let site = home.site(of: bot)
    let numbers = site.names().compactMap(Int.init).sorted(by: >).map(String.init)
    return numbers.prefix(50).first { site.folder($0).holds("coverage") } ?? numbers.first
  }

  /// Writes the pages, and keeps what they were made from for the next report.
  private func write(_ parts: [ReportPart], of bot: String, to aside: Folder) throws {
    let number = lastWithSources(of: bot)
    let earlier = number.map { home.site(of: bot).folder($0) }
    guard mask.isEmpty else {
      // Keys are made from texts that still have the secrets in them, and would change with them.
      try ReportWriter(to: aside, sharing: earlier, mask: mask).write(parts)
      return
    }
    let known = number.flatMap { home.integrations(of: bot).folder($0).read(PageKeys.fileName) }.flatMap {
      PageKeys($0)
    }
    let fresh = PageKeys(seed: known?.seed ?? .random, program: PageKeys.runningProgram)
    let keys = try ReportWriter(to: aside, sharing: earlier, keys: known).write(parts, keys: fresh)
    if let keys { try kept.create(PageKeys.fileName, keys.bytes) }
  }
}
