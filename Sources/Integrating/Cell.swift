import Comparing
import FoundationEssentials
import Model
import Processes
import Rendering

/// An integration for one destination, as far as it has come.
///
/// All destinations are alike. What the first one has beyond the others, such as gates and triggers, only its request asks
/// for.
struct Cell {
  /// The run; from the checkout on, with the package's own settings applied.
  var run: IntegrationRun
  /// The package's own settings and their origins; nil until they are known.
  var settings: [SettingOrigin]?
  /// What it depends on besides its commit; nil until the package's settings are known.
  var circumstances: [Circumstance]?
  var reference = BaselineReading()
  var reached = Reached.sources
  /// What was noticed about the versions of dependencies.
  var dependencies: [Circumstance] = []
  /// The coverage that the report tells in place of the destination's own, which may be that of several.
  var shared: JudgedCoverage?
  /// The issues known from before; nil until they are read.
  var known: KnownIssues?
  var issues: FollowedIssues?
  /// What the repository reveals about who may have caused new issues; nil until there are some.
  var evidence: SuspectEvidence?
  var omissions: [PackageOmission] = []
  var verdict: Verdict?
  var archive: Archive?
  var triggers = TriggerReport()
  var endedAt: Date?
  private var ended: IntegrationStop?

  init(_ run: IntegrationRun) {
    self.run = run
  }

  /// Adopts the results of an earlier integration of the same commit, instead of making them again.
  mutating func adopt(_ earlier: StoredIntegration) {
    guard let name = run.asked.destination?.name, let own = earlier.document.result(for: name),
      let outcome = own.destination?.outcome
    else { return }
    reached = .adopted(own)
    reference = run.reading(of: own)
    verdict = Verdict(adopting: own)
    verdict?.outcome = outcome
  }

  mutating func stop(_ stop: IntegrationStop) {
    verdict = Verdict(stop.outcome, stop.reasons)
    ended = stop
  }

  /// Adopts the result of the release build; a failed one turns the integration red.
  mutating func take(_ archive: Archive?) {
    let errors = findings.errorCount
    self.archive = archive
    guard let archive, archive.files == nil else { return }
    verdict = Verdict(.buildErrors, [.buildFailed(.archive, errors: archive.findings.errorCount - errors)])
  }

  var findings: Findings {
    var findings = archive?.findings ?? reached.build?.findings ?? reached.resolution?.findings ?? Findings()
    for diagnostic in ended?.findings.diagnostics ?? [] {
      findings.diagnostics.append(diagnostic)
      findings.steps[diagnostic] = ended?.findings.steps[diagnostic]
    }
    return findings
  }

  /// SwiftPM's last progress message before it failed to resolve the dependencies; nil if it did not fail.
  var failedResolving: String? { reached.build?.failedResolving ?? reached.resolution?.failure }

  /// Whether something ended it before it was judged, or instead of that.
  var isStopped: Bool { ended != nil }

  /// The verdict; if the stages reached none, an internal error of Martlet's.
  var judged: Verdict { verdict ?? Verdict(run.context.start.outcome, run.context.start.reasons) }

  /// Whether something was to be built for it now.
  var isBuilt: Bool { if case .nothing = reached { false } else { true } }

  /// The name of the destination; empty where there is only one way to build.
  var name: String { run.asked.destination?.name ?? "" }
  /// Whether it counts for the whole integration.
  var isRequired: Bool { run.asked.destination?.isRequired ?? true }

  /// The package's targets; nil until they are needed.
  var model: PackageModel? { reached.tests?.model ?? archive?.model }

  /// The coverage with what it is judged by; nil if that stage was not reached.
  var judgedCoverage: JudgedCoverage? { shared ?? reached.compared?.judged }
  var comparison: CoverageJudgement? { judgedCoverage?.comparison }
  private var measurement: Measurement? { judgedCoverage?.measurement ?? reached.measured?.measurement }

  /// What it is compared with, its tests by the names that they have now.
  var baseline: Baseline? {
    var baseline = comparison?.baseline ?? reference.baseline
    if let changes = known?.tests { baseline?.follow(changes) }
    return baseline
  }

  /// Nil until something is known of it.
  var coverage: CoverageReport? {
    guard measurement?.report.coverage == nil, let ended else { return measurement?.report }
    return .unmeasured(because: ended.reason)
  }

  /// The steps that can find errors and have succeeded.
  var passed: Set<Step> {
    var passed: Set<Step> = []
    if circumstances != nil { passed.insert(.checkout) }
    if reached.build != nil, failedResolving == nil { passed.insert(.resolving) }
    if archive?.files != nil { passed.insert(.archiving) }
    return passed
  }

  /// The integration for this destination alone, as far as it has progressed.
  var integration: Integration {
    var integration = run.context.start
    integration.workingTree = run.source?.workingTree
    integration.settings = settings ?? []
    integration.circumstances = (circumstances ?? []) + dependencies
    integration.baseline = baseline
    integration.branchPoint = reference.branchPoint
    if !reference.commits.isEmpty { integration.commits = reference.commits }
    (integration.outcome, integration.reasons) = (judged.outcome, judged.reasons)
    integration.onlyGatesFailed = judged.onlyGatesFailed
    integration.omissions = omissions
    integration.steps = run.journal.steps
    integration.diagnostics = findings.diagnostics
    integration.analysis = reached.analyzed?.analysis?.findings ?? []
    integration.tests = reached.tests?.report ?? TestReport()
    integration.tests.written = reached.tested?.written
    integration.tests.assertions = measurement?.assertions
    integration.coverage = coverage ?? integration.coverage
    integration.changes = comparison?.changes
    integration.gates = comparison?.gates ?? []
    integration.owedGates = comparison?.owedGates ?? []
    integration.issues = issues?.issues ?? []
    integration.issueMemory = issues.flatMap { $0.isConclusive ? $0.memory : nil }
    integration.issueRecords = issues?.memory.records ?? []
    integration.archive = archive?.files ?? []
    if let earlier = reached.adopted {
      integration.adopt(earlier, coverage: .unavailable(reason: earlier.placeOfCoverage))
    }
    integration.destination = destination
    if let endedAt { integration.endedAt = endedAt }
    return integration
  }

