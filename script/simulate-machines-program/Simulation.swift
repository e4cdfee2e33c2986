import FoundationEssentials
import Glibc
import Model
import Scheduling

/// A day of machines, integrations and failures, in seconds of a clock of its own.
struct Simulation {
  /// One simulated machine.
  struct Machine {
    var name: String
    var labels: Set<String>
    var slots: Int
    /// Until when it is dead, and until when it cannot be reached.
    var deadUntil = 0.0
    var hiddenUntil = 0.0
    /// The branches of which it has a build.
    var builds: Set<Int> = []
    /// How many integrations it runs, or ran when it became out of reach.
    var taken = 0
  }

  /// What runs somewhere.
  struct Run {
    var entry: QueueEntry
    var machine: Int
    var end: Double
  }

  static let epoch = Date(timeIntervalSince1970: 1_790_000_000)
  /// The mean time in seconds between two deaths of a machine, and the time it is dead.
  static let (lifetime, repair) = (14 * 86400.0, 1800.0)
  /// The time in seconds between two partitions, and how long one lasts.
  static let (partitionPause, partition) = (6 * 3600.0, 600.0)

  var machines: [Machine]
  var chance: SeededGenerator
  let traffic: Traffic
  var waiting: [QueueEntry.ID: QueueEntry] = [:]
  var running: [QueueEntry.ID: Run] = [:]
  var pushes: [QueueEntry.ID: Traffic.Push] = [:]
  var last: [Int: LastPlace] = [:]
  var index: [String: Int] = [:]
  var figures = Figures()
  private var nextID = 1

  init(machines count: Int, perDay: Int, seed: UInt64) {
    machines = (0..<count).map { number in
      Machine(name: "m\(number)", labels: [number % 5 == 0 ? "aarch64" : "x86_64"], slots: 4)
    }
    for (number, machine) in machines.enumerated() { index[machine.name] = number }
    chance = SeededGenerator(seed: seed)
    traffic = Traffic(perDay: perDay)
  }

  /// Lets one second pass.
  mutating func step(at time: Double) {
    fail(at: time)
    end(at: time)
    for push in traffic.pushes(at: time, &chance) { queue(push, at: time, attempt: 1) }
    start(at: time)
    figures.mostWaiting = max(figures.mostWaiting, waiting.count)
    figures.mostRunning = max(figures.mostRunning, running.count)
  }

  mutating func queue(_ push: Traffic.Push, at time: Double, attempt: Int) {
    let assignment = Assignment(
      bot: "bot\(push.bot)", ref: RefName(branch: "b\(push.branch)"), commit: CommitID(rawValue: "c\(nextID)"),
      cause: .commit, queuedAt: Self.epoch.addingTimeInterval(time), attempt: attempt)
    waiting[nextID] = QueueEntry(id: nextID, assignment: assignment)
    pushes[nextID] = push
    nextID += 1
    if attempt == 1 { figures.pushed += 1 }
  }

  private mutating func fail(at time: Double) {
    for _ in 0..<chance.count(mean: Double(machines.count) / Self.lifetime) {
      let number = Int.random(in: machines.indices, using: &chance)
      machines[number].deadUntil = time + Self.repair
      (machines[number].builds, machines[number].taken) = ([], 0)
      figures.deaths += 1
      // What ran there is gone; the watcher gives it a second attempt.
      for (id, run) in running where run.machine == number {
        running[id] = nil
        figures.repeated += 1
        if let push = pushes.removeValue(forKey: id) {
          queue(push, at: time, attempt: run.entry.assignment.attempt + 1)
        }
      }
    }
    if time > 0, time.truncatingRemainder(dividingBy: Self.partitionPause) == 0 {
      figures.partitions += 1
      for number in machines.indices where Double.random(in: 0..<1, using: &chance) < 0.1 {
        machines[number].hiddenUntil = time + Self.partition
      }
    }
  }

  /// Takes in what has ended on machines that can be reached.
  private mutating func end(at time: Double) {
    for (id, run) in running where run.end <= time && machines[run.machine].hiddenUntil <= time {
      running[id] = nil
      machines[run.machine].taken -= 1
      guard let push = pushes.removeValue(forKey: id) else {
        figures.doubled += 1
        continue
      }
      let seconds = run.end - (run.entry.startedAt ?? Self.epoch).timeIntervalSince(Self.epoch)
      last[Self.branch(push)] = LastPlace(machine: machines[run.machine].name, seconds: max(1, seconds))
      figures.ended += 1
    }
  }

  private static func branch(_ push: Traffic.Push) -> Int { push.bot * 3 + push.branch }

  private mutating func start(at time: Double) {
    guard !waiting.isEmpty else { return }
    let now = Self.epoch.addingTimeInterval(time)
    let entries = (waiting.values + running.values.map(\.entry)).sorted { $0.id < $1.id }
    var places = Places(PlaceDecision(candidates(at: time)), wishes: [:])
    for (id, _) in waiting {
      guard let push = pushes[id] else { continue }
      let isLabelled = Double(push.bot) < Traffic.labelledShare * Double(traffic.bots)
      places.wishes[id] = PlaceDecision.Wish(
        labels: isLabelled ? ["aarch64"] : [], last: last[Self.branch(push)])
    }
    let began = Self.processorTime
    let decision = StartDecision(entries: entries, jobs: 0, places: places, at: now)
    figures.decisions.append(Self.processorTime - began)
    for entry in decision.start { begin(entry, on: decision.machines[entry.id], at: time) }
  }

  /// The seconds of the processor that the simulation has taken; others may have it meanwhile.
  static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func candidates(at time: Double) -> [PlaceDecision.Candidate] {
    var ends: [Int: [Date]] = [:]
    for run in running.values {
      let seconds = pushes[run.entry.id].flatMap { last[Self.branch($0)]?.seconds } ?? PlaceDecision.usual
      ends[run.machine, default: []].append((run.entry.startedAt ?? Self.epoch).addingTimeInterval(seconds))
    }
    let here = PlaceDecision.Candidate(nil, slots: 0, trouble: "It only hands out.")
    return [here]
      + machines.enumerated().map { number, machine in
        PlaceDecision.Candidate(
          machine.name, slots: machine.slots, labels: machine.labels,
          trouble: max(machine.deadUntil, machine.hiddenUntil) > time ? "It cannot be reached." : nil,
          ends: ends[number] ?? [])
      }
  }

  private mutating func begin(_ entry: QueueEntry, on name: String?, at time: Double) {
    guard let name, let number = index[name], let push = pushes[entry.id], waiting[entry.id] != nil else {
      figures.misplaced += 1
      return
    }
    var started = entry
    (started.state, started.startedAt) = (.running, Self.epoch.addingTimeInterval(time))
    waiting[entry.id] = nil
    let branch = Self.branch(push)
    let isWarm = machines[number].builds.contains(branch)
    machines[number].builds.insert(branch)
    let seconds = push.seconds * (isWarm ? 1 : Traffic.coldFactor)
    running[entry.id] = Run(entry: started, machine: number, end: time + seconds)
    figures.started += 1
    figures.warm += isWarm ? 1 : 0
    figures.work += seconds
    figures.delays.append(time - entry.assignment.queuedAt.timeIntervalSince(Self.epoch))
    figures.turnarounds.append(figures.delays[figures.delays.count - 1] + seconds)
    machines[number].taken += 1
    if machines[number].taken > machines[number].slots { figures.overfull += 1 }
  }
}
