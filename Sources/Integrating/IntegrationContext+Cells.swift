import Comparing
import Git
import Model
import Processes
import Rendering

extension IntegrationContext {
  /// Carries out all destinations. Those that may be are built at once, and then each goes on by itself, in their order.
  /// They share the checked-out files.
  ///
  /// - Parameters:
  ///   - first: the first one, whose sources lie ready.
  ///   - earlier: the integration of the same commit that this one completes; nil if it begins from nothing.
  /// - Returns: the others.
  func carryOutAll(from first: inout Cell, after earlier: StoredIntegration?) throws(IntegrationStop) -> [Cell] {
    if asked.place != nil, !asked.others.isEmpty {
      // What cannot be removed now is taken away when the next one begins.
      try? claimed.workspace.removeCells(besides: asked.others.map(\.name))
    }
    var cells = [first]
    defer { first = cells[0] }
    for group in groups(from: first.run) {
      while cells.count < group.upperBound {
        cells.append(begin(asked.others[cells.count - 1], beside: cells, after: earlier))
      }
      try build(group, of: &cells)
      let stops = try carryOutInTurns(group, of: &cells)
      for position in group {
        if stops == nil { try carryOut(&cells[position], isFirst: position == 0) }
        if let stop = stops?[position] { throw stop }
        guard position > 0 else { continue }
        let cell = cells[position]
        let integration = cell.run.withHistories(of: cell, beside: cells[0])
        cell.run.compareIssues(&cells[position], in: integration)
      }
    }
    return Array(cells.dropFirst())
  }

  private func carryOut(_ cell: inout Cell, isFirst: Bool) throws(IntegrationStop) {
    tell(cell, isFirst: isFirst)
    if !isFirst { open(&cell) }
    try cell.carryOut()
  }

  /// Carries out destinations that were built at once, each on a thread of its own: while a test process of one sleeps, the
  /// next goes on.
  ///
  /// - Returns: who was stopped by a cancellation, by their positions; nil if they are to be carried out one by one.
  private func carryOutInTurns(_ group: Range<Int>, of cells: inout [Cell]) throws(IntegrationStop)
    -> [Int: IntegrationStop]?
  {
    let going = group.filter { cells[$0].verdict == nil }
    guard going.count > 1, containment.separatesTests,
      going.contains(where: { cells[$0].run.request.sanitize.contains(.thread) })
    else { return nil }
    let turns = TestTurns()
    var threads: [Worker<CellInTurn>] = []
    // Each of them ends, whatever becomes of the others.
    defer { for thread in threads { _ = try? thread.join() } }
    return try stopping {
      for position in going {
        threads.append(try CellInTurn(cells[position], position, of: turns, in: self).start())
      }
      var stops: [Int: IntegrationStop] = [:]
      for (position, thread) in zip(going, threads) {
        let ended = try thread.join()
        (cells[position], stops[position]) = (ended.cell, ended.stop)
      }
      return stops
    }
  }

  /// Returns the positions of destinations that are built at once, the first one's being zero.
  private func groups(from first: IntegrationRun) -> [Range<Int>] {
    guard !asked.others.isEmpty else { return [0..<1] }
    let isContained = if case .contained = containment { true } else { false }
    let hasPins = first.packageFolder.holds("Package.resolved")
    let terms = ([first.request] + asked.others.map(first.request.cell)).map {
      BuildTerms($0, first.manifests, isContained: isContained, hasPins: hasPins)
    }
    let hasRoom = BuildTerms.hasRoomForTwo(
      processors: WorkerThreads.processorCount, memoryBytes: ResourceLimits.machineMemory)
    return BuildTerms.groups(of: terms, hasRoom: hasRoom)
  }

