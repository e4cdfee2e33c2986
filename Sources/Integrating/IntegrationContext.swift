import Git
import Model
import Processes
import Rendering

/// The repository of an integration and its claimed workspace, which its destinations share.
final class ClaimedWorkspace {
  let repository: Repository
  let workspace: BotWorkspace

  init(_ workspace: consuming BotWorkspace, of repository: consuming Repository) {
    self.workspace = workspace
    self.repository = repository
  }
}

/// The inputs of one integration and the notes taken on the way; confined to the thread that carries the integration
/// out. Each further destination has its own, and so has each build beside others (`beside`).
final class IntegrationContext {
  /// The request, before the package's `.martlet.yml` is taken into account.
  let asked: IntegrationRequest
  let target: Target
  let claimed: ClaimedWorkspace
  let toolchain: Toolchain
  let containment: Containment
  let integrator: Integrator
  /// The folder of the integration's kept files.
  let kept: Folder
  /// Keeps the request's secrets out of everything that is written.
  let mask: SecretMask
  /// The integration in its initial state.
  let start: Integration
  let journal = Journal()
  /// Whether the commit's files were put aside for what comes after the tests, which happens once, when they are needed.
  var isPutAside = false
  /// The program that distinguishes an exit status from a signal inside sandboxes.
  private(set) lazy var endReporter = EndReporter.make(in: workshop)
  /// The compiler that answers SwiftPM's questions from memory; nil if there is none. Swift Build, which asks compilers
  /// itself, does without.
  private(set) lazy var compilerShim = buildSystem == .native ? CompilerShim.make(in: workshop) : nil

  /// The bot's finished integrations of the same package and repository at the beginning of this one, oldest first.
  let past: [IndexedIntegration]
  /// Where the destinations before this one remember what they learned about the package.
  let memories: [Folder]
  /// What must be equal for two integrations to be comparable, as the first destination says it; nil for that one.
  let firstScope: String?

  var buildSystem: BuildSystem { asked.buildSystem ?? toolchain.buildSystem }

  var index: PastIndex { PastIndex(of: integrator.home) }
  var integrations: Folder { integrator.home.integrations(of: start.bot) }

  private init(
    asked: IntegrationRequest, target: Target, claimed: ClaimedWorkspace, toolchain: Toolchain,
    containment: Containment, integrator: Integrator, kept: Folder, start: Integration, past: [IndexedIntegration],
    memories: [Folder] = [], firstScope: String? = nil
  ) {
    self.asked = asked
    self.target = target
    self.claimed = claimed
    self.toolchain = toolchain
    self.containment = containment
    self.integrator = integrator
    self.kept = kept
    mask = SecretMask(asked.secrets)
    self.start = start
    self.past = past
    self.memories = memories
    self.firstScope = firstScope
  }

  /// The purpose for which a workspace is claimed.
  enum Occasion {
    case integration
    /// The audit of a finished integration; nothing of the audit is kept.
    case audit
  }

  /// Claims the workspace and takes the next number.
  static func claim(
    for occasion: Occasion, request: IntegrationRequest, target: Target, repository: consuming Repository,
    toolchain: Toolchain, containment: Containment, integrator: Integrator
  ) throws(IntegratingError) -> IntegrationContext {
    let home = integrator.home
    let bot =
      if let place = request.place { place.bot } else {
        try home.botName(
          for: repository.name, at: repository.commonPath, package: target.package, besides: request.bots)
      }
    let commit = try answering { try repository.commit(target.commit) }
    let workspace = try BotWorkspace.claim(
      target.group, of: bot, in: home.workspaces(of: bot), cancellation: integrator.cancellation,
      progress: integrator.progress)
    if request.place == nil { try LeftReports(home: home, bot: bot).complete() }
    let (number, kept) =
      switch occasion {
      case .integration: try home.createIntegration(request.place, of: bot, repository: repository.commonPath)
      case .audit: (request.place?.number ?? 0, workspace.audit)
      }
    let command = RepeatCommand(
      request, target: target, repository: request.repeatedRepository(at: repository.path), toolchain: toolchain)
    var start = Integration(
      bot: bot, number: number, repository: request.shownRepository(at: repository.path), packagePath: target.package,
      branch: target.branch,
      commit: commit, cause: request.cause, toolchain: toolchain.name, configuration: request.configuration,
      sandbox: containment.word, queuedAt: request.queuedAt, repeatCommand: command.text)
    let all = try PastIndex(of: home).integrations(of: bot)
    let since = home.results(of: bot).since(number, of: repository, named: start.repository, in: all)
    let past = all.filter { $0.isOf(package: target.package) && $0.repositorySince == since }
    start.repositorySince = since
    start.toolchainStamp = toolchain.stampOfDocuments
    start.unfilteredCommand = command.unfiltered
    start.rerunCommand = request.place.map(RepeatCommand.rerun)
    (start.buildCommand, start.testCommand) = (command.build, command.test)
    start.limits = request.resources.words
    start.lacksNetwork = containment.lacksNetwork
    start.tag = target.tag
    start.isBehindBranch = target.isBehindBranch(after: past, in: repository)
    start.choosesTests = request.place == nil && !(request.tests.filter + request.tests.skip).isEmpty
    start.startedAt = integrator.clock.now()
    start.slowMark = request.tests.slow.inSeconds
    return IntegrationContext(
      asked: request, target: target, claimed: ClaimedWorkspace(workspace, of: repository), toolchain: toolchain,
      containment: containment, integrator: integrator, kept: kept, start: start,
      past: past)
  }

