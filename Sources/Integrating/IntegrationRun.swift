import Comparing
import FoundationEssentials
import Git
import Model
import Parsing
import Processes
import Rendering

/// One integration on its way from checkout to report; it belongs to the thread that carries it out.
final class IntegrationRun {
  /// As it was made, and from the checkout on with what the package's `.martlet.yml` adds.
  var request: IntegrationRequest
  /// As it was made.
  let asked: IntegrationRequest
  var target: Target
  let repository: Repository
  let toolchain: Toolchain
  let containment: Containment
  let integrator: Integrator
  /// The folder of what is kept of this integration.
  let kept: Folder
  let workspace: BotWorkspace
  /// Keeps the request's secrets out of everything that is written.
  let mask: SecretMask
  /// The program that tells an exit status from a signal inside sandboxes.
  private(set) lazy var endReporter = EndReporter.make(
    with: toolchain, in: integrator.home.folder.folder("toolchains"),
    environment: ChildEnvironment.building(from: integrator.environment, toolchain: toolchain),
    cancellation: integrator.cancellation)

  /// The bot's finished integrations, as the ledger has them when they are first asked for.
  private(set) lazy var ledger = Ledger(in: integrator.home.integrations(of: integration.bot)).entries()

  /// The manifests as they were when they were first asked for, after the scripts that run before.
  private(set) lazy var manifests = PackageManifests(of: self)

  var integration: Integration
  /// How dependencies are fetched without this machine's loopback; nil until there are any to fetch.
  var router: Router?
  /// The document of the integration that this one is compared with.
  var baselineDocument: IntegrationDocument?
  /// The text of sources that are in no blob of the commit, by path in the repository.
  var submoduleSources: [String: [UInt8]] = [:]
  /// The workspace as the last step left it.
  var footprint: WorkspaceFootprint?
  /// What `Package.resolved` pinned before SwiftPM wrote to it; nil where the checkout brought none.
  var checkedOutPins: PackagePins?
  /// The sources as contained tests see them; nil until there are tests to run.
  var testView: FolderView?
  /// The commit's files, put aside before anything was built; nil where nobody has needed them yet.
  var releaseTree: Folder?
  /// Whether the workspace holds the commit, and not what an integration before left there.
  var isCheckedOut = false
  /// Whether everything was compiled and linked.
  var isBuilt = false
  /// The other steps that find errors and came to a good end.
  var passed: Set<Step> = []
  /// The steps that found what SwiftPM and the package's settings are told for.
  var diagnosticSteps: [Diagnostic: Step] = [:]
  /// The tests that only the package's own `.martlet.yml` keeps from running.
  var leftOutTests: [TestID] = []
  /// What SwiftPM last said that it did when it could not resolve the dependencies; nil where it could.
  var failedResolving: String?
  /// Whether the last build failed where it began to fetch something.
  var failedFetching = false
  /// Whether the analyze action came to its end.
  var isAnalyzed = false
  var model: PackageModel?
  /// SwiftPM's answer about the package's targets, while it is being waited for.
  var modelAnswer: Worker<PackageModel>?
  /// How test processes will be followed, while the observer is being made.
  var observationAnswer: Worker<Observation>?
  /// What the build made; nil until it succeeded.
  var products: BuildProducts?
  /// Sentences about what is missing from the proof that every listed test ran.
  var gaps: [String] = []
  /// What Martlet could not do as it should.
  var serviceWarnings: [ServiceWarning] = []
  /// What became of the scripts that the bot runs before and after.
  var triggered = TriggerReport()
  /// Sentences about test processes that left no counters.
  var lostCounters: [String] = []
  /// The counters of test processes without any test, and why there are none.
  var startUps: [TestSession.StartUp] = []
  var startUpFailure: String?
  /// Who wrote the lines of counted sources, by path.
  var origins: [String: [LineOrigin]] = [:]
  /// Failures that a library recorded outside every test.
  var unattributedFailures: [TestFailure] = []
  /// What came of running each test alone, if that was asked for.
  var isolation: IsolationReport?
  /// Whether the conditions on coverage were come to.
  var areGatesJudged = false
  /// What an audit has found since the last integration, which this one tells.
  var toldAudit: BuildAudit?
  /// How issues are followed through integrations.
  var following = IssueFollowing()
  /// The names of listed tests outside the selection.
  var filteredOut: Set<TestID> = []

  private init(
    request: IntegrationRequest, target: Target, repository: consuming Repository, toolchain: Toolchain,
    containment: Containment, integrator: Integrator, kept: Folder, workspace: consuming BotWorkspace,
    integration: Integration
  ) {
    self.request = request
    asked = request
    self.target = target
    self.repository = repository
    self.toolchain = toolchain
    self.containment = containment
    self.integrator = integrator
    self.kept = kept
    self.workspace = workspace
    mask = SecretMask(request.secrets)
    self.integration = integration
  }

  /// What is to be done in a workspace.
  enum Occasion {
    case integration
    /// The audit of an integration that is over, of which nothing is kept.
    case audit
  }

