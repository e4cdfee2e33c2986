import Comparing
import Model
import Notifying
import Processes

extension IntegrationRun {
  /// Runs the scripts before the integration; the first that fails ends it.
  func runBeforeTriggers(_ state: inout IntegrationState) throws(IntegrationStop) {
    journal.warn(request.scripts.missingSecrets.map { .secretWithoutValue($0, bot: bot) })
    let scripts = numbered(request.scripts.before.map { .script($0) })
    guard !scripts.isEmpty else { return }
    try step(.beforeTriggers) { (record) throws(IntegrationStop) in
      let log = try StepLog(.beforeTriggers, in: kept, mask: mask)
      for script in scripts {
        guard let failure = try run(script, of: &state, in: log, record: &record) else { continue }
        state.report.triggers.failures.append(failure)
        try log.close()
        throw IntegrationStop(outcome: .triggerError, reason: .triggerFailed(failure.subject, said: failure.sentence))
      }
      try log.close()
    }
  }

  /// Does what follows when the outcome is known: the issues, what is due after the integration, and the commit's note.
  func conclude(_ state: inout IntegrationState) {
    compareIssues(&state)
    runAfterTriggers(&state)
    writeNote(&state)
  }

  func writeNote(_ state: inout IntegrationState) {
    if let problem = writeNote(of: state.integration), !journal.warnings.contains(problem) {
      journal.warn(problem)
      compareIssues(&state)
    }
  }

  func compareIssues(_ state: inout IntegrationState) {
    compareIssues(&state.report, in: state.integration)
  }

  /// Runs what is due after the integration, in the bot's order, each regardless of the others.
  private func runAfterTriggers(_ state: inout IntegrationState) {
    let integration = state.integration
    let due = numbered(request.scripts.after).filter { trigger in
      // Without a checkout, the workspace contains another commit.
      if case .script(let script) = trigger.trigger, case .packageFile = script.source, source == nil { return false }
      // Scripts did their work on the commit when it was first integrated.
      if trigger.trigger.isScript, integration.cause == .idle { return false }
      return trigger.trigger.isDue(after: integration)
    }
    guard !due.isEmpty, integration.outcome != .canceled else { return }
    do throws(IntegrationStop) {
      try step(.afterTriggers) { (record) throws(IntegrationStop) in
        let log = try StepLog(.afterTriggers, in: kept, mask: mask)
        try run(due, after: &state, in: log, record: &record)
        try log.close()
      }
    } catch {
      state.report.verdict = Verdict(error.outcome, [error.reason])
      dropMessages(&state.report.triggers)
    }
    compareIssues(&state)
  }

  /// Writes what waits to be sent once more, in the place of what leads to a report: none could be made.
  func writeMessagesAgain(_ state: inout IntegrationState) {
    let waiting = Set(state.report.triggers.messages.map(\.name))
    let integration = state.integration
    do throws(IntegrationStop) {
      for trigger in numbered(request.scripts.after) where waiting.contains(trigger.name) {
        var deliveries: [Delivery] = []
        // The log has its lines, and what could be written with a place can be written without.
        _ = try write(trigger, of: integration, to: &deliveries) { _ in }
      }
    } catch {
      state.report.verdict = Verdict(error.outcome, [error.reason])
      dropMessages(&state.report.triggers)
      compareIssues(&state)
    }
  }

  /// Returns the names of the after-triggers that did not run and may have something left to do: after a green
  /// integration, those that are due, otherwise all.
  ///
  /// - Parameter ran: the names of those that ran.
  func waitingTriggers(after integration: Integration, ran: Set<String>) -> Set<String> {
    Set(
      numbered(request.scripts.after).filter { trigger in
        !ran.contains(trigger.name)
          && (!integration.outcome.isGreen || trigger.trigger.isDue(after: integration))
      }.map(\.name))
  }

  private struct Numbered {
    var trigger: Trigger
    var name: String
    var position: Int

    /// Returns what to report about its failure.
    func failure(_ end: String) -> IssueFinder.OwnFinding {
      TriggerReport.failure(
        of: name, title: trigger.title(of: name), trigger.isBefore ? .beforeTrigger : .afterTrigger, end)
    }
  }

  private func numbered(_ triggers: [Trigger]) -> [Numbered] {
    zip(triggers, triggers.names).enumerated().map { offset, named in
      Numbered(trigger: named.0, name: named.1, position: offset + 1)
    }
  }