  /// Returns a context for another destination, with its own folder and journal.
  ///
  /// - Parameters:
  ///   - toolchain: nil if there is none for it, so that nothing can be built.
  ///   - cells: the destinations before it.
  func cell(
    _ request: IntegrationRequest, _ destination: Destination, with toolchain: Toolchain?, beside cells: [Cell]
  ) -> IntegrationContext {
    let path = request.repeatedRepository(at: claimed.repository.path)
    let command = RepeatCommand(request, target: target, repository: path, toolchain: toolchain)
    var start = start
    start.toolchain = toolchain?.name ?? ""
    start.toolchainStamp = toolchain?.stampOfDocuments
    start.configuration = request.configuration
    (start.repeatCommand, start.unfilteredCommand) = (command.text, command.unfiltered)
    start.rerunCommand = nil
    (start.buildCommand, start.testCommand) = (command.build, command.test)
    start.startedAt = integrator.clock.now()
    return IntegrationContext(
      asked: request, target: target, claimed: claimed, toolchain: toolchain ?? self.toolchain,
      containment: containment,
      integrator: integrator, kept: kept.cell(destination.name), start: start, past: past,
      memories: cells.map(\.run.memory), firstScope: cells.first?.run.scope)
  }

  /// Returns the same context for a thread of its own, with a journal of its own.
  ///
  /// - Parameter progress: receives what happens there.
  func beside(telling progress: @escaping ProgressHandler) -> IntegrationContext {
    var integrator = integrator
    integrator.progress = progress
    let context = IntegrationContext(
      asked: asked, target: target, claimed: claimed, toolchain: toolchain, containment: containment,
      integrator: integrator, kept: kept, start: start, past: past, memories: memories, firstScope: firstScope)
    // Both are made in a folder of the home, in which two threads of one process would be in each other's way.
    context.endReporter = endReporter
    context.compilerShim = compilerShim
    return context
  }

  /// Runs one step, and records its cost even if it fails.
  ///
  /// - Parameter clock: what its time is taken by; nil for the usual clock.
  func step<T>(_ step: Step, by clock: Clock? = nil, _ body: (inout StepRecord) throws(IntegrationStop) -> T)
    throws(IntegrationStop) -> T
  {
    let clock = clock ?? integrator.clock
    if integrator.cancellation.isCanceled { throw .canceled }
    integrator.progress(.step(step))
    let start = clock.seconds()
    var record = StepRecord(name: step, duration: 0)
    defer {
      record.duration = clock.seconds() - start
      journal.note(record)
    }
    return try body(&record)
  }
}

/// The notes taken during an integration, which are kept even if its stages fail.
final class Journal {
  /// The records of the steps, in the order in which the steps ended.
  private(set) var steps: [StepRecord] = []
  /// Warnings about what Martlet failed to do properly.
  private(set) var warnings: [ServiceWarning] = []

  func note(_ step: StepRecord) { steps.append(step) }

  func warn(_ warning: ServiceWarning) { warnings.append(warning) }

  func warn(_ more: [ServiceWarning]) { warnings += more }

  /// Merges the step at a position into the last step, which repeated it.
  func join(_ position: Int) {
    let first = steps.remove(at: position)
    steps[steps.count - 1].add(first)
  }
}

/// The early end of an integration: its outcome and the reason.
struct IntegrationStop: Error {
  var outcome: Outcome
  var reason: OutcomeReason
  /// What may mend it, as a sentence; nil if the reason says all.
  var hint: String?
  /// The problems with their locations, if there is more to show than the reason.
  var findings = Findings()

  static let canceled = IntegrationStop(outcome: .canceled, reason: .canceled)

  /// The reason, and what may mend it.
  var reasons: [OutcomeReason] { [reason] + [hint.map(OutcomeReason.hint)].compactMap(\.self) }

  init(outcome: Outcome, reason: OutcomeReason, hint: String? = nil, findings: Findings = Findings()) {
    self.outcome = outcome
    self.reason = reason
    self.hint = hint
    self.findings = findings
  }

  init(outcome: Outcome, reason: String, findings: Findings = Findings()) {
    self.init(outcome: outcome, reason: .stopped(reason), findings: findings)
  }

  /// Ends the integration because of an error: an internal one of Martlet's, unless it has another outcome.
  init(_ error: any Error, outcome: Outcome = .internalError) {
    self = error as? IntegrationStop ?? IntegrationStop(outcome: outcome, reason: "\(error)")
  }
}

/// Ends the integration because of whatever error is thrown.
///
/// - Parameter cancellation: what explains the error if it has happened.
func stopping<Value: ~Copyable>(
  as outcome: Outcome = .internalError, unless cancellation: Cancellation? = nil, _ body: () throws -> Value
) throws(IntegrationStop) -> Value {
  do {
    return try body()
  } catch {
    throw cancellation?.isCanceled == true ? .canceled : IntegrationStop(error, outcome: outcome)
  }
}

/// The diagnostics of an integration so far, with the steps that found them.
struct Findings {
  var diagnostics: [Diagnostic] = []
  /// The step that found each diagnostic; none for the diagnostics of an earlier build.
  var steps: [Diagnostic: Step] = [:]

  var hasErrors: Bool { errorCount > 0 }
  var errorCount: Int { diagnostics.count { $0.severity == .error } }

  /// Adds the diagnostics of a step; a diagnostic that is already known stays with the step that found it first.
  mutating func add(_ found: [Diagnostic], of step: Step) {
    let known = Set(diagnostics)
    for diagnostic in found where !known.contains(diagnostic) {
      diagnostics.append(diagnostic)
      steps[diagnostic] = step
    }
  }
}