  /// Claims the workspace and takes the next number.
  static func start(
    _ occasion: Occasion, request: IntegrationRequest, target: Target, repository: consuming Repository,
    toolchain: Toolchain, containment: Containment, integrator: Integrator
  ) throws(IntegratingError) -> IntegrationRun {
    let home = integrator.home
    let bot =
      if let place = request.place { place.bot } else {
        try home.botName(
          for: repository.name, at: repository.commonPath, package: target.package, besides: request.bots)
      }
    let commit: Commit
    do throws(GitError) {
      commit = try repository.commit(target.commit)
    } catch {
      throw IntegratingError(error)
    }
    let workspace = try BotWorkspace.claim(
      target.group, of: bot, in: home.workspaces(of: bot), cancellation: integrator.cancellation,
      progress: integrator.progress)
    if request.place == nil { try LeftReports(home: home, bot: bot).complete() }
    let (number, kept) =
      switch occasion {
      case .integration: try home.createIntegration(request.place, of: bot, repository: repository.commonPath)
      case .audit: (request.place?.number ?? 0, workspace.audit)
      }
    let command = RepeatCommand(request, target: target, repository: repository.path)
    var integration = Integration(
      bot: bot, number: number, repository: repository.path, packagePath: target.package, branch: target.branch,
      commit: commit, cause: request.cause, toolchain: toolchain.name, configuration: request.configuration,
      sandbox: containment.word, queuedAt: request.queuedAt,
      repeatCommand: command.text)
    integration.unfilteredCommand = command.unfiltered
    integration.limits = request.resources.words
    integration.tag = target.tag
    integration.startedAt = integrator.clock.now()
    integration.slowMark = request.slow.inSeconds
    return IntegrationRun(
      request: request, target: target, repository: repository, toolchain: toolchain, containment: containment,
      integrator: integrator, kept: kept, workspace: workspace, integration: integration)
  }

  /// The order of an integration.
  func carryOut() throws(IntegratingError) -> FinishedIntegration {
    defer {
      // What cannot be removed now is taken away when the next one begins.
      try? workspace.removePassing()
      workspace.leave()
    }
    integrator.progress(.started(bot: integration.bot, number: integration.number, commit: integration.commit))
    do throws(IntegrationStop) {
      try prepare()
      try prepareSources()
      noteFootprint(of: nil)
      try resolve()
      try askForModelEarly()
      try prepareObserver()
      do {
        // A dependency may be why it does not build.
        defer { noteDependencies() }
        try build()
      }
      noteFootprint(of: .build)
      try analyze()
      if isAnalyzed { noteFootprint(of: .analyzer) }
      if isBuilt { try testAndMeasure() }
      try judge()
      tellRhythm()
      makePracticeCard()
      try archive()
    } catch {
      integration.outcome = error.outcome
      integration.reasons = [error.reason]
      if integration.coverage.coverage == nil { integration.coverage = .unavailable(reason: error.reason) }
    }
    // The questions must not outlive the integration; after a failed build their answers, or errors, are of no use.
    _ = try? modelAnswer?.join()
    _ = try? observationAnswer?.join()
    compare()
    runAfterTriggers()
    writeNote()
    integrator.progress(.step(.completed))
    let finished = try publish()
    forgetAuditedDifference()
    return finished
  }

  /// Brings the workspace to the commit and settles what is asked for, which decides what it is compared with.
  private func prepare() throws(IntegrationStop) {
    defer { findBaseline() }
    tellAuditedDifference()
    try claimScratch()
    try checkOut()
    isCheckedOut = true
    try applyPackageSettings()
    passed.insert(.checkout)
    noteCircumstances()
  }

  /// Tests what was built and compares its coverage, where that is asked for.
  private func testAndMeasure() throws(IntegrationStop) {
    guard request.actions.contains(.test) else {
      guard asked.actions.contains(.test) else { return }
      // A package passes no gate by not being looked at.
      integration.coverage = .unavailable(reason: PackageOmission(.testsNotRun).sentence)
      if !request.gates.isEmpty { compareCoverage() }
      return
    }
    try test()
    noteWhatTestsWrote()
    try measureCoverage()
    compareCoverage()
    findOrigins()
  }

  /// Runs one step, and records what it cost whatever becomes of it.
  func step<T>(_ step: Step, _ body: (inout StepRecord) throws(IntegrationStop) -> T)
    throws(IntegrationStop) -> T
  {
    if integrator.cancellation.isCanceled { throw .canceled }
    integrator.progress(.step(step))
    let start = integrator.clock.seconds()
    var record = StepRecord(name: step, duration: 0)
    defer {
      record.duration = integrator.clock.seconds() - start
      integration.steps.append(record)
    }
    return try body(&record)
  }
}

/// Why an integration ended before its time, as an outcome.
struct IntegrationStop: Error {
  var outcome: Outcome
  var reason: String

  static let canceled = IntegrationStop(outcome: .canceled, reason: "The integration was canceled.")

  init(outcome: Outcome, reason: String) {
    self.outcome = outcome
    self.reason = reason
  }

  /// Trouble of Martlet's own in the middle of an integration.
  init(_ error: any Error) {
    self.init(outcome: .internalError, reason: "\(error)")
  }
}
