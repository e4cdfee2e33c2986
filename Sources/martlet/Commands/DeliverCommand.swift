import FoundationEssentials
import Integrating
import Model
import Notifying
import Processes
import Rendering

/// `martlet deliver`: sends scheduled reports that are due and the messages in the outbox, in a separate process.
///
/// The order arrives as one line of JSON on standard input, and the result is written as another one. The end of the
/// input means that the watcher is gone, and the rest is left to the next one. The exit status is 3 if something will
/// never be delivered.
struct DeliverCommand: Subcommand {
  let name = "deliver"
  let summary = "send what is due, as the watcher orders on standard input"
  let options = [
    Option.templates,
    Option.home,
  ]
  let discussion = "This command is how 'martlet watch' sends mail by the clock; people have no use for it."

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let input = try OrderInput<SendingOrder>(for: self, instead: "Use 'martlet watch'.", arguments, context)
    let (order, home, cancellation) = (input.order, input.home, input.cancellation)
    let templates = try context.templates(arguments)
    input.cancelAtItsEnd()
    let sender = Sender(
      outbox: Outbox(home.outbox), mailAccount: order.mailAccount, secrets: order.secrets,
      environment: context.environment,
      now: { Date() }, cancellation: cancellation)
    let time = LocalTime.ofThisMachine
    var failures: [String] = []
    if let mailAccount = order.mailAccount {
      for bot in order.bots {
        let reports = BotReports(
          bot: bot, mailAccount: mailAccount, address: order.address, home: home, outbox: sender.outbox,
          renderer: MessageRenderer(templates: templates.library, time: time), now: Date(),
          zoneVariable: context.environment["TZ"])
        do {
          try reports.write()
        } catch {
          // The other bots' reports are sent all the same.
          failures.append("\(bot.name): \(error)")
        }
      }
    }
    var result = SendingResult()
    let late = LateFailures(in: home, secrets: order.secrets)
    try deliver(sender, cancellation, late, for: order, &result, &failures)
    for bot in order.bots where bot.status != nil {
      do {
        try StatusAnnouncements(of: bot, in: home, address: order.address, outbox: sender.outbox).write(now: Date())
      } catch {
        failures.append("\(bot.name): \(error)")
      }
    }
    result.troubles = try StatusRound(sender).run()
    result.nextDue = sender.outbox.nextDue(after: sender.now())
    try context.answer(result)
    for failure in failures { context.remark("error: \(failure)") }
    return failures.isEmpty ? ExitCode.success : ExitCode.service
  }

  /// Tries each due message in the outbox once.
  private func deliver(
    _ sender: Sender, _ cancellation: Cancellation, _ late: LateFailures, for order: SendingOrder,
    _ result: inout SendingResult, _ failures: inout [String]
  ) throws {
    // A server that does not answer delays the others only once.
    var silent: Set<String> = []
    for name in sender.outbox.names() where !cancellation.isCanceled {
      guard let delivery = sender.outbox.delivery(name), !delivery.isStatus, delivery.dueAt <= sender.now(),
        !order.holdsBack(delivery), !late.isSending(delivery)
      else { continue }
      let server = if case .mail = delivery.way { "mail" } else { delivery.place }
      guard !silent.contains(server) else { continue }
      switch try sender.deliver(name, log: { _ in }) {
      case .accepted, .taken, .resting: break
      case .waiting(_, let isReached): if isReached == false { silent.insert(server) }
      case .refused(let reason):
        failures.append("\(delivery.bot): what was for \(delivery.place) is not delivered: \(reason)")
        do {
          guard let number = try late.add(delivery, refused: reason, now: sender.now()) else { continue }
          result.changed = (result.changed ?? [:]).merging([delivery.bot: [number]]) { $0.union($1) }
        } catch {
          // The others are sent all the same.
          failures.append("\(error)")
        }
      }
    }
  }
}
