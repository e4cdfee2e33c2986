import Comparing
package import FoundationEssentials
import Model
package import Notifying
import Processes
import Rendering
import Storing

/// What comes up of messages whose integration is finished: that one was refused, or given up, is an issue of it all the
/// same.
package struct LateFailures {
  private let home: Home
  private let secrets: [String: [String: String]]

  /// - Parameter secrets: the values that nobody may read, by bot and name.
  package init(in home: Home, secrets: [String: [String: String]]) {
    (self.home, self.secrets) = (home, secrets)
  }

  /// Whether the integration of a message still runs, which sends it and tells of it by itself.
  package func isSending(_ delivery: Delivery) -> Bool {
    guard let number = delivery.source?.number else { return false }
    // Without the index, rather both send than none.
    let line = try? PastIndex(of: home).ask { store throws(StoringError) in
      try store.integration(number, of: delivery.bot)
    }
    return line?.entry.state == .running
  }

  /// Adds the refusal of a message to its integration, whose document is written again. The report stays as it is: what it
  /// was made from is gone.
  ///
  /// - Returns: the number of the integration; nil if there is none, or it is not kept any more.
  package func add(_ delivery: Delivery, refused reason: String, now: Date) throws(IntegratingError) -> Int? {
    guard let source = delivery.source else { return nil }
    let (bot, number) = (delivery.bot, source.number)
    let (kept, report) = (home.integration(number, of: bot), home.report(number, of: bot))
    guard kept.holds(StoredIntegration.fileName) else { return nil }
    var document = try StoredIntegration(in: kept).document
    let mask = SecretMask(Array((secrets[bot] ?? [:]).values))
    let failure = TriggerReport.failure(
      of: source.trigger, .afterTrigger, mask.mask(delivery.refusal(because: reason)))
    let silences = try Silences(in: home.integrations(of: bot)).all()
    document.add(late: failure, silences: silences, now: now) { $0.sentence }
    let result = ResultFolder(home: home, bot: bot, number: number, document: try document.encoded())
    try result.finish()
    if report.holds(StoredIntegration.fileName) { try report.write(result.document, to: StoredIntegration.fileName) }
    let log = Step.afterTriggers.logPath
    if kept.holds(log) { try kept.append(Array("\(failure.sentence)\n".utf8), to: log) }
    try PastIndex(of: home).ask(changes: true) { store throws(StoringError) in
      try store.correct(IntegrationSummary(of: document), number, of: bot)
    }
    return number
  }
}
