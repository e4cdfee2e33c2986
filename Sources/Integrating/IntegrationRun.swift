import Comparing
import FoundationEssentials
import Git
import Model
import Processes
import Rendering

/// One integration on its way: what is given, and what is asked for once the package's settings are known.
///
/// Each stage is a function that takes what the stages before it made and returns what it made; `Reached` has all of them
/// together, for one destination.
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
  /// The repository's headers and what else decides which code is compiled again, before the first build.
  private(set) lazy var headers = listHeaders()

  init(
    _ context: IntegrationContext, request: IntegrationRequest, target: Target, source: CheckedOutSource? = nil
  ) {
    self.context = context
    self.request = request
    self.target = target
    self.source = source
  }

  /// The beginning, where nothing but what was asked for is known.
  convenience init(_ context: IntegrationContext) {
    self.init(context, request: context.asked, target: context.target)
  }

  /// Returns the same run for a thread of its own that builds beside others. What it shares with them is made before, its
  /// notes are its own, and it has the time that it would have if it did not share the machine.
  ///
  /// - Parameters:
  ///   - count: how many are built at once.
  ///   - progress: receives what it tells.
  func beside(_ count: Int, telling progress: @escaping ProgressHandler) -> IntegrationRun {
    var request = request
    request.bot.tests.limits.step = request.bot.tests.limits.step * count
    let run = IntegrationRun(context.beside(telling: progress), request: request, target: target, source: source)
    // A repository stays on its thread, so all that is read of it comes along.
    (run.manifests, run.headers) = (manifests, headers)
    modelQuestion.prepare()
    run.modelQuestion = modelQuestion
    return run
  }

  var asked: IntegrationRequest { context.asked }
  var claimed: ClaimedWorkspace { context.claimed }
  var toolchain: Toolchain { context.toolchain }
  var containment: Containment { context.containment }
  var integrator: Integrator { context.integrator }
  var kept: Folder { context.kept }
  var mask: SecretMask { context.mask }
  var journal: Journal { context.journal }
  var past: [IndexedIntegration] { context.past }
  var bot: String { context.start.bot }
  var number: Int { context.start.number }

  func step<T>(
    _ step: Step, by clock: Clock? = nil, _ body: (inout StepRecord) throws(IntegrationStop) -> T
  ) throws(IntegrationStop) -> T {
    try context.step(step, by: clock, body)
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
    var state = IntegrationState(IntegrationRun(self))
    let audited = state.run.auditedDifference
    if let audited, audited.difference != nil { journal.warn(.auditFailed(audited)) }
    do throws(IntegrationStop) {
      // Order → Source
      try state.run.prepare(&state.report)
      try state.run.prepareSources(&state)
      // → Resolution → Build → Analysis → TestRun → Coverage → Comparison → Verdict, for each destination
      let earlier = completed(by: state.report)
      if let earlier { state.report.adopt(earlier) }
      let others = try carryOutAll(from: &state.report, after: earlier)
      // → Verdict of all, beside the past
      try state.take(others)
      if earlier == nil { try lookBack(&state) }
    } catch {
      let isCanceled = error.reason == .canceled
      state.report.stop(
        isCanceled ? IntegrationStop(outcome: error.outcome, reason: integrator.cancellationReason()) : error)
    }
    // → Record → published
    state.run.conclude(&state)
    integrator.progress(.step(.completed))
    var finished = try state.run.publish(&state)
    // → told, now that there is something to tell of
    if try state.run.sendMessages(of: &state) { finished = try state.run.publish(&state) }
    if let audited { state.run.forgetAuditedDifference(audited) }
    return finished
  }

  /// Puts the results beside those of earlier integrations, and archives what is green.
  private func lookBack(_ state: inout IntegrationState) throws(IntegrationStop) {
    let run = state.run
    try stopping { state.histories = try run.histories(of: state) }
    // How issues ended tells the rhythm; what comes later may add some.
    run.compareIssues(&state)
    let causes = run.worseCauses(in: state)
    state.histories?.worseCauses = causes
    state.rhythm = run.rhythm(of: state)
    state.practice = run.practice(of: state)
    state.report.take(try run.archive(after: state.report))
  }
}
