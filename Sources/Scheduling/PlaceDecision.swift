package import FoundationEssentials
package import Model

/// Where integrations run: on this machine or on one of the others.
///
/// A branch goes where the bot last integrated it, because most of its build is there already, unless that machine is
/// busy for longer than the last integration took: then building from scratch elsewhere is done earlier. Otherwise it
/// goes to the machine with the most free slots, this one first.
package struct PlaceDecision: Hashable, Sendable {
  /// A machine, with what runs on it.
  package struct Candidate: Hashable, Sendable {
    /// Nil for this machine.
    package var machine: String?
    package var slots: Int
    package var labels: Set<String>
    /// Why it is passed over, as a sentence; nil if it can be used.
    package var trouble: String?
    /// When each of the integrations that run there is expected to end.
    package var ends: [Date]

    package init(_ machine: String?, slots: Int, labels: Set<String> = [], trouble: String? = nil, ends: [Date] = []) {
      self.machine = machine
      self.slots = slots
      self.labels = labels.union([machine ?? MachineSettings.ownName])
      self.trouble = trouble
      self.ends = ends
    }

    package var name: String { machine ?? MachineSettings.ownName }
    fileprivate var free: Int { slots - ends.count }
  }

  /// What an entry asks of the machine that it runs on.
  package struct Wish: Hashable, Sendable {
    package var labels: [String]
    package var last: LastPlace?
    /// Why only this machine will do, as a sentence; nil if others may.
    package var staysHere: String?

    package init(labels: [String] = [], last: LastPlace? = nil, staysHere: String? = nil) {
      self.labels = labels
      self.last = last
      self.staysHere = staysHere
    }
  }

  /// What is decided for one entry.
  package enum Choice: Hashable, Sendable {
    /// - Parameter machine: Nil for this machine.
    case start(on: String?)
    /// It waits; the reason is a sentence.
    case wait(String)
  }

  /// The expected duration, in seconds, of what never ran before.
  package static let usual: TimeInterval = 600

  private var candidates: [Candidate]
  private let whenDown: WhenDown

  package init(_ candidates: [Candidate], whenDown: WhenDown = .wait) {
    self.candidates = candidates
    self.whenDown = whenDown
  }

  /// Decides where an entry runs, and takes a slot there.
  package mutating func choose(_ wish: Wish, at now: Date) -> Choice {
    let choice = choice(for: wish, at: now)
    if case .start(let machine) = choice, let index = candidates.firstIndex(where: { $0.machine == machine }) {
      candidates[index].ends.append(now.addingTimeInterval(wish.last?.seconds ?? Self.usual))
    }
    return choice
  }

  private func choice(for wish: Wish, at now: Date) -> Choice {
    let labelled = candidates.filter { $0.labels.isSuperset(of: wish.labels) }
    guard !labelled.isEmpty else { return .wait(Self.unknown(wish.labels)) }
    let fitting = wish.staysHere == nil ? labelled : labelled.filter { $0.machine == nil }
    if fitting.isEmpty, let reason = wish.staysHere { return .wait(reason) }
    let usable = fitting.filter { $0.trouble == nil && $0.slots > 0 }
    guard !usable.isEmpty else { return withoutMachines(fitting, wish) }
    if let last = wish.last, let there = usable.first(where: { $0.machine == last.machine }) {
      if there.free > 0 { return .start(on: there.machine) }
      let pause = max(0, (there.ends.min() ?? now).timeIntervalSince(now))
      if pause <= last.seconds {
        return .wait("It waits for \(there.name), which has the build of its branch and is expected to be free first.")
      }
    }
    let free = usable.filter { $0.free > 0 }
    guard let best = free.max(by: { ($0.free, $0.machine == nil ? 1 : 0) < ($1.free, $1.machine == nil ? 1 : 0) })
    else {
      let names = CountText.list(usable.map(\.name))
      return .wait("Every machine that will do is busy: \(names).")
    }
    return .start(on: best.machine)
  }

  /// Decides for an entry for which no machine can be used.
  private func withoutMachines(_ fitting: [Candidate], _ wish: Wish) -> Choice {
    if whenDown == .local || wish.staysHere != nil, let here = candidates.first(where: { $0.machine == nil }) {
      return here.ends.count < max(1, here.slots) ? .start(on: nil) : .wait("This machine is busy.")
    }
    let reasons = fitting.compactMap { one in one.trouble.map { "\(one.name) is passed over: \($0)" } }
    return .wait((["No machine that will do can be used."] + reasons).joined(separator: " "))
  }

  private static func unknown(_ labels: [String]) -> String {
    let what = labels.count == 1 ? "the label \(labels[0])" : "all the labels \(CountText.list(labels))"
    return "No machine has \(what); martlet.yml says what each has."
  }
}

/// The machines and the entries' wishes, if there is more than one machine.
package struct Places: Hashable, Sendable {
  package var decision: PlaceDecision
  package var wishes: [QueueEntry.ID: PlaceDecision.Wish]

  package init(_ decision: PlaceDecision, wishes: [QueueEntry.ID: PlaceDecision.Wish]) {
    (self.decision, self.wishes) = (decision, wishes)
  }
}
