import Model

/// A running process of an integration, and what it has told.
final class IntegrationChild {
  let entry: QueueEntry
  let running: any RunningIntegration
  /// Set if the child only closes an integration that was cut off.
  let closing: IntegrationOrder.Closing?
  /// The machine that carries it out; nil for this one.
  let handed: HandedIntegration?
  /// Why another machine has no result of it, and whether it still has anything of it.
  var handOutEnd: HandOutEnd?
  var isReleased = false
  var step = Step.pending
  /// Why Slurm has not begun it yet, in the words of Slurm.
  var waits: String?
  /// How far its tests are; nil unless it tests.
  var tests: RunningTests?
  var summary: IntegrationSummary?
  /// The time at which it is killed, on the steady clock.
  var killTime: Double?
  var isCanceled = false
  /// Whether it ends because the watcher does.
  var isInterrupted = false

  init(
    entry: QueueEntry, running: any RunningIntegration, closing: IntegrationOrder.Closing?,
    handed: HandedIntegration? = nil
  ) {
    self.entry = entry
    self.handed = handed
    self.running = running
    self.closing = closing
  }
}

extension IntegrationOrder {
  /// Creates the order for an entry, with what every order has.
  init(of entry: QueueEntry, _ bot: Bot, _ number: Int) {
    self.init(
      bot: bot, number: number, commit: entry.commit, branch: entry.ref?.branch, cause: entry.cause,
      queuedAt: entry.assignment.queuedAt)
    tag = entry.ref?.tag
  }
}

/// The audits of workspaces, which run one at a time while there is nothing else to do.
struct Audits {
  /// The running child, with the integration whose build it audits.
  var running: (child: any RunningIntegration, entry: QueueEntry)?
  /// The time of the next check for a due audit, on the steady clock; nil until an integration ends.
  var nextTime: Double? = 0

  var descriptors: [Int32] { running?.child.descriptors ?? [] }
}

/// The end of an integration, to be recorded.
struct Ending {
  /// The consequence for the queue.
  enum Sequel {
    case nothing
    /// The integration was cut off: its commits are queued again.
    case again
    /// The watcher was stopped: its commits are queued again as if nothing had happened.
    case asBefore
  }

  var entry: QueueEntry
  var summary: IntegrationSummary
  var sequel: Sequel
  /// The machine that carried it out; nil for this one.
  var handed: HandedIntegration?
  /// Whether that machine has nothing left of it.
  var isReleased = false
}

/// A client that waits for integrations to end.
struct Waiter {
  var connection: ControlSocket.Connection
  var entries: [QueueEntry.ID]
  /// Whether the client wants progress reports.
  var isTold = false
  /// The last report about each entry.
  var told: [QueueEntry.ID: ControlAnswer] = [:]
}

/// The schedule for retrying what the disk refused: after a second at first, and later and later.
struct Retry {
  private(set) var time: Double?
  private var interval = 1.0
  /// The time since which every attempt has failed.
  private(set) var since: Double?

  /// Records a failure.
  mutating func note(now: Double) {
    since = since ?? now
    guard time == nil else { return }
    time = now + interval
    interval = min(interval * 2, 60)
  }

  mutating func succeed() {
    (interval, since) = (1, nil)
  }

  func isDue(now: Double) -> Bool { time.map { $0 <= now } ?? true }

  /// Returns whether to try again now; if so, the attempt counts as made.
  mutating func take(now: Double) -> Bool {
    guard let time, time <= now else { return false }
    self.time = nil
    return true
  }
}
