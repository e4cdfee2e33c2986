package import FoundationEssentials
package import Model

/// The waiting entries to start now, and the reasons why the others wait.
///
/// A bot runs one integration at a time, and all bots together `jobs`. Runs for a changed toolchain come first, then
/// requests by people, then commits, then periodic runs; within a class, entries are ordered by the time they were
/// queued. For every `patience` that an entry has waited, it rises by one class, up to the first: after three of them,
/// nothing queued later precedes it, so nothing waits forever while something else is served.
///
/// A commit whose integration failed twice through no fault of its own comes last: it starts when nothing else is
/// running on its machine, after a pause that grows with each attempt.
package struct StartDecision: Hashable, Sendable {
  /// The time after which an entry rises by one class, in seconds.
  package static let patience: TimeInterval = 3600

  /// The entries to start, most urgent first.
  package private(set) var start: [QueueEntry] = []
  /// The reason why each of the other waiting entries waits, as a sentence.
  package private(set) var waits: [QueueEntry.ID: String] = [:]
  /// All waiting entries in the order in which they are served, including those to start.
  package private(set) var line: [QueueEntry.ID] = []
  /// The entries whose pause is not over yet.
  package private(set) var resting: Set<QueueEntry.ID> = []
  /// The time at which the next of those pauses, or the wait for a machine, ends; nil if there is none.
  package private(set) var nextTime: Date?
  /// The machines on which entries start, unless it is this one.
  package private(set) var machines: [QueueEntry.ID: String] = [:]

  /// - Parameters:
  ///   - entries: All waiting and running entries.
  ///   - jobs: How many run at once on this machine; what others run is decided by `places`.
  ///   - holds: Bots that cannot run now, each with the reason as a sentence.
  ///   - places: Nil if this is the only machine.
  package init(
    entries: [QueueEntry], jobs: Int, holds: [String: String] = [:], places: Places? = nil, at now: Date
  ) {
    var places = places
    let waiting = entries.filter { $0.state == .pending }.map { (entry: $0, rank: Self.rank(of: $0, at: now)) }
      .sorted {
        ($0.rank, $0.entry.assignment.queuedAt, $0.entry.id) < ($1.rank, $1.entry.assignment.queuedAt, $1.entry.id)
      }
      .map(\.entry)
    var taken = entries.filter { $0.state == .running }
    var busy = Dictionary(taken.map { ($0.bot, $0) }, uniquingKeysWith: { first, _ in first })
    line = waiting.map(\.id)
    var ahead = 0
    for entry in waiting {
      if let hold = holds[entry.bot] {
        waits[entry.id] = hold
      } else if let time = entry.calmTime, time > now || places == nil && !taken.isEmpty {
        waits[entry.id] = entry.calmWords
        guard time > now else { continue }
        resting.insert(entry.id)
        nextTime = min(time, nextTime ?? time)
      } else if let other = busy[entry.bot] {
        waits[entry.id] = "\(other.name) goes first; a bot has one integration at a time."
        ahead += 1
      } else if case .wait(let reason, let time)? = place(entry, &places, at: now) {
        waits[entry.id] = entry.calmTime == nil ? reason : entry.calmWords
        if let time { nextTime = min(time, nextTime ?? time) }
        ahead += 1
      } else if places == nil, taken.count >= max(1, jobs) {
        waits[entry.id] = Self.full(taken, ahead: ahead)
        ahead += 1
      } else {
        start.append(entry)
        taken.append(entry)
        busy[entry.bot] = entry
      }
    }
  }

  /// Decides on which of several machines an entry starts, and records it; nil if there is only this one.
  private mutating func place(_ entry: QueueEntry, _ places: inout Places?, at now: Date) -> PlaceDecision.Choice? {
    var wish = places?.wishes[entry.id] ?? PlaceDecision.Wish()
    wish.needsIdleMachine = entry.calmTime != nil
    let choice = places?.decision.choose(wish, at: now)
    if case .start(let machine?)? = choice { machines[entry.id] = machine }
    return choice
  }

  /// Returns the class of an entry; 0 is the most urgent.
  static func rank(of entry: QueueEntry, at now: Date) -> Int {
    guard entry.calmTime == nil else { return .max }
    let first =
      switch entry.cause {
      case .toolchain: 0
      case .person, .rerun: 1
      case .commit: 2
      case .schedule: 3
      case .idle: 4
      }
    let waited = max(0, min(now.timeIntervalSince(entry.assignment.queuedAt), 100 * patience))
    return max(0, first - Int(waited / patience))
  }

  private static func full(_ taken: [QueueEntry], ahead: Int) -> String {
    let names = taken.map(\.name).joined(separator: ", ")
    let jobs = taken.count == 1 ? "The only job is taken" : "All \(taken.count) jobs are taken"
    let others = ahead == 0 ? "it is next" : ahead == 1 ? "one other is before it" : "\(ahead) others are before it"
    return "\(jobs) (\(names)); \(others)."
  }
}

extension QueueEntry {
  /// What the entry is called: by its number, or by its commit before it has one.
  package var name: String { number.map { "\(bot) \($0)" } ?? "\(bot) at \(commit.short)" }

  /// The number of attempts before a commit waits until nothing else runs.
  private static let quickAttempts = 2
  /// The first pause in seconds; each later one is three times as long.
  private static let firstPause: TimeInterval = 300

  /// The time from which the entry may start, provided that nothing else is running; nil if it is served in turn.
  package var calmTime: Date? { calmPause.map { assignment.queuedAt.addingTimeInterval($0) } }

  private var calmPause: TimeInterval? {
    let calm = assignment.attempt - Self.quickAttempts
    guard calm > 0 else { return nil }
    return (1..<min(calm, 10)).reduce(Self.firstPause) { pause, _ in pause * 3 }
  }

  /// The reason why the entry waits, as a sentence.
  fileprivate var calmWords: String {
    let minutes = Int((calmPause ?? 0) / 60)
    let pause = minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h"
    return "It was cut off \(assignment.attempt - 1) times, which says nothing about the commit; it is tried again "
      + "when nothing else runs, \(pause) after the last time at the earliest."
  }
}

/// The default number of integrations that run at once.
package enum DefaultJobs {
  /// Returns one job for every four cores or every 4 GiB of memory, whichever gives fewer, and at least one.
  ///
  /// A Swift build keeps all cores busy most of the time. A second one alongside gains only while the first is linking
  /// or running tests one by one, and costs the memory of a second set of compilers.
  package static func count(cores: Int, memoryBytes: Int) -> Int {
    max(1, min(cores / 4, memoryBytes / (4 << 30)))
  }
}
