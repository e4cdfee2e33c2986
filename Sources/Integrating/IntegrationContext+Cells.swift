import Comparing
import Git
import Model
import Rendering

extension IntegrationContext {
  /// Builds and tests for each of the destinations that do not lead, one after the other, and judges all together.
  func carryOutCells(_ reached: inout Reached) throws(IntegrationStop) {
    let cells = try cells(beside: reached)
    let own = reached.judged.outcome
    if try takeCoverage(of: cells, &reached) {
      reached.comparison = reached.run.compareCoverage(reached)
      reached.origins = reached.run.origins(in: reached.coverage ?? .unavailable(reason: ""))
      // What ended before it was judged stays so.
      if reached.issues != nil { reached.verdict = try reached.run.judge(&reached) }
    }
    reached.take(cells.map(\.integration), own: own)
  }

  /// Takes the coverage of the destinations that it is to be of; false where that is the one that leads.
  private func takeCoverage(of cells: [Cell], _ reached: inout Reached) throws(IntegrationStop) -> Bool {
    guard asked.wantsCoverage, asked.actions.contains(.test), let destinations = asked.destinations else {
      return false
    }
    let measured = zip(asked.cells.map(\.destination), cells).filter { destinations.measures($0.0) }
    if let name = destinations.coverage.name, let cell = measured.first?.1.integration {
      reached.coverage = cell.coverage
      reached.assertions = cell.tests.assertions
      if case .available(var coverage) = cell.coverage {
        coverage.destinations = [name]
        reached.coverage = .available(coverage)
      }
      return true
    }
    guard let counts = reached.counts else { return false }
    reached.coverage = try reached.run.mergeCoverage(counts, with: measured.map { ($0.name, $1.counts) })
    return true
  }

  /// What one of the destinations that do not lead came to.
  private struct Cell {
    var integration: Integration
    var counts: BuildCounts?
  }

  /// They share the checked-out files.
  private func cells(beside leading: Reached) throws(IntegrationStop) -> [Cell] {
    if asked.place != nil {
      // What cannot be removed now is taken away when the next one begins.
      try? claimed.workspace.removeCells(besides: asked.cells.map(\.destination.name))
    }
    var red = leading.judged.outcome.isGreen ? nil : asked.destination?.name
    var cells: [Cell] = []
    for settings in asked.cells {
      let destination = settings.destination
      let isSpared = red != nil && asked.destinations?.stopsEarly == true
      let reason: OutcomeReason? =
        if destination.when == .idle, !asked.includesIdle { .waitsForIdleTime } else {
          isSpared ? .spared(after: red ?? "") : nil
        }
      let cell = try carryOutCell(settings, beside: leading, unless: reason)
      if destination.isRequired, reason == nil, !cell.integration.outcome.isGreen { red = red ?? destination.name }
      cells.append(cell)
    }
    return cells
  }

  /// - Parameter reason: why nothing is built for it now; its issues stand as they stood then.
  private func carryOutCell(
    _ settings: IntegrationRequest.CellSettings, beside leading: Reached, unless reason: OutcomeReason?
  ) throws(IntegrationStop) -> Cell {
    let destination = settings.destination
    var stop = reason.map { IntegrationStop(outcome: .canceled, reason: $0) }
    var toolchain = toolchain
    do throws(IntegratingError) {
      toolchain = try integrator.toolchain(for: asked.cell(settings))
    } catch {
      stop = stop ?? IntegrationStop(error)
    }
    let context = cell(asked.cell(settings), destination, with: toolchain)
    let run = IntegrationRun(
      context, request: leading.run.request.cell(settings), target: leading.run.target, source: leading.run.source)
    var reached = Reached(run)
    reached.settings = leading.settings
    reached.circumstances = run.circumstances
    reached.reference = run.readBaseline(of: destination.name, beside: leading.reference)
    if let stop {
      reached.stop(stop)
    } else {
      try context.carryOut(&reached)
    }
    run.compareIssues(&reached)
    var integration = reached.integration
    integration.endedAt = integrator.clock.now()
    if reason != nil { integration.destination?.outcome = nil }
    if integration.destination?.outcome?.isConclusive != true {
      integration.destination?.lastBuilt = reached.reference.document?.number ?? DestinationResult.neverBuilt
    }
    return Cell(integration: integration, counts: reached.counts)
  }

  /// The stages of a destination that does not lead.
  private func carryOut(_ reached: inout Reached) throws(IntegrationStop) {
    let run = reached.run
    integrator.progress(.destination(asked.destination?.name ?? ""))
    do throws(IntegrationStop) {
      try run.claimScratch()
      do throws(IntegratingError) {
        try run.prepareForSandbox()
      } catch {
        throw IntegrationStop(error)
      }
      try buildAndTest(&reached)
      reached.verdict = try run.judge(&reached)
    } catch {
      // What somebody cancels is canceled as a whole.
      if error.outcome == .canceled { throw error }
      reached.stop(error)
    }
    run.modelQuestion.forget()
  }
}

extension IntegrationRun {
  /// More integrations of an earlier Martlet are not read for the last one that built for a destination.
  private static let mostWithoutCell = 50

  /// Reads what a destination came to when it was last built for: in the integration that the whole is compared with, or in
  /// the one that this remembers.
  func readBaseline(of destination: String, beside whole: BaselineReading) -> BaselineReading {
    var document = whole.document
    for _ in 0..<Self.mostWithoutCell {
      guard let now = document else { break }
      // What leads now may have been one of the others, and the other way round.
      let cell = now.destination?.name == destination ? now : now.cell(of: destination)
      if let cell, cell.destination?.outcome?.isConclusive == true { return reading(of: cell) }
      let last = cell?.destination?.lastBuilt
      if last == DestinationResult.neverBuilt { break }
      document = (last ?? now.baseline).flatMap(self.document)
    }
    return BaselineReading()
  }

  /// - Parameter document: that of an integration, or of one of its cells.
  func reading(of document: IntegrationRecord) -> BaselineReading {
    let baseline = Baseline(document)
    // A history that cannot be walked leaves the commit alone.
    let commits = try? context.claimed.repository.commits(from: baseline.commit, to: target.commit, limit: 500)
    return BaselineReading(baseline: baseline, document: document, commits: commits ?? [])
  }
}
