import FoundationEssentials
import Git
package import Model
package import Processes
package import Rendering

/// Carries integrations from a request to a published report.
///
/// Every call blocks its thread until it is done; callers dedicate a thread to it.
package struct Integrator: Sendable {
  package var home: Home
  package var templates: ReportTemplates
  /// The caller's environment; programs get only what an allow-list lets through.
  package var environment: [String: String]
  package var clock: Clock
  /// The local time that pages show.
  package var time: LocalTime
  package var cancellation: Cancellation
  /// Returns what it means that the cancellation is canceled.
  package var cancellationReason: @Sendable () -> OutcomeReason = { .canceled }
  package var progress: ProgressHandler

  package init(
    home: Home, templates: ReportTemplates, environment: [String: String], clock: Clock, time: LocalTime,
    cancellation: Cancellation, progress: @escaping ProgressHandler
  ) {
    self.home = home
    self.templates = templates
    self.environment = environment
    self.clock = clock
    self.time = time
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Carries out the requested integration and publishes its report.
  ///
  /// A red build is a result, not an error. An error means that there is no integration: either the request was wrong,
  /// and nothing is left behind, or Martlet could not do its job.
  package func integrate(_ request: IntegrationRequest) throws(IntegratingError) -> FinishedIntegration {
    if let problem = request.destinations?.problem {
      throw IntegratingError(.request, "these destinations cannot be used: \(problem).")
    }
    let context = try begin(.integration, request)
    let leftOut = Self.leftOut(of: request, in: context.claimed.repository)
    var finished = try context.carryOut()
    finished.leftOut = leftOut
    return finished
  }

  /// Compares the build of a finished integration with a build from scratch.
  ///
  /// - Returns: nil if there is nothing to compare, or if the comparison cannot be made now.
  package func audit(_ order: IntegrationOrder) throws(IntegratingError) -> BuildAudit? {
    let run = IntegrationRun(try begin(.audit, IntegrationRequest(order)))
    do throws(IntegrationStop) {
      return try run.carryOutAudit()
    } catch {
      throw IntegratingError(error.outcome == .canceled ? .canceled : .service, error.reason.sentence)
    }
  }

  /// Prepares what a request needs and claims its workspace.
  private func begin(_ occasion: IntegrationContext.Occasion, _ raw: IntegrationRequest) throws(IntegratingError)
    -> IntegrationContext
  {
    let request = raw.first
    let decision = try decideContainment(for: request)
    // What it tries must not outlive a request that fails meanwhile.
    defer { _ = try? decision.join() }
    let repository = try open(request.repository)
    let target = try Target(of: request, in: repository)
    try home.requirePrivate()
    let toolchain = try toolchain(for: request)
    let containment = try answering { try decision.join() }
    try home.prepare()
    return try IntegrationContext.claim(
      for: occasion, request: request, target: target, repository: repository, toolchain: toolchain,
      containment: containment, integrator: self)
  }

  /// Starts to decide about the sandbox: trying one takes as long as opening a repository.
  private func decideContainment(for request: IntegrationRequest) throws(IntegratingError) -> Worker<Containment> {
    let (searchPath, cancellation) = (environment["PATH"] ?? "", cancellation)
    return try answering {
      try Worker {
        try Containment.decide(request.sandbox, searchPath: searchPath, cancellation: cancellation)
      }
    }
  }

  func toolchain(for request: IntegrationRequest) throws(IntegratingError) -> Toolchain {
    let toolchain = try home.toolchain(
      request.toolchain, searchPath: environment["PATH"] ?? "", cancellation: cancellation)
    try requireBuildSystem(of: request, toolchain)
    return toolchain
  }

  /// Measured with Swift 6.3.1, which handles all other characters that are special to a shell.
  private static let lettersBeyondSwiftBuild: Set<Character> = [":", "%", "\\", "\n"]

  /// Rejects what a build system cannot do, before anything is built.
  private func requireBuildSystem(of request: IntegrationRequest, _ toolchain: Toolchain) throws(IntegratingError) {
    guard (request.buildSystem ?? toolchain.buildSystem) == .swiftbuild else { return }
    guard toolchain.version >= Toolchain.oldestWithSwiftBuild else {
      throw IntegratingError(
        .request,
        "cannot build with Swift Build: the toolchain is \(toolchain.name), and Martlet knows Swift Build from Swift \(Toolchain.oldestWithSwiftBuild) on. Build with 'native', or take a newer toolchain. 'martlet help toolchains' tells what was tried."
      )
    }
    if let letter = home.folder.path.first(where: { Self.lettersBeyondSwiftBuild.contains($0) }) {
      throw IntegratingError(
        .request,
        "cannot build with Swift Build in \(home.folder.path): it builds nothing in a folder with '\(letter)' in its name. Take another home, or build with 'native'."
      )
    }
    guard request.actions.contains(.test), request.arguments.contains("--disable-index-store") else { return }
    throw IntegratingError(
      .request,
      "cannot test what is built with '--disable-index-store': Swift Build finds the tests of XCTest in the index, and runs none without it. Leave the argument out."
    )
  }

  /// Returns the number of files in the work tree whose changes are not integrated with the checked-out commit.
  private static func leftOut(of request: IntegrationRequest, in repository: borrowing Repository) -> Int {
    guard request.subject == .head, repository.workTree != nil else { return 0 }
    // The work tree is not part of the request, so a failure to read it does not matter.
    return (try? repository.changes().count) ?? 0
  }

  private func open(_ path: String) throws(IntegratingError) -> Repository {
    return try answering { try Repository(at: path) }
  }
}

/// A finished integration with its report in place.
package struct FinishedIntegration: Sendable {
  package var integration: Integration
  /// The bytes of `integration.json`.
  package var document: [UInt8]
  /// The folder of the report.
  package var report: Folder
  /// Why the report could not be made; nil if it was.
  package var failure: (any Error)?
  /// The number of files whose changes were not integrated, because only the commit was requested.
  package var leftOut = 0

  /// The path of the report's first page.
  package var page: String { report.file("index.html") }

  /// Throws why there is no report, for whoever waits for it.
  package func requireReport() throws(IntegratingError) {
    guard let failure else { return }
    let place = "\(integration.bot)/\(integration.number)"
    throw IntegratingError(
      .service, "\(failure)\nOnly the report could not be made; 'martlet show \(place)' tells the results.")
  }
}

extension Integrator {
  /// Carries out an order of the watcher: an integration, or the closing of one that was interrupted.
  ///
  /// Whatever goes wrong becomes an integration too, with its number and the reason, so that nothing that was due
  /// remains unanswered. An error means that not even that could be written.
  package func carryOut(_ order: IntegrationOrder) throws(IntegratingError) -> FinishedIntegration {
    if let closing = order.closing {
      let closed = try close(order, closing.outcome, because: .closed(closing.reason))
      try closed.requireReport()
      return closed
    }
    do throws(IntegratingError) {
      return try integrate(IntegrationRequest(order))
    } catch {
      let place = home.integration(order.number, of: order.bot.name)
      // The results are kept: an end that tells only of the error must not replace them.
      guard !place.holds(StoredIntegration.fileName) else { throw error }
      let outcome: Outcome =
        switch error.kind {
        case .canceled: .canceled
        case .request: .checkoutError
        case .service: .internalError
        }
      return try close(order, outcome, because: .stopped(error.description))
    }
  }

  /// Writes the document and the report of an integration that was not carried out, or not to its end.
  private func close(_ order: IntegrationOrder, _ outcome: Outcome, because reason: OutcomeReason)
    throws(IntegratingError) -> FinishedIntegration
  {
    let bot = order.bot
    let place = IntegrationRequest.Place(bot: bot.name, number: order.number)
    let (path, commonPath, commit) = known(of: order)
    var integration = Integration(
      bot: bot.name, number: order.number, repository: path, packagePath: bot.package,
      branch: order.branch, commit: commit, cause: order.cause,
      toolchain: bot.toolchain ?? "", configuration: bot.configuration, sandbox: bot.sandbox.mode.rawValue,
      queuedAt: order.queuedAt, repeatCommand: "martlet integrate \(bot.name) --commit \(order.commit)")
    integration.tag = order.tag
    integration.startedAt = clock.now()
    integration.endedAt = integration.startedAt
    integration.outcome = outcome
    integration.reasons = [reason]
    integration.coverage = .unmeasured(because: reason)
    let kept = try home.createIntegration(place, of: commonPath, keepsLogs: true)
    // What was written before tells of another end. That it cannot be removed must not keep this one from being told.
    try? HeldMessages(of: bot.name, order.number, for: order.origin, in: home).drop()
    let publisher = Publisher(home: home, kept: kept, templates: templates, time: time)
    return try publisher.publish(integration) { () throws(IntegratingError) in
      Report(integration: integration, logs: Report.logs(in: kept), sources: [:])
    }
  }

  /// Returns what can be read of the repository; a missing repository is one of the reasons for closing an integration.
  private func known(of order: IntegrationOrder) -> (path: String, commonPath: String, commit: Commit) {
    let unread = Commit(id: order.commit, summary: "", author: "", date: order.queuedAt)
    guard let repository = try? Repository(at: order.bot.repository) else {
      return (order.origin?.repository ?? order.bot.shownRepository, order.bot.repository, unread)
    }
    let shown = order.bot.remote?.text ?? order.origin?.repository ?? repository.path
    return (shown, repository.commonPath, (try? repository.commit(order.commit)) ?? unread)
  }
}

extension FinishedIntegration {
  /// Writes the report once more as a single file, beside its pages.
  ///
  /// - Returns: the path of the file, and its contents.
  package func writeSingleFile(with templates: ReportTemplates) throws(IntegratingError) -> (
    path: String, file: SingleFile
  ) {
    do {
      let file = try SingleFile(of: integration, library: templates.library) { report.read($0) }
      try report.write(file.bytes, to: SingleFile.fileName)
      return (report.file(SingleFile.fileName), file)
    } catch {
      throw error as? IntegratingError
        ?? IntegratingError(.service, "\(error)\nThe report itself is \(page); only its single file could not be made.")
    }
  }
}