  private var destination: DestinationResult? {
    run.asked.destination.map { destination in
      var result = DestinationResult(destination, leads: false, outcome: isBuilt ? judged.outcome : nil)
      result.adoptedFrom = reached.adopted?.number
      if result.outcome?.isConclusive != true {
        result.lastBuilt = reference.memory?.number ?? DestinationResult.neverBuilt
      }
      return result
    }
  }
}

extension Cell {
  /// The way of every destination, from its sources to its verdict.
  ///
  /// What ends it says nothing of the other destinations, unless somebody cancels the whole.
  ///
  /// - Parameter turn: the turn that is passed on while a test process sleeps; nil where nobody waits for it.
  mutating func carryOut(in turn: TestTurn? = nil) throws(IntegrationStop) {
    let run = run
    if verdict == nil {
      defer { run.modelQuestion.forget() }
      do throws(IntegrationStop) {
        try make(in: turn)
        verdict = try run.judge(&self)
      } catch {
        if error.outcome == .canceled { throw error }
        stop(error)
      }
    }
    endedAt = run.integrator.clock.now()
  }

  /// Resolution → Build → Analysis → TestRun → Coverage → Comparison.
  private mutating func make(in turn: TestTurn?) throws(IntegrationStop) {
    let run = run
    let checkedOut = run.snapshot()
    if case .sources = reached { reached = try .resolution(run.resolve()) }
    let observation = run.request.actions.contains(.test) ? try run.askForObserver() : nil
    // It must not outlive the integration; where the build fails, the answer is of no use.
    defer { _ = try? observation?.join() }
    try build()
    let written = run.snapshot(after: .build, of: checkedOut)
    guard let built = reached.built, let products = built.build.products else { return }
    let analyzed = Reached.Analyzed(built: built, analysis: try run.analyze())
    reached = .analysis(analyzed)
    let before = analyzed.analysis?.isComplete == true ? run.snapshot(after: .analyzer, of: written) : written
    guard let observation else { return leaveTestsOut(analyzed) }
    var tests = try run.test(products, observation, unsearched: built.build.unsearchedTargets, dependencies, in: turn)
    if let earlier = reference.document { run.recall(earlier, in: &tests.run.report) }
    var tested = Reached.Tested(analyzed: analyzed, run: tests.run)
    reached = .tests(tested)
    if let stop = tests.stop { throw stop }
    tested.written = run.whatTestsWrote(tests.run.view, after: before)
    reached = .tests(tested)
    let measured = Reached.Measured(
      tested: tested, measurement: try run.measureCoverage(products, tests.run))
    reached = .coverage(measured)
    guard run.request.comparesCoverage else { return }
    var judged = run.judgeCoverage(measured.measurement, of: self)
    reached = .comparison(Reached.Compared(measured: measured, judged: judged))
    if let mutants = try run.mutate(judged, tests.run, products) { judged.take(mutants) }
    judged.origins = run.origins(in: measured.measurement.report)
    reached = .comparison(Reached.Compared(measured: measured, judged: judged))
  }

  /// Builds, unless that was done beside other destinations.
  private mutating func build() throws(IntegrationStop) {
    guard case .resolution(let resolution) = reached else { return }
    // A dependency may be why it does not build.
    defer { dependencies = run.dependencies(areResolved: failedResolving == nil) }
    guard let build = try run.build(after: resolution) else { return }
    reached = .build(Reached.Built(resolution: resolution, build: build))
  }

  /// Takes what was built beside other destinations; what ends it says nothing of these, unless somebody cancels the whole.
  mutating func take(_ built: BuiltBeside) throws(IntegrationStop) {
    guard case .resolution(let resolution) = reached else { return }
    for record in built.steps { run.journal.note(record) }
    run.journal.warn(built.warnings)
    defer { dependencies = run.dependencies(areResolved: failedResolving == nil) }
    do throws(IntegrationStop) {
      let build = try run.settle(built.attempt.get(), after: resolution)
      reached = .build(Reached.Built(resolution: resolution, build: build))
    } catch {
      if error.outcome == .canceled { throw error }
      stop(error)
    }
  }

  /// A package passes no gate by not being looked at.
  private mutating func leaveTestsOut(_ analyzed: Reached.Analyzed) {
    guard run.asked.actions.contains(.test) else { return }
    let measured = Reached.Measured(
      tested: Reached.Tested(analyzed: analyzed),
      measurement: Measurement(report: .unmeasured(because: .omission(PackageOmission(.testsNotRun)))))
    reached = .coverage(measured)
    guard !run.request.coverage.gates.isEmpty else { return }
    let judged = run.judgeCoverage(measured.measurement, of: self)
    reached = .comparison(Reached.Compared(measured: measured, judged: judged))
  }
}

extension CoverageReport {
  /// Returns that nothing was measured, for a reason that the outcome has, too.
  static func unmeasured(because reason: OutcomeReason) -> CoverageReport {
    .unavailable(reason: reason.sentence, code: reason.code)
  }
}
