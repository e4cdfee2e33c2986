import Comparing
import Git
import Model
import Rendering

extension IntegrationContext {
  /// Carries out the destinations after the first one, one after the other. They share the checked-out files.
  ///
  /// - Parameter earlier: the integration of the same commit that this one completes; nil if it begins from nothing.
  func carryOutOthers(beside first: Cell, after earlier: StoredIntegration?) throws(IntegrationStop) -> [Cell] {
    guard !asked.others.isEmpty else { return [] }
    if asked.place != nil {
      // What cannot be removed now is taken away when the next one begins.
      try? claimed.workspace.removeCells(besides: asked.others.map(\.name))
    }
    var cells = [first]
    for destination in asked.others {
      var cell = begin(destination, beside: cells, after: earlier)
      try cell.carryOut()
      cell.run.compareIssues(&cell, in: cell.run.withHistories(of: cell, beside: first))
      cells.append(cell)
    }
    return Array(cells.dropFirst())
  }

  /// Returns why nothing is built for a destination now, after others; nil if something is.
  private func reason(toPassOver destination: Destination, after cells: [Cell]) -> OutcomeReason? {
    if destination.when == .idle, !asked.includesIdle { return .waitsForIdleTime }
    guard asked.destinations?.stopsEarly == true else { return nil }
    let red = cells.first { cell in
      cell.isBuilt && cell.isRequired && !cell.judged.outcome.isGreen
    }
    return red.map { .spared(after: $0.name) }
  }

  /// Returns the integration that idle time completes, which was the last one of this very commit; nil if the
  /// destinations that it was carried out for have to be carried out again, because one of them is not what it was.
  func completed(by first: Cell) -> StoredIntegration? {
    // Another machine has no files of that integration that could be kept again, and functions are tried in a build.
    guard asked.origin == nil, asked.cause == .idle, asked.mutants != .all, let earlier = first.run.lastOfCommit,
      earlier.document.cause != .idle
    else {
      return nil
    }
    let others = asked.others.filter { $0.isRequired && $0.when == .commit }
    let runs = [first.run] + others.map { run(for: $0, beside: [first]).run }
    return runs.allSatisfy { $0.wouldRepeat(earlier.document) } ? earlier : nil
  }

  /// - Parameter cells: those before it, the first one at least.
  /// - Returns: the run of a destination, and what is wrong with its toolchain.
  private func run(
    for destination: Destination, beside cells: [Cell]
  ) -> (run: IntegrationRun, problem: IntegratingError?) {
    let (first, request) = (cells[0].run, asked.cell(destination))
    var toolchain: Toolchain?
    var problem: IntegratingError?
    do throws(IntegratingError) {
      toolchain = try integrator.toolchain(for: request)
    } catch {
      problem = error
    }
    let context = cell(request, destination, with: toolchain, beside: cells)
    let run = IntegrationRun(
      context, request: first.request.cell(destination), target: first.target, source: first.source)
    return (run, problem)
  }

  /// Makes everything ready for a destination.
  ///
  /// - Parameter cells: those before it, which were carried out already.
  private func begin(
    _ destination: Destination, beside cells: [Cell], after earlier: StoredIntegration?
  ) -> Cell {
    let first = cells[0]
    let (run, problem) = run(for: destination, beside: cells)
    var cell = Cell(run)
    cell.settings = first.settings
    cell.circumstances = run.circumstances
    cell.reference = run.readBaseline(of: destination.name, beside: first.reference)
    // Its issues stand as they stood when it was last built for.
    if let reason = reason(toPassOver: destination, after: cells) {
      cell.reached = .nothing
      cell.stop(IntegrationStop(outcome: .canceled, reason: reason))
      return cell
    }
    if let earlier, destination.when == .commit, run.wouldRepeat(earlier.document) {
      cell.adopt(earlier)
      if cell.verdict != nil { return cell }
    }
    do {
      if let problem { throw problem }
      integrator.progress(.destination(destination.name))
      try run.claimScratch()
      try run.prepareForSandbox()
    } catch {
      cell.stop(IntegrationStop(error))
    }
    return cell
  }
}

extension IntegrationRun {
  /// The last conclusive integration of this very commit, with the same choice of tests; nil if there is none.
  fileprivate var lastOfCommit: StoredIntegration? {
    let entry = past.last { entry in
      entry.commit == target.commit && entry.branch == target.branch && entry.isComparable(in: scope)
    }
    // One that cannot be read is none.
    return entry.flatMap { pastResults.stored($0.number) }
  }

  /// Whether the destination would be built and tested as it was in an earlier integration, or was not built there.
  fileprivate func wouldRepeat(_ earlier: IntegrationRecord) -> Bool {
    guard let name = asked.destination?.name, let result = earlier.result(for: name) else { return false }
    guard let outcome = result.destination?.outcome else { return true }
    return outcome.isConclusive && isBuilt(like: result)
  }

  /// Whether the destination is built and tested as that of an earlier result was.
  func isBuilt(like result: IntegrationRecord) -> Bool {
    let before = (result.circumstances ?? []).filter { !$0.isDependency }
    return !result.toolchainMark.differs(from: toolchainMark) && result.configuration == request.configuration
      && before == circumstances
  }

  /// Returns the coverage that the report tells in place of the first destination's; nil if it tells that one.
  func sharedCoverage(of cells: [Cell]) throws(IntegrationStop) -> Measurement? {
    guard asked.wantsCoverage, asked.actions.contains(.test), let destinations = asked.destinations else { return nil }
    let measured = cells.dropFirst().filter { $0.run.asked.destination.map(destinations.measures) == true }
    if let name = destinations.coverage.name, let cell = measured.first {
      let integration = cell.integration
      var measurement = Measurement(report: integration.coverage, assertions: integration.tests.assertions)
      if case .available(var coverage) = measurement.report {
        coverage.destinations = [name]
        measurement.report = .available(coverage)
      }
      return measurement
    }
    guard let own = cells[0].reached.measured?.measurement, let counts = own.counts else { return nil }
    let merged = try mergeCoverage(
      counts,
      with: measured.map { ($0.name, $0.reached.measured?.measurement.counts) })
    return Measurement(report: merged, assertions: own.assertions)
  }
}
