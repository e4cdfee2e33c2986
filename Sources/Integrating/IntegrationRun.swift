import Comparing
import FoundationEssentials
import Git
import Model
import Processes
import Rendering

/// One integration on its way: what is given, and what is asked for once the package's settings are known.
///
/// Each stage is a function that takes what the stages before it made and returns what it made; `Reached` has all of them
/// together.
final class IntegrationRun {
  let context: IntegrationContext
  /// What was asked for, from the checkout on with what the package's `.martlet.yml` adds.
  let request: IntegrationRequest
  let target: Target
  /// The files of the commit in the workspace; nil until they are there.
  let source: CheckedOutSource?

  /// The manifests as they were when they were first asked for, after the scripts that run before.
  private(set) lazy var manifests = PackageManifests(of: self)
  /// How dependencies are fetched without this machine's loopback; looked for when there are any to fetch.
  private(set) lazy var router = findRouter()
  /// The question for the package's targets, asked when it is first needed.
  private(set) lazy var modelQuestion = PendingModel(of: self)
  /// The commit's files once more, for what comes after the tests.
  let release: ReleaseCheckout

  init(
    _ context: IntegrationContext, request: IntegrationRequest, target: Target, source: CheckedOutSource? = nil,
    release: ReleaseCheckout = ReleaseCheckout()
  ) {
    self.context = context
    self.request = request
    self.target = target
    self.source = source
    self.release = release
  }

  /// The beginning, where nothing but what was asked for is known.
  convenience init(_ context: IntegrationContext) {
    self.init(context, request: context.asked, target: context.target)
  }

  var asked: IntegrationRequest { context.asked }
  var toolchain: Toolchain { context.toolchain }
  var containment: Containment { context.containment }
  var integrator: Integrator { context.integrator }
  var kept: Folder { context.kept }
  var mask: SecretMask { context.mask }
  var journal: Journal { context.journal }
  var past: [IndexedIntegration] { context.past }
  var bot: String { context.start.bot }
  var number: Int { context.start.number }
  /// Whether it is for a destination that does not lead.
  var isCell: Bool { asked.leader != nil }

  func step<T>(
    _ step: Step, _ body: (inout StepRecord) throws(IntegrationStop) -> T
  ) throws(IntegrationStop) -> T {
    try context.step(step, body)
  }
}

extension IntegrationContext {
  /// The order of an integration.
  func carryOut() throws(IntegratingError) -> FinishedIntegration {
    defer {
      // What cannot be removed now is taken away when the next one begins.
      try? claimed.workspace.removePassing()
      claimed.workspace.leave()
    }
    integrator.progress(.started(bot: start.bot, number: start.number, commit: start.commit))
    var reached = Reached(IntegrationRun(self))
    let told = reached.run.auditedDifference
    if let told, told.difference != nil { journal.warn(.auditFailed(told)) }
    do throws(IntegrationStop) {
      try reached.run.prepare(&reached)
      try carryOutStages(&reached)
    } catch {
      reached.stop(error)
    }
    reached.run.modelQuestion.forget()
    reached.run.conclude(&reached)
    integrator.progress(.step(.completed))
    let finished = try reached.run.publish(reached)
    if let told { reached.run.forgetAuditedDifference(told) }
    return finished
  }

  /// The stages from the checked-out files to the verdict and the archive.
  private func carryOutStages(_ reached: inout Reached) throws(IntegrationStop) {
    let run = reached.run
    try run.prepareSources(&reached)
    do throws(IntegrationStop) {
      try buildAndTest(&reached)
      reached.verdict = try run.judge(&reached)
    } catch {
      // What ends the destination that leads says nothing of the others.
      if asked.cells.isEmpty || error.outcome == .canceled { throw error }
      reached.stop(error)
    }
    if !asked.cells.isEmpty { try carryOutCells(&reached) }
    reached.rhythm = run.rhythm(of: reached)
    do throws(IntegratingError) {
      reached.histories = try run.histories(of: reached)
    } catch {
      throw IntegrationStop(error)
    }
    reached.practice = run.practice(of: reached)
    reached.take(try run.archive(after: reached))
  }

  /// The stages that each destination comes to, from the sources to the coverage.
  func buildAndTest(_ reached: inout Reached) throws(IntegrationStop) {
    let run = reached.run
    let checkedOut = run.snapshot()
    let resolution = try run.resolve()
    reached.resolution = resolution
    if !run.manifests.needFetching { try run.modelQuestion.ask() }
    let observation = try run.askForObserver()
    defer { observation.forget() }
    do {
      // A dependency may be why it does not build.
      defer { reached.dependencies = run.dependencies(areResolved: reached.failedResolving == nil) }
      reached.build = try run.build(after: resolution)
    }
    let built = run.snapshot(after: .build, of: checkedOut)
    if let products = reached.build?.products {
      reached.analysis = try run.analyze()
      let analyzed = reached.analysis?.isComplete == true ? run.snapshot(after: .analyzer, of: built) : built
      try testAndMeasure(products, observation, analyzed, &reached)
    }
  }

  /// Tests what was built and compares its coverage, where that is asked for.
  private func testAndMeasure(
    _ products: BuildProducts, _ observation: PendingObservation, _ snapshot: WorkspaceSnapshot,
    _ reached: inout Reached
  ) throws(IntegrationStop) {
    let run = reached.run
    guard run.request.actions.contains(.test) else {
      guard asked.actions.contains(.test) else { return }
      // A package passes no gate by not being looked at.
      reached.coverage = .unavailable(reason: PackageOmission(.testsNotRun).sentence)
      if !run.request.gates.isEmpty { reached.comparison = run.compareCoverage(reached) }
      return
    }
    try run.test(products, observation, &reached)
    reached.written = run.whatTestsWrote(reached.tests?.view, after: snapshot)
    let measured = try run.measureCoverage(reached, observation)
    reached.coverage = measured.report
    reached.assertions = measured.assertions
    reached.counts = run.mergesCoverage || run.isCell ? measured.counts : nil
    // What is merged is compared as a whole, and what another destination measures when it did.
    guard !run.isCell, reached.counts == nil, !run.takesCoverageOfAnother else { return }
    reached.comparison = run.compareCoverage(reached)
    if let mutants = try run.mutate(reached, observation) {
      reached.coverage?.take(mutants)
      reached.comparison?.take(mutants)
    }
    reached.origins = run.origins(in: measured.report)
  }
}
