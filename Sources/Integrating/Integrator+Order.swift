import FoundationEssentials
import Git
package import Model
import Rendering

extension Integrator {
  /// Does what the watcher ordered: carries an integration out, or closes one that was cut off.
  ///
  /// Whatever goes wrong becomes an integration too, with its number and the reason, so that nothing that was due is
  /// without an answer. What is thrown means that even that could not be written.
  package func carryOut(_ order: IntegrationOrder) throws(IntegratingError) -> FinishedIntegration {
    if let closing = order.closing { return try close(order, closing.outcome, because: closing.reason) }
    do throws(IntegratingError) {
      return try integrate(IntegrationRequest(order))
    } catch {
      let place = home.integrations(of: order.bot.name).folder(String(order.number))
      // Its results are kept; a report that could not be made must not replace them.
      guard !place.holds(StoredIntegration.fileName) else { throw error }
      let outcome: Outcome =
        switch error.kind {
        case .canceled: .canceled
        case .request: .checkoutError
        case .service: .internalError
        }
      return try close(order, outcome, because: error.description)
    }
  }

  /// Writes the document and the report of an integration that was not carried out.
  private func close(_ order: IntegrationOrder, _ outcome: Outcome, because reason: String)
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
    integration.coverage = .unavailable(reason: reason)
    let publisher = Publisher(
      home: home, kept: try home.createIntegration(place, of: commonPath),
      templates: templates, time: time)
    return try publisher.publish(integration, scope: Ledger.Entry.unknownScope, isDirty: false) {
      Report(integration: integration, logs: [], sources: [:])
    }
  }

  /// What can be read of the repository; that it is gone is one of the reasons to close an integration.
  private func known(of order: IntegrationOrder) -> (path: String, commonPath: String, commit: Commit) {
    let unread = Commit(id: order.commit, summary: "", author: "", date: order.queuedAt)
    guard let repository = try? Repository(at: order.bot.repository) else {
      return (order.bot.repository, order.bot.repository, unread)
    }
    return (repository.path, repository.commonPath, (try? repository.commit(order.commit)) ?? unread)
  }
}
