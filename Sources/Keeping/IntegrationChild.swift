import Model

/// An integration that runs in a child.
final class IntegrationChild {
  let entry: QueueEntry
  let running: any RunningIntegration
  /// Set when the child only closes what was cut off.
  let closing: IntegrationOrder.Closing?
  var step = Step.pending
  /// How far its tests are; nil unless it tests.
  var tests: RunningTests?
  var summary: IntegrationSummary?
  /// When it is killed, on the steady clock.
  var killTime: Double?
  /// Whether somebody canceled it.
  var isCanceled = false
  /// Whether it ends because the watcher does.
  var isInterrupted = false

  init(entry: QueueEntry, running: any RunningIntegration, closing: IntegrationOrder.Closing?) {
    self.entry = entry
    self.running = running
    self.closing = closing
  }
}

/// The end of an integration, to be written down.
struct Ending {
  /// What follows for the queue.
  enum Sequel {
    case nothing
    /// It was cut off: its commits are queued again.
    case again
    /// The watcher was stopped: its commits are queued again, as if nothing had been.
    case asBefore
  }

  var entry: QueueEntry
  var summary: IntegrationSummary
  var sequel: Sequel
}

/// Somebody who waits for integrations to end.
struct Waiter {
  var connection: ControlSocket.Connection
  var entries: [QueueEntry.ID]
  /// Whether it wants to hear how far they are.
  var isTold = false
  /// What it heard last of each.
  var told: [QueueEntry.ID: String] = [:]
}

/// When something that the disk refused is tried again.
struct Retry {
  private(set) var time: Double?
  private var interval = 1.0
  /// Since when nothing has gone well.
  private(set) var since: Double?
  /// Repositories about which nothing could be decided.
  var repositories: Set<String> = []

  /// Notes a failure.
  mutating func note(now: Double) {
    since = since ?? now
    guard time == nil else { return }
    time = now + interval
    interval = min(interval * 2, 60)
  }

  /// Notes that it went well.
  mutating func succeed() {
    (interval, since) = (1, nil)
  }

  func isDue(now: Double) -> Bool { time.map { $0 <= now } ?? true }

  /// Whether to try again now; asking is trying.
  mutating func take(now: Double) -> Bool {
    guard let time, time <= now else { return false }
    self.time = nil
    return true
  }
}
