import FoundationEssentials
import Model
import Scheduling

/// The other machines that integrations can run on, by name.
struct Machines {
  /// One of them, as far as it is known.
  struct Machine {
    var settings: MachineSettings
    /// What was found when it was last looked at; nil if that has not been done yet.
    var report: MachineReport?
    /// What has gone wrong since then, as a sentence.
    var trouble: String?
    /// Whether it told untruths, so that it is not used again before a person has looked after it.
    var isBarred = false
    /// When it last answered or gave news; nil for never.
    var heardAt: Date?
    var look: (any AnsweringTask<MachineReport>)?
    /// The IDs that the running look has it remove.
    var dropping: [String] = []
    /// The time at which a look that does not end is killed, and of the next look, on the steady clock.
    var killTime: Double?
    var nextLook = 0.0
    /// The time before which it is not used, however it looks, on the steady clock.
    var restsUntil = 0.0
    /// The looks that failed in a row, and the integrations that it did not carry out.
    var failures = 0
    var refusals = 0
    /// The process that keeps the connection, and the time at which it is started again.
    var connection: (any RunningTask)?
    var nextConnection = 0.0

    /// Why it is unavailable, as a sentence; nil if it can be used.
    var reason: String? {
      trouble ?? (report == nil ? "It has not been looked at yet." : report?.trouble)
    }
  }

  /// The time in seconds between two looks at a machine.
  private static let interval = 600.0
  /// Returns the shorter time before one that failed so many times in a row is looked at or used again.
  private static func pause(after failures: Int) -> Double { min(15 * Double(1 << min(failures, 6)), interval) }
  /// The time in seconds after which a look is considered hung: the first one copies the program.
  private static let longestLook = 900.0

  private(set) var all: [String: Machine] = [:]
  /// In the order of the settings.
  private(set) var names: [String] = []
  /// The IDs of integrations that machines are to end and remove, by machine.
  var dropped: [String: Set<String>] = [:]
  /// Where refs were last integrated, by bot, as far as that was asked.
  var lastPlaces: [String: [RefName: LastPlace]] = [:]

  var isEmpty: Bool { names.isEmpty }

  /// In the order of the settings.
  var listed: [Machine] { names.compactMap { all[$0] } }

  /// Where the ref of an entry, or its bot if it has none, was last integrated.
  subscript(lastOf entry: QueueEntry) -> LastPlace? {
    get { lastPlaces[entry.bot]?[entry.ref ?? RefName(rawValue: "")] }
    // Those of a bot are read all at once; one alone would look like all of them.
    set { lastPlaces[entry.bot]?[entry.ref ?? RefName(rawValue: "")] = newValue }
  }

  subscript(name: String) -> Machine? { all[name] }

  /// Updates the machines for the current settings. One whose settings changed is looked at anew.
  mutating func plan(_ settings: [MachineSettings]) {
    names = settings.map(\.name)
    for (name, machine) in all where !settings.contains(machine.settings) {
      machine.look?.kill()
      machine.connection?.kill()
      all[name] = nil
    }
    for one in settings where all[one.name] == nil { all[one.name] = Machine(settings: one) }
  }

  var descriptors: [Int32] {
    all.values.flatMap { ($0.look?.descriptors ?? []) + ($0.connection?.descriptors ?? []) }
  }

  /// The time of the next action, on the steady clock.
  var nextTime: Double? {
    all.values.flatMap { machine in
      [
        machine.look == nil ? machine.nextLook : machine.killTime,
        machine.connection == nil ? machine.nextConnection : nil,
      ]
      .compactMap(\.self)
    }.min()
  }

  /// Whether a machine has never been looked at, so that it is unknown what can run there.
  var isAwaited: Bool { all.values.contains { $0.report == nil } }

  /// Returns all machines for the decision where entries run, this one first.
  ///
  /// - Parameters:
  ///   - running: The running entries, each with its machine.
  ///   - jobs: How many run at once on this machine.
  func candidates(
    _ running: [(entry: QueueEntry, machine: String?)], jobs: Int, at now: Date
  ) -> [PlaceDecision.Candidate] {
    var ends: [String?: [Date]] = [:]
    for (entry, machine) in running {
      let seconds = self[lastOf: entry]?.seconds ?? PlaceDecision.usual
      ends[machine, default: []].append((entry.startedAt ?? now).addingTimeInterval(seconds))
    }
    let others = listed.map { machine in
      PlaceDecision.Candidate(
        machine.settings.name, slots: machine.settings.slots, labels: machine.settings.allLabels,
        trouble: machine.reason, ends: ends[machine.settings.name] ?? [])
    }
    let own = jobs == 0 ? "It only hands out, as 'jobs: 0' in martlet.yml says." : nil
    return [PlaceDecision.Candidate(nil, slots: jobs, trouble: own, ends: ends[nil] ?? [])] + others
  }

  /// Records that a machine gave news.
  mutating func hear(_ name: String, at date: Date) { all[name]?.heardAt = date }

  /// Records what went wrong on a machine, which is looked at again before it is used.
  mutating func mistrust(_ name: String, because reason: String, bars: Bool = false, now: Double) {
    guard let refusals = all[name]?.refusals else { return }
    all[name]?.trouble = reason
    // Looked at at once, since it may still be busy with what nobody wants any more.
    all[name]?.nextLook = now
    // Used as soon as it looks fine, unless it looks so whenever something goes wrong there.
    all[name]?.restsUntil = now + (refusals == 0 ? 0 : Self.pause(after: refusals))
    all[name]?.refusals = refusals + 1
    if bars { all[name]?.isBarred = true }
  }

  /// Records that a machine carried an integration out.
  mutating func trust(_ name: String) { all[name]?.refusals = 0 }

  /// Has a machine remove an integration soon.
  mutating func drop(_ id: String, on name: String, now: Double) {
    dropped[name, default: []].insert(id)
    let planned = all[name]?.nextLook ?? now
    all[name]?.nextLook = min(planned, now)
  }

  mutating func begin(_ look: any AnsweringTask<MachineReport>, at name: String, dropping: [String], now: Double) {
    all[name]?.look = look
    all[name]?.dropping = dropping
    all[name]?.killTime = now + Self.longestLook
  }

  /// Records the end of a look.
  mutating func end(_ name: String, _ report: MachineReport, now: Double) {
    guard var machine = all[name] else { return }
    (machine.look, machine.killTime, machine.dropping) = (nil, nil, [])
    machine.report = report
    if !machine.isBarred, machine.restsUntil <= now { machine.trouble = nil }
    machine.failures = report.trouble == nil ? 0 : machine.failures + 1
    if report.trouble == nil { machine.heardAt = report.date }
    let rest = machine.restsUntil > now ? machine.restsUntil - now : Self.interval
    let pause = report.trouble == nil ? rest : Self.pause(after: machine.failures)
    // What is to be removed there may have been said while it was being looked at.
    let left = (dropped[name] ?? []).subtracting(report.dropped)
    machine.nextLook = now + (report.trouble == nil && !left.isEmpty ? 1 : pause)
    all[name] = machine
  }

  mutating func connect(_ name: String, _ connection: (any RunningTask)?, again time: Double) {
    all[name]?.connection = connection
    all[name]?.nextConnection = time
  }
}
