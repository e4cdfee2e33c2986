import Model

/// A running process of an integration, and what it has told.
final class IntegrationChild {
  /// What the process is there for.
  enum Task {
    /// It carries the integration out.
    case carries
    /// It follows the machine that carries it out.
    case follows(HandedIntegration)
    /// It closes an integration that was cut off, which has failed a number of times.
    case closes(IntegrationOrder.Closing, failures: Int)
  }

  let entry: QueueEntry
  let task: Task
  let running: any RunningIntegration
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

  init(_ entry: QueueEntry, _ task: Task, running: any RunningIntegration) {
    self.entry = entry
    self.task = task
    self.running = running
  }

  /// The machine that carries it out; nil for this one.
  var handed: HandedIntegration? { if case .follows(let handed) = task { handed } else { nil } }

  var isClosing: Bool { if case .closes = task { true } else { false } }

  /// Returns what follows for the queue from the end of the integration.
  ///
  /// - Parameter entry: The entry as it is now in the store.
  func sequel(of summary: IntegrationSummary, _ entry: QueueEntry) -> Ending.Sequel {
    // Martlet's own trouble says nothing about the commit.
    if summary.outcome == .internalError { return .again }
    // Any other end of what is closed means that the integration was finished but the store did not know.
    if isClosing, summary.wasClosed { return .again }
    guard summary.outcome == .canceled, !isCanceled, entry.cancelReason == nil else { return .nothing }
    // Nobody canceled it, so it has said nothing about its commit. It ended with its watcher, or somebody told its
    // process to end, as happens to all when a machine shuts down.
    return isClosing || isInterrupted ? .asBefore : .again
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
