package import FoundationEssentials
package import Model

/// Where integrations run: on this machine or on one of the others.
///
/// A branch goes where the bot last integrated it, because most of its build is there already, unless that machine is
/// busy for longer than the last integration took: then building from scratch elsewhere is done earlier. What should
/// have ended already may take any time. Otherwise it goes to the machine with the most free slots, this one first.
package struct PlaceDecision: Hashable, Sendable {
  /// A machine, with what runs on it.
  package struct Candidate: Hashable, Sendable {
    /// Nil for this machine.
    package var machine: String?
    package var slots: Int
    package var labels: Set<String>
    /// Why it is unavailable, as a sentence; nil if it can be used.
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
    fileprivate var isUsable: Bool { trouble == nil && slots > 0 }

    fileprivate func isFree(for wish: Wish) -> Bool { free > 0 && (ends.isEmpty || !wish.needsIdleMachine) }
  }

  /// What an entry asks of the machine that it runs on.
  package struct Wish: Hashable, Sendable {
    package var labels: [String]
    package var last: LastPlace?
    /// Why only this machine will do, as a sentence; nil if others may.
    package var staysHere: String?
    /// Whether nothing else may run there when it starts.
    package var needsIdleMachine = false

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
    /// It waits; the reason is a sentence, which holds until a time if there is one.
    case wait(String, until: Date? = nil)
  }

  /// The expected duration, in seconds, of what never ran before.
  package static let usual: TimeInterval = 600

  /// The machines that will do for one kind of wish, as positions among all.
  private struct Group: Hashable {
    struct Kind: Hashable {
      var labels: [String]
      var staysHere: Bool
    }

    /// Those with all the labels, if need be only this one.
    var fitting: [Int]
    var usable: [Int]
    /// That no machine has the labels, and what to do; nil if one has them.
    var unknown: String?
    /// Whether all of them are known to be busy. Slots are only taken while it is decided, so they stay so.
    var isBusy = false
  }

  private var candidates: [Candidate]
  private let positions: [String?: Int]
  private let whenDown: WhenDown
  /// Thousands of entries may wait for thousands of machines, but there are few kinds of wishes.
  private var groups: [Group.Kind: Group] = [:]

  package init(_ candidates: [Candidate], whenDown: WhenDown = .wait) {
    self.candidates = candidates
    self.whenDown = whenDown
    let named = candidates.enumerated().map { ($0.element.machine, $0.offset) }
    positions = Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// Decides where an entry runs, and takes a slot there.
  package mutating func choose(_ wish: Wish, at now: Date) -> Choice {
    let kind = Group.Kind(labels: wish.labels, staysHere: wish.staysHere != nil)
    var group = groups[kind] ?? group(of: kind)
    let choice = choice(for: wish, &group, at: now)
    groups[kind] = group
    if case .start(let machine) = choice, let position = positions[machine] {
      candidates[position].ends.append(now.addingTimeInterval(wish.last?.seconds ?? Self.usual))
    }
    return choice
  }

  private func group(of kind: Group.Kind) -> Group {
    let labelled = candidates.indices.filter { candidates[$0].labels.isSuperset(of: kind.labels) }
    let fitting = kind.staysHere ? labelled.filter { candidates[$0].machine == nil } : labelled
    return Group(
      fitting: fitting, usable: fitting.filter { candidates[$0].isUsable },
      unknown: labelled.isEmpty ? Self.unknown(kind.labels, among: candidates).words : nil)
  }

  private func choice(for wish: Wish, _ group: inout Group, at now: Date) -> Choice {
    if let unknown = group.unknown { return .wait(unknown) }
    if group.fitting.isEmpty, let reason = wish.staysHere { return .wait(reason) }
    guard !group.usable.isEmpty else { return withoutMachines(group.fitting.map { candidates[$0] }, wish) }
    if let last = wish.last, let there = lastMachine(of: wish) {
      if there.isFree(for: wish) { return .start(on: there.machine) }
      if let end = there.ends.filter({ $0 > now }).min(), end.timeIntervalSince(now) <= last.seconds {
        return .wait(
          "It waits for \(there.name), which has the build of its branch and is expected to be free first.", until: end)
      }
    }
    let best = group.isBusy ? nil : mostFree(group.usable, for: wish)
    if let best { return .start(on: best.machine) }
    if !wish.needsIdleMachine { group.isBusy = true }
    return .wait(busy(group.usable))
  }

  /// The machine that integrated the branch last, if it can be used and will do.
  private func lastMachine(of wish: Wish) -> Candidate? {
    guard let last = wish.last, let position = positions[last.machine] else { return nil }
    let there = candidates[position]
    return there.isUsable && there.labels.isSuperset(of: wish.labels) && (wish.staysHere == nil || there.machine == nil)
      ? there : nil
  }

  private func mostFree(_ usable: [Int], for wish: Wish) -> Candidate? {
    let best = usable.lazy.filter { candidates[$0].isFree(for: wish) }.max { one, other in
      let (one, other) = (candidates[one], candidates[other])
      return (one.free, one.machine == nil ? 1 : 0) < (other.free, other.machine == nil ? 1 : 0)
    }
    return best.map { candidates[$0] }
  }

  /// The largest number of machines that a sentence names.
  private static let mostNamed = 5

  private func busy(_ usable: [Int]) -> String {
    guard usable.count <= Self.mostNamed else { return "All \(usable.count) machines that will do are busy." }
    return "Every machine that will do is busy: \(CountText.list(usable.map { candidates[$0].name }))."
  }

  /// Decides for an entry for which no machine can be used.
  private func withoutMachines(_ fitting: [Candidate], _ wish: Wish) -> Choice {
    if whenDown == .local || wish.staysHere != nil, let here = candidates.first(where: { $0.machine == nil }) {
      return here.ends.count < max(1, here.slots) ? .start(on: nil) : .wait("This machine is busy.")
    }
    let reasons = fitting.compactMap { one in one.trouble.map { "\(one.name) is unavailable: \($0)" } }
    let others = reasons.count - Self.mostNamed
    let more = others > 0 ? ["\(CountText.counted(others, "more machine")) cannot be used."] : []
    return .wait(
      (["No machine that will do can be used."] + reasons.prefix(Self.mostNamed) + more).joined(separator: " "))
  }

  /// The largest number of labels that a sentence names.
  private static let mostLabels = 10

  /// Returns that no machine has some labels, which labels there are, and what to do.
  package static func unknown(_ labels: [String], among candidates: [Candidate]) -> WatchState.Hindrance {
    let what = labels.count == 1 ? "the label \(labels[0])" : "all the labels \(CountText.list(labels))"
    let known = Set(candidates.flatMap(\.labels)).sorted()
    let left = known.count - mostLabels
    let named = left > 1 ? Array(known.prefix(mostLabels)) + [CountText.counted(left, "other")] : known
    let there = known.count == 1 ? "The only label is \(known[0])." : "The labels are \(CountText.list(named))."
    return WatchState.Hindrance(
      reason: "no machine has \(what)",
      remedy: "\(there) Give a machine \(what), or add one that has \(labels.count == 1 ? "it" : "them"), "
        + "under 'machines' in martlet.yml.")
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