  /// The names of the bot's triggers, by those that older versions gave them.
  var olderTriggerNames: [String: String] {
    let pairs = [request.scripts.before.map { Trigger.script($0) }, request.scripts.after].flatMap { triggers in
      zip(triggers.indices.map { triggers[$0].olderName(at: $0 + 1) }, triggers.names)
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  private func run(_ due: [Numbered], after state: inout IntegrationState, in log: StepLog, record: inout StepRecord)
    throws(IntegrationStop)
  {
    let judged = state.report.judged
    var failed: StepRecord?
    let before = state.report.triggers.failures.count
    for trigger in due {
      let failure = try run(trigger, of: &state, in: log, record: &record)
      state.report.triggers.ran.insert(trigger.name)
      guard let failure else { continue }
      state.report.triggers.failures.append(failure)
      failed = failed ?? record
      // Later triggers report it.
      state.report.verdict = judged.adding(
        triggerFailures: Array(state.report.triggers.failures.dropFirst(before)))
      compareIssues(&state)
    }
    // The step records how the first process that failed ended.
    if let failed { (record.exitStatus, record.signal) = (failed.exitStatus, failed.signal) }
  }

  /// Runs one trigger, or writes what it tells; returns what went wrong, if anything.
  private func run(_ trigger: Numbered, of state: inout IntegrationState, in log: StepLog, record: inout StepRecord)
    throws(IntegrationStop) -> IssueFinder.OwnFinding?
  {
    let integration = state.integration
    if case .script(let script) = trigger.trigger {
      return try run(script, trigger, of: integration, in: log, record: &record)
    }
    var deliveries: [Delivery] = []
    let failure = try write(trigger, of: integration, to: &deliveries) { (line) throws(IntegrationStop) in
      try log.note(line)
    }
    if failure == nil { state.report.triggers.messages.append(HeldMessage(name: trigger.name, deliveries: deliveries)) }
    return failure.map(trigger.failure)
  }

  /// Writes what a trigger other than a script tells; returns what failed, as the end of a sentence.
  private func write(
    _ trigger: Numbered, of integration: Integration, to deliveries: inout [Delivery],
    note: (String) throws(IntegrationStop) -> Void
  ) throws(IntegrationStop) -> String? {
    let (name, position) = (trigger.name, trigger.position)
    switch trigger.trigger {
    case .script: return nil
    case .mail(let mail):
      return try write(mail, name, of: integration, position: position, to: &deliveries, note: note)
    case .webhook(let webhook):
      return try write(webhook, name, of: integration, position: position, to: &deliveries, note: note)
    }
  }

  private func run(
    _ script: Trigger.Script, _ trigger: Numbered, of integration: Integration, in log: StepLog,
    record: inout StepRecord
  ) throws(IntegrationStop) -> IssueFinder.OwnFinding? {
    // After the tests, only the commit's files count.
    let isAfter = script.moment == .after
    let sources = source == nil ? nil : isAfter ? try putAside() : claimed.workspace.source
    let package = isAfter ? releasePackage : packageFolder
    let file: TriggerScript
    do {
      file = try TriggerScript.find(script.source, position: trigger.position, package: package, in: self)
      if let refusal = TriggerScript.refusal(
        of: request.scripts.write(for: script), beside: request.sandbox, own: integrator.home.folder.path)
      {
        throw refusal
      }
    } catch let refusal as TriggerScript.Refusal {
      record.exitStatus = nil
      return trigger.failure("could not be started: \(refusal.reason)")
    } catch {
      throw IntegrationStop(error)
    }
    let sandbox = try triggerSandbox(for: file, script, in: sources)
    let places = places(source: isAfter ? claimed.workspace.release : claimed.workspace.source, package: package)
    let command = Command(
      file.program, file.arguments, environment: environment(of: script, integration, at: places, in: sandbox),
      workingDirectory: sources != nil && package.exists ? package.path : kept.path
    ).contained(in: sandbox)
    let result = try log.run(
      command, announcedAs: script.beginning.map { .trigger(trigger.position, $0) },
      limits: request.resources.limits(wallClock: script.timeout, writing: [sources?.path].compactMap(\.self)),
      cancellation: integrator.cancellation,
      record: &record)
    try log.noteEnd(of: result)
    return request.resources.failure(result).map(trigger.failure)
  }

  private func places(source: Folder, package: Folder) -> TriggerEnvironment.Places {
    let log = Step.building.logPath
    return TriggerEnvironment.Places(
      source: source.path, package: package.path, kept: kept.path, scratch: scratch.path,
      products: (engine.products ?? scratch).path, buildLog: kept.holds(log) ? kept.file(log) : nil)
  }

  private func environment(
    of script: Trigger.Script, _ integration: Integration, at places: TriggerEnvironment.Places, in sandbox: Sandbox?
  ) -> [String: String] {
    let facts = TriggerEnvironment.Facts(
      integration: integration, places: places, isOver: script.moment == .after)
    let base = ChildEnvironment.building(from: integrator.environment, toolchain: toolchain)
      .merging(request.environment) { $1 }
    return (sandbox.map { ChildEnvironment.contained(base, in: $0) } ?? base)
      .merging(request.scripts.secrets(for: script.source)) { $1 }
      .merging(TriggerEnvironment.variables(facts)) { $1 }
  }
}
