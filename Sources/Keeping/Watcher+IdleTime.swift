import Model
import Processes
import Scheduling
import Storing

/// The audits of workspaces, which run one at a time while there is nothing else to do.
struct Audits {
  /// The running child, with the integration whose build it audits.
  var running: (child: any RunningIntegration, entry: QueueEntry)?
  /// The time of the next check for a due audit, on the steady clock; nil until an integration ends.
  var nextTime: Double? = 0

  var descriptors: [Int32] { running?.child.descriptors ?? [] }
}

extension Watcher {
  /// The number of a bot's newest integrations to search for one of each branch.
  private static let mostLines = 200

  /// Handles the end of an audit, or gives up a running one if there is work. Otherwise does what waits for idle time:
  /// destinations and functions to try first, then audits.
  func keepIdleTime() {
    hearAudit()
    guard isIdle else { return giveUpAudit() }
    let now = clock.seconds()
    guard audits.running == nil, let time = audits.nextTime, time <= now else { return }
    audits.nextTime = nil
    let bots = registry.bots.values.sorted { $0.name < $1.name }
    keepingStore("look what is to be done in idle time") {
      for bot in bots where try queueIdle(bot) { return }
      for bot in bots where try beginAudit(of: bot) { return }
    }
  }

  /// Queues the newest commit of a branch with what waits for idle time, if a bot has any of it.
  private func queueIdle(_ bot: Bot) throws -> Bool {
    guard bot.hasIdleWork else { return false }
    let lines = try store.history(of: bot.name, limit: Self.mostLines)
    let tips = try store.memory(of: bot.name).tips ?? [:]
    guard let due = IdleDecision(lines.map { ($0.entry, $0.summary?.outcome) }, tips: tips).due else { return false }
    try apply(Decision(bot: bot.name, changes: [.queue(.again(due, because: .idle, at: clock.now()))]))
    return true
  }

  /// Whether nothing is running, waiting or about to start, except what waits for the file of its bot; with `--once`
  /// there is no idle time.
  var isIdle: Bool {
    !isStopping && !options.isOnce && begun.children.isEmpty && begun.lost.isEmpty && !hasEntries
  }

  /// Ends an audit immediately, discarding its build.
  func giveUpAudit() {
    guard let (child, entry) = audits.running else { return }
    child.kill()
    audits.running = nil
    audits.nextTime = clock.seconds()
    say("\(entry.name): the audit was given up, because there is something else to do.")
  }

  /// Records that an integration has built, after which its branch may be audited.
  func noteBuild(_ entry: QueueEntry) {
    audits.nextTime = clock.seconds()
    guard let bot = registry.bots[entry.bot], let ref = entry.ref, ref.branch != nil, let number = entry.number else {
      return
    }
    var marks = WorkspaceMarks<AuditMark>(at: home.auditMarks(of: bot.name))
    guard marks.marks[ref.rawValue] == nil else { return }
    // The first build starts from scratch.
    marks.marks[ref.rawValue] = AuditMark(date: clock.now(), number: number)
    marks.write()
  }

  /// Begins an audit if the bot has one due; otherwise records when the next one will be.
  private func beginAudit(of bot: Bot) throws -> Bool {
    // A bot that always builds from scratch needs no comparison with itself.
    guard bot.clean != .always else { return false }
    let lines = try store.history(of: bot.name, limit: Self.mostLines)
    let built = lines.filter { line in
      line.entry.ref?.branch != nil && line.entry.number != nil && line.summary?.outcome.isConclusive == true
    }
    let newest = Dictionary(built.compactMap { line in line.entry.ref.map { ($0, line.entry) } }) { first, _ in first }
    let marks = WorkspaceMarks<AuditMark>(at: home.auditMarks(of: bot.name)).marks
    let decision = AuditDecision(
      marks: Dictionary(uniqueKeysWithValues: marks.map { (RefName(rawValue: $0), $1) }),
      built: newest.compactMapValues(\.number), at: clock.now())
    if let next = decision.next {
      let time = clock.seconds(until: next)
      audits.nextTime = min(audits.nextTime ?? time, time)
    }
    guard let entry = decision.due.flatMap({ newest[$0] }), let number = entry.number else { return false }
    var order = IntegrationOrder(of: entry, bot, number)
    order.audits = true
    audits.running = (try launcher.launch(order, entry: entry.id), entry)
    say("\(entry.name): auditing its build.")
    return true
  }

  private func hearAudit() {
    guard let (child, entry) = audits.running, let end = child.takeEnd() else { return }
    audits.running = nil
    audits.nextTime = clock.seconds()
    var marks = WorkspaceMarks<AuditMark>(at: home.auditMarks(of: entry.bot))
    // An audit that could not be made is made another day.
    if let ref = entry.ref, let number = entry.number {
      marks.marks[ref.rawValue] = AuditMark(date: clock.now(), number: number)
      marks.write()
    }
    if let failure = end.failure { return report("\(entry.name): its build could not be audited: \(failure)") }
    for case .audited(let audit?) in child.takeNews() {
      guard let words = audit.words else {
        say("\(entry.name): a clean build makes the same.")
        continue
      }
      say("\(entry.name): \(words)")
      integrateAgain(entry)
    }
  }

  /// Requeues a commit that was judged by a build that is not its own.
  private func integrateAgain(_ entry: QueueEntry) {
    keepingStore("integrate \(entry.commit.short) of \(entry.bot) again") {
      guard registry.bots[entry.bot] != nil else { return }
      try apply(Decision(bot: entry.bot, changes: [.queue(.again(entry, because: .rerun, at: clock.now()))]))
    }
  }
}