  /// Builds for several destinations at once, when each is ready; a single one builds when it goes on.
  private func build(_ group: Range<Int>, of cells: inout [Cell]) throws(IntegrationStop) {
    let built = group.filter { cells[$0].verdict == nil }
    guard built.count > 1 else { return }
    for position in built { try getReady(&cells[position], isFirst: position == 0) }
    let ready = built.filter { cells[$0].reached.resolution?.findings.hasErrors == false }
    guard let one = ready.first.map({ cells[$0].run }) else { return }
    // Each asks again when it goes on, and finds what is made meanwhile.
    let observers = ready.filter { cells[$0].run.request.actions.contains(.test) }
      .compactMap { try? cells[$0].run.askForObserver() }
    defer { for observer in observers { _ = try? observer.join() } }
    let checkedOut = one.snapshot()
    integrator.progress(.destination(CountText.list(ready.map { cells[$0].name }), nil))
    integrator.progress(.step(.building))
    let builds = BuildsAtOnce(of: ready.map { cells[$0] }, telling: integrator.progress)
    let all = try stopping { try builds.carryOut() }
    // What goes on next empties the folders of those that describe the package.
    for position in ready { cells[position].run.modelQuestion.forget() }
    // Which of the builds wrote there is unknown, so it is told once.
    _ = one.snapshot(after: .build, of: checkedOut)
    for (position, built) in zip(ready, all) { try cells[position].take(built) }
  }

  /// Makes everything ready for a build, so that it shares nothing but the sources with those of others.
  private func getReady(_ cell: inout Cell, isFirst: Bool) throws(IntegrationStop) {
    let run = cell.run
    do {
      if !isFirst {
        try run.claimScratch()
        try run.openBuildFolders()
      }
      if run.mustResolve { integrator.progress(.destination(cell.name, nil)) }
      cell.reached = try .resolution(run.resolve())
    } catch {
      let stop = IntegrationStop(error)
      if stop.outcome == .canceled { throw stop }
      cell.stop(stop)
    }
  }

  /// Tells that a destination goes on, and which errors its build had if it was beside others.
  fileprivate func tell(_ cell: Cell, isFirst: Bool) {
    guard cell.verdict == nil, !isFirst || cell.reached.resolution != nil else { return }
    integrator.progress(.destination(cell.name, nil))
    for diagnostic in cell.reached.build?.findings.diagnostics ?? [] where diagnostic.severity == .error {
      integrator.progress(.diagnostic(diagnostic))
    }
  }

  /// Makes the workspace ready for a destination that goes on after others, and removes what these left there.
  private func open(_ cell: inout Cell) {
    guard cell.verdict == nil else { return }
    do {
      if case .sources = cell.reached { try cell.run.claimScratch() }
      try cell.run.prepareForSandbox()
    } catch {
      cell.stop(IntegrationStop(error))
    }
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

  /// Returns a destination before anything is built for it, or with its verdict if nothing is.
  ///
  /// - Parameter cells: those before it.
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
    if let problem { cell.stop(IntegrationStop(problem)) }
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

/// A destination that is carried out on a thread of its own.
///
/// It can be handed there because one thread goes on at a time (`TestTurns`), so nobody else uses what it shares with other
/// destinations, such as the repository.
private struct CellInTurn: @unchecked Sendable {
  private(set) var cell: Cell
  private(set) var stop: IntegrationStop?
  private let context: IntegrationContext
  private let turn: TestTurn
  private let isFirst: Bool

  init(_ cell: Cell, _ position: Int, of turns: TestTurns, in context: IntegrationContext) {
    (self.cell, self.context) = (cell, context)
    isFirst = position == 0
    let (progress, name) = (context.integrator.progress, cell.name)
    turn = TestTurn(position, of: turns, by: context.integrator.clock) { progress(.destination(name, .testing)) }
  }

  func start() throws -> Worker<CellInTurn> {
    do {
      return try Worker { carriedOut() }
    } catch {
      turn.pass()
      throw error
    }
  }

  private func carriedOut() -> CellInTurn {
    var ended = self
    turn.take()
    defer { turn.pass() }
    context.tell(cell, isFirst: isFirst)
    do throws(IntegrationStop) {
      try ended.cell.carryOut(in: turn)
    } catch {
      ended.stop = error
    }
    return ended
  }
}
