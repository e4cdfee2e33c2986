import BotFiles
import FoundationEssentials
import Model
import Processes
import Scheduling

/// The schedule for starting the child that sends due reports and undelivered messages.
struct SendingSchedule {
  /// The seconds between checks of the outbox, unless a delivery in it is due earlier.
  private static let interval = 60.0

  private var times: [ReportDecision] = []
  private var tellsForges = false
  /// The time at which the next report is due; long ago if it is unknown what was missed.
  private var nextReport: DueTime?
  /// The time of the next check of the outbox, on the steady clock.
  private var nextLook: Double?
  /// Set when the outbox may contain messages.
  var isSuspected = true
  /// The time at which forges are told about commits, on the steady clock; nil if there is nothing new.
  var statusTime: Double?
  var running: (any AnsweringTask<SendingResult>)?
  /// What the running child lacks, as sentences; nil if nothing.
  var lack: String?

  /// Updates the schedule for the current bots; due reports are checked for soon.
  mutating func plan(_ bots: [Bot], _ periods: inout Periods, seconds: Double) {
    tellsForges = bots.contains { $0.status != nil }
    statusTime = tellsForges ? seconds : nil
    times = bots.flatMap { bot in
      bot.periodicMails.compactMap { ReportDecision($0.mail.report, at: $0.mail.at, in: periods.zone(of: bot)) }
    }
    nextReport = times.isEmpty ? nil : DueTime(.distantPast, at: .distantPast)
  }

  /// Returns whether to start a child now.
  mutating func takesStart(outbox: String, now: Date, seconds: Double) -> Bool {
    guard running == nil else { return false }
    let isReportDue = nextReport?.hasCome(at: now) == true
    let isLookDue = isSuspected || nextLook.map { $0 <= seconds } ?? false
    let isStatusDue = statusTime.map { $0 <= seconds } ?? false
    guard isReportDue || isLookDue || isStatusDue else { return false }
    isSuspected = false
    nextLook = nil
    guard isReportDue || isStatusDue || Self.holdsMessages(outbox) else { return false }
    statusTime = nil
    nextReport = DueTime(times.compactMap { $0.next(after: now) }.min(), at: now)
    return true
  }

  /// Records that a child has ended or could not be started.
  ///
  /// - Parameter nextDue: when the first of the messages that wait for their time is due, as far as is known.
  mutating func end(failed: Bool, outbox: String, nextDue: Date?, now: Date, seconds: Double) {
    running = nil
    if Self.holdsMessages(outbox) {
      let wait = nextDue.map { max(1, $0.timeIntervalSince(now)) } ?? Self.interval
      nextLook = seconds + min(wait, Self.interval)
    }
    // The next child does what this one could not.
    if failed, !times.isEmpty { nextReport = DueTime(now.addingTimeInterval(Self.interval), at: now) }
    if failed, tellsForges { statusTime = seconds + Self.interval }
  }

  /// Returns the time of the next action, on the steady clock; at most a minute from now for anything that depends on
  /// the time of day.
  func nextTime(_ clock: Clock) -> Double? {
    guard running == nil else { return nil }
    let report = (nextReport?.date).map(clock.seconds(until:))
    return [report, nextLook, statusTime].compactMap(\.self).min()
  }

  fileprivate static func holdsMessages(_ outbox: String) -> Bool {
    WatchHome.visibleNames(in: outbox).contains { $0.hasSuffix(".json") }
  }
}

extension Watcher {
  /// Starts the child that sends messages if there may be some, and handles the end of the previous one.
  func keepMessages() {
    if let end = sending.running?.takeEnd() {
      let failure = end.failure.map { "Not everything could be delivered: \($0)" }
      // Nothing is lacking as long as nothing waits.
      let lack = SendingSchedule.holdsMessages(home.outbox) ? sending.lack : nil
      tellSender([failure, lack].compactMap(\.self).nonEmpty?.joined(separator: " "))
      let result = sending.running?.takeAnswer()
      if let result { tellRefusals(result.troubles) }
      for (bot, numbers) in result?.changed ?? [:] {
        tasks.change.bots.insert(bot)
        tasks.change.integrations[bot, default: []].formUnion(numbers)
      }
      sending.end(
        failed: end.failure != nil, outbox: home.outbox, nextDue: result?.nextDue, now: clock.now(),
        seconds: clock.seconds())
    }
    guard !isStopping,
      sending.takesStart(outbox: home.outbox, now: clock.now(), seconds: clock.seconds())
    else { return }
    do {
      sending.running = try launcher.deliver(sendingOrder())
    } catch {
      tellSender("Nothing can be delivered now: \(error)")
      sending.end(failed: true, outbox: home.outbox, nextDue: nil, now: clock.now(), seconds: clock.seconds())
    }
  }

  /// Returns what the child is to do, and notes the secrets that cannot be read: what needs none of them is sent.
  private func sendingOrder() -> SendingOrder {
    let bots = registry.bots.values.filter(\.sendsMessages).sorted { $0.name < $1.name }
    let mail = registry.mailAccount()
    var order = SendingOrder(bots: bots, mailAccount: mail.account, secrets: [:])
    order.address = registry.settings.address
    var lacks = mail.lack.map { ["No mail is sent: \("\($0)".withStop)"] } ?? []
    for bot in bots where !bot.sendingSecrets.isEmpty {
      do throws(BotFileError) {
        order.secrets[bot.name] = try registry.secrets(bot.sendingSecrets, of: bot)
      } catch {
        lacks.append("\(bot.name) sends nothing that needs its secrets: \("\(error)".withStop)")
      }
    }
    sending.lack = lacks.nonEmpty?.joined(separator: " ")
    return order
  }

  /// Reports forges' new refusals, and remembers them for as long as they persist.
  private func tellRefusals(_ troubles: [String: String]) {
    let old = problems.refusals
    let changed = Set(old.keys).union(troubles.keys).filter { old[$0] != troubles[$0] }
    for bot in changed.sorted() {
      if let trouble = troubles[bot] { say("\(bot): \(trouble)") }
    }
    problems.refusals = troubles
    tasks.change.bots.formUnion(changed)
  }

  /// Reports a change in the trouble with sending.
  private func tellSender(_ trouble: String?) {
    if note(trouble, as: \.sending) { tasks.change.queue = true }
  }
}
