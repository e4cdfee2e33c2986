import Comparing
import FoundationEssentials
import Git
import Glibc
import Model
import Processes
import Rendering

extension IntegrationRun {
  /// Writes the summary document and the report, in place of earlier ones of this integration. If no report can be made,
  /// the document tells why.
  func publish(_ state: inout IntegrationState) throws(IntegratingError) -> FinishedIntegration {
    // The practice card needs it earlier, if the integration came that far.
    if state.histories == nil { state.histories = try histories(of: state) }
    var integration = state.integration
    integration.endedAt = integrator.clock.now()
    // What the libraries and the runtime wrote themselves, bypassing the log.
    for place in [kept] + integration.cells.map({ kept.folder($0.cellPath) }) {
      for folder in [place.folder("results"), place.folder("hangs")] { try folder.maskFiles(with: mask) }
    }
    let publisher = Publisher(
      home: integrator.home, kept: kept, templates: integrator.templates, time: integrator.time,
      mask: mask, earlier: integration.earlier.map { integrator.home.integration($0.number, of: bot) })
    try adoptFiles(of: integration)
    let finished = try publisher.publish(integration) { () throws(IntegratingError) in
      try report(of: integration, state.report)
    }
    guard let failure = finished.failure else { return finished }
    guard !journal.warnings.contains(where: { if case .reportNotMade = $0 { true } else { false } }) else {
      return finished
    }
    journal.warn(.reportNotMade(reason: (failure as? TemplateError)?.words ?? "\(failure)"))
    compareIssues(&state)
    writeMessagesAgain(&state)
    writeNote(&state)
    return try publish(&state)
  }

  private func report(of integration: Integration, _ cell: Cell) throws(IntegratingError) -> Report {
    let testSources = Set((cell.model?.testSources ?? [:]).keys)
    var report = self.report(of: integration, testSources, in: kept)
    // The report of the integration whose results were adopted tells more of them.
    report.cells = integration.cells.filter { $0.earlier == nil }.map { cell in
      self.report(of: cell, testSources, in: kept.folder(cell.cellPath))
    }
    if integration.earlier == nil {
      if let document = cell.reference.document {
        report.comparison = try comparison(
          of: integration, with: document, coverageComparison(of: integration, with: document))
      }
      report.otherComparisons = try otherComparisons(of: integration, besides: report.comparison)
      if report.comparison == nil { report.parentChange = claimed.repository.change(of: integration.commit.id) }
    }
    report.origins = cell.judgedCoverage?.origins ?? [:]
    return report
  }

  private func report(of integration: Integration, _ testSources: Set<String>, in kept: Folder) -> Report {
    Report(
      integration: integration, logs: Report.logs(in: kept, of: claimed.workspace.source.path),
      sources: sources(of: integration, testSources))
  }

  /// Returns the text of every source that a page shows, as it was integrated.
  private func sources(of integration: Integration, _ testSources: Set<String>) -> [String: [UInt8]] {
    var paths = testSources
    paths.formUnion(integration.coverage.coverage?.files.map(\.path) ?? [])
    paths.formUnion((integration.diagnostics + integration.analysis).compactMap(\.location?.file))
    paths.formUnion(
      integration.tests.results.flatMap { ($0.failures + $0.knownIssues + $0.warnings).compactMap(\.location?.file) })
    paths.formUnion(integration.tests.results.flatMap { $0.stacks.flatMap(\.frames).compactMap(\.location?.file) })
    var sources: [String: [UInt8]] = [:]
    for path in paths where !path.hasPrefix("/") {
      sources[path] = text(of: path)
    }
    return sources.merging(uncountedTexts(in: integration.coverage.coverage)) { text, _ in text }
  }

  /// Returns the text of a file of the package as it was integrated; for a link, that of the file to which it leads.
  ///
  /// A file that is not in the commit, such as a generated one, has no text to show.
  func text(of path: String) -> [UInt8]? {
    let inRepository = PackagePlace(target.package).inRepository(path)
    if let text = text(at: inRepository) { return text }
    // Links that lead out of the repository are not followed.
    let places =
      target.includesWorkingTree
      ? try? Repository.places(of: [inRepository], inFilesOf: claimed.workspace.checkout)
      : try? claimed.repository.places(of: [inRepository], in: target.commit)
    guard case .file(let place) = places?[inRepository], place != inRepository else { return nil }
    return text(at: place)
  }

  /// Returns the text that a file of the package had at a commit; nil for one that is not there, or cannot be read.
  func text(of path: String, at commit: CommitID) -> [UInt8]? {
    try? claimed.repository.contents(of: PackagePlace(target.package).inRepository(path), in: commit)
  }

  /// Reads the commit's blob or, for uncommitted changes, the workspace, to which nobody else writes.
  private func text(at inRepository: String) -> [UInt8]? {
    if target.includesWorkingTree { return claimed.workspace.source.read(inRepository) }
    return source?.submoduleSources[inRepository]
      ?? (try? claimed.repository.contents(of: inRepository, in: target.commit))
  }
}

extension Integration {
  /// The folder of a destination's files in that of the whole integration, as a path.
  var cellPath: String { ReportPaths.cell(destination?.name ?? "") }
}

extension Report {
  /// Returns the logs that an integration's folder has, of sources in a folder.
  static func logs(in kept: Folder, of folder: String = "") -> [Log] {
    Step.allCases.compactMap { step in
      kept.read(step.logPath).map { Log(step: step, bytes: $0, folder: folder) }
    }
  }
}

