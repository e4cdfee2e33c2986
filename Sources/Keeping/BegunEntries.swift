import Model

/// The entries that the watcher has begun, each with how far it has come.
///
/// ```
/// child ──► ended ──► only in the store
///  │ ▲ └──► lost ───► child that closes it
///  ▼ │
/// elsewhere, unplaced
/// ```
///
/// An entry that runs according to the store, but is not in here, was not given to a process because the store failed,
/// or is left to the next watcher.
struct BegunEntries {
  /// How far an entry has come.
  enum Stage {
    /// A process carries it out, closes it, or follows the machine that carries it out.
    case child(IntegrationChild)
    /// A machine carries it out, and no process follows it, at least until a time on the steady clock.
    case elsewhere(HandedIntegration, until: Double?)
    /// The machine that was chosen for it does not take it, so that it needs another one.
    case unplaced
    /// It was cut off and needs to be closed, which has failed a number of times.
    case lost(IntegrationOrder.Closing, failures: Int)
    /// It has ended, which is not in the store yet.
    case ended(Ending)

    /// The stage of an integration that was just cut off.
    static func lost(_ outcome: Outcome, because reason: String) -> Stage {
      .lost(IntegrationOrder.Closing(outcome: outcome, reason: reason), failures: 0)
    }

    /// The machine that carries it out; nil for this one, and once nothing carries it out.
    var machine: String? {
      switch self {
      case .child(let child): child.handed?.machine
      case .elsewhere(let handed, _): handed.machine
      case .unplaced, .lost, .ended: nil
      }
    }
  }

  private var stages: [QueueEntry.ID: Stage] = [:]

  var isEmpty: Bool { stages.isEmpty }

  subscript(id: QueueEntry.ID) -> Stage? {
    get { stages[id] }
    set { stages[id] = newValue }
  }

  func child(_ id: QueueEntry.ID) -> IntegrationChild? {
    if case .child(let child)? = stages[id] { child } else { nil }
  }

  var children: [IntegrationChild] {
    all.compactMap { if case .child(let child) = $1 { child } else { nil } }
  }

  /// How far the tests are of what runs.
  var progress: WatchProgress {
    let entries = children.compactMap { child in
      child.tests.flatMap { tests in
        child.entry.number.map { WatchProgress.Entry(bot: child.entry.bot, number: $0, tests: tests) }
      }
    }.sorted { ($0.bot, $0.number) < ($1.bot, $1.number) }
    return WatchProgress(entries)
  }

  var elsewhere: [(id: QueueEntry.ID, handed: HandedIntegration, until: Double?)] {
    all.compactMap { if case .elsewhere(let handed, let time) = $1 { ($0, handed, time) } else { nil } }
  }

  var unplaced: [QueueEntry.ID] {
    all.compactMap { if case .unplaced = $1 { $0 } else { nil } }
  }

  var lost: [(id: QueueEntry.ID, closing: IntegrationOrder.Closing, failures: Int)] {
    all.compactMap { if case .lost(let closing, let failures) = $1 { ($0, closing, failures) } else { nil } }
  }

  var endings: [Ending] {
    all.compactMap { if case .ended(let ending) = $1 { ending } else { nil } }
  }

  /// In the order in which the entries were queued.
  private var all: [(QueueEntry.ID, Stage)] { stages.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
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