extension IntegrationRun {
  /// Gives an integration the kept files of the one whose results it adopts, as far as documents name them.
  func adoptFiles(of integration: Integration) throws(IntegratingError) {
    for cell in integration.all {
      guard let earlier = cell.earlier else { continue }
      let source = integrator.home.integration(earlier.number, of: bot)
      let (from, to) = cell.isCell ? (source.folder(cell.cellPath), kept.folder(cell.cellPath)) : (source, kept)
      if cell.isCell, let coverage = from.coverage(adoptedBy: number) {
        try to.create().create(CoverageDocument.fileName, coverage)
      }
      for folder in ["attachments", "archive"] { try to.folder(folder).adoptFiles(of: from.folder(folder)) }
    }
  }
}

extension Folder {
  /// Returns the coverage of the integration in the folder, under the number of one that adopts its results; nil if it has
  /// none that can be read.
  func coverage(adoptedBy number: Int) -> [UInt8]? {
    guard let bytes = read(CoverageDocument.fileName), var document = try? CoverageDocument(reading: bytes) else {
      return nil
    }
    document.number = number
    return Array(document.text.utf8)
  }

  /// Adds the files of another folder, which nobody writes to any more.
  fileprivate func adoptFiles(of other: Folder) throws(IntegratingError) {
    for name in other.filesBeneath() {
      try createFolder(of: name)
      guard !holds(name), !share(name, of: other), let bytes = other.read(name) else { continue }
      try create(name, bytes)
    }
  }
}

extension IntegrationRun {
  /// Compares the integration with others than its baseline, as far as their results are still kept: with its branch point,
  /// and, if it builds and the baseline did not, with the one that its coverage is compared with.
  private func otherComparisons(
    of integration: Integration, besides own: IntegrationComparison?
  ) throws(IntegratingError) -> [OtherReference: IntegrationComparison] {
    let hasNews = own?.before.failedToBuild == true && own?.after.failedToBuild == false
    let numbers: [(OtherReference, Int?)] = [
      (.branchPoint, integration.branchPoint), (.built, hasNews ? integration.baseline?.coverageFrom : nil),
    ]
    var comparisons: [OtherReference: IntegrationComparison] = [:]
    var told = Set([integration.baseline?.number].compactMap(\.self))
    for case (let reference, let number?) in numbers where told.insert(number).inserted {
      comparisons[reference] = try comparison(of: integration, with: number)
    }
    return comparisons
  }

  /// Compares the integration with an earlier one of its bot; nil if the results of that are no longer kept.
  private func comparison(
    of integration: Integration, with number: Int
  ) throws(IntegratingError) -> IntegrationComparison? {
    // What cannot be read costs the page, but not the report.
    guard let stored = try? StoredIntegration(in: integrator.home.integration(number, of: bot)) else { return nil }
    let lines: Answer<CoverageComparison>
    do {
      lines = try self.lines(of: integration, since: stored)
    } catch {
      lines = .unknown(reason: "\(error)")
    }
    return try comparison(of: integration, with: stored.document, lines)
  }

  /// Returns the comparison of lines with an earlier integration, whose lines that run by chance are not looked for.
  private func lines(
    of integration: Integration, since stored: StoredIntegration
  ) throws(IntegratingError) -> Answer<CoverageComparison> {
    guard let now = integration.coverage.coverage, now.isComplete else {
      return .unknown(reason: "The coverage is not complete.")
    }
    if let lack = lackOfTests(in: integration) { return .unknown(reason: lack) }
    let document = stored.document
    return try stored.lines(beneath: target.package).flatMap { before in
      Answer {
        let difference = try difference(from: document.commit.id, of: Set((before.files + now.files).map(\.path)))
        return CoverageComparison(of: now, with: before, baseline: document.number, difference: difference)
      }
    }
  }

  /// Compares the integration with an earlier one, for the page about the two.
  private func comparison(
    of integration: Integration, with document: IntegrationRecord, _ lines: Answer<CoverageComparison>
  ) throws(IntegratingError) -> IntegrationComparison {
    let commits = claimed.repository.commits(between: document.commit.id, and: integration.commit.id, limit: 50)
    let files = (integration.coverage.coverage?.files ?? []).keyed(by: \.path)
    let verdicts = PastVerdicts(index: context.index, bot: bot)
    return IntegrationComparison(
      from: document, to: IntegrationRecord(integration),
      coverage: lines, files: { files[$0] },
      silent: { silent($1, of: $0) },
      earlier: try verdicts.paces(like: document, before: integration.number, of: past), commits: commits)
  }

  /// Returns the comparison of lines, unless it was made with another integration because the baseline has no coverage.
  private func coverageComparison(of integration: Integration, with baseline: IntegrationRecord)
    -> Answer<CoverageComparison>
  {
    guard let comparison = integration.changes?.comparison else {
      return .unknown(reason: "The coverage was not measured.")
    }
    let lackBefore = MissingTestsWords.lack(of: baseline.tests.counts, in: "\(baseline.bot) \(baseline.number)")
    if let lack = lackOfTests(in: integration) ?? lackBefore { return .unknown(reason: lack) }
    return comparison.flatMap {
      $0.baseline == baseline.number
        ? .known($0) : .unknown(reason: reason(not: baseline, but: $0.baseline, for: integration.commit.id))
    }
  }

  private func lackOfTests(in integration: Integration) -> String? {
    MissingTestsWords.lack(of: integration.tests.counts, in: "\(integration.bot) \(integration.number)")
  }

  /// Returns why the lines were compared with those of another integration.
  private func reason(not baseline: IntegrationRecord, but number: Int, for commit: CommitID) -> String {
    let name = "\(baseline.bot) \(baseline.number)"
    if !baseline.coverage.complete { return "\(name) has no complete coverage; it was compared with \(number)." }
    return baseline.commit.id == commit
      ? "\(name) is of the same commit; the lines were compared with those of \(number)."
      : "The lines were compared with those of \(number), and not of \(name)."
  }
}
