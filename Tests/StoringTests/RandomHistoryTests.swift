import FoundationEssentials
import Model
import Scheduling
import TestGround
import Testing

@testable import Storing

/// A repository that random people push to, and what a bot should have made of it.
struct RandomHistory {
  var random: SeededGenerator
  let bot: Bot
  /// Each branch as its commits, oldest first.
  var branches: [RefName: [CommitID]] = [main: ["root"]]
  /// The parent of each commit that ever was, on a branch or not.
  private var parents: [CommitID: CommitID] = [:]
  private var made = 0
  /// The commits that a branch was set back to.
  private(set) var returned: [RefName: Set<CommitID>] = [:]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    var bot = Bot(name: "greeter", repository: "/srv/Greeter.git")
    bot.branches = ["*"]
    bot.commits = seed % 2 == 0 ? .latest : .every
    bot.cancelSuperseded = seed % 3 == 0
    self.bot = bot
  }

  /// A line with some new commits at its end.
  private mutating func adding(to line: [CommitID]) -> [CommitID] {
    var line = line
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      made += 1
      let commit = CommitID(rawValue: "c\(made)")
      parents[commit] = line.last
      line.append(commit)
    }
    return line
  }

  /// A commit and all that it reaches.
  private func reached(from commit: CommitID) -> Set<CommitID> {
    Set(sequence(first: commit) { parents[$0] })
  }

  /// Somebody pushes, force-pushes, sets back, makes or deletes a branch.
  mutating func move() {
    let ref = RefName(branch: ["main", "one", "two"].randomElement(using: &random) ?? "main")
    guard var line = branches[ref] else {
      branches[ref] = adding(to: branches[main] ?? ["root"])
      return
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0 where ref != main: branches[ref] = nil
    case 1, 2:
      line.removeLast(Int.random(in: 0..<line.count, using: &random))
      branches[ref] = adding(to: line)
    case 3:
      line.removeLast(Int.random(in: 0..<line.count, using: &random))
      branches[ref] = line
      returned[ref, default: []].formUnion(line.suffix(1))
    default: branches[ref] = adding(to: line)
    }
  }

  /// What a look at the repository would bring, read as the watcher reads it.
  func look(_ store: inout Store) throws -> Sighting {
    let seen = try store.memory(of: bot.name).tips
    let tips = Tips(refs: branches.compactMapValues(\.last), head: main)
    var sighting = Sighting(seen: seen, tips: tips, entries: try store.openEntries())
    for move in CommitDecision(bot).moves(from: seen, to: tips) {
      let history = try history(of: move, &sighting, &store)
      sighting.histories[move.ref] = history
      sighting.covered[move.ref] = try store.covered(history.commits.map(\.id), of: bot.name, on: move.ref)
    }
    return sighting
  }

  private func history(of move: RefMove, _ sighting: inout Sighting, _ store: inout Store) throws -> MoveHistory {
    let line = branches[move.ref] ?? []
    func since(_ base: CommitID?) -> [NewCommit] {
      let known = base.map { reached(from: $0) } ?? []
      return zip(line, [[]] + line.map { [$0] }).map { NewCommit(id: $0, parents: $1) }
        .filter { base != nil && !known.contains($0.id) }.reversed()
    }
    func advance(from base: CommitID) throws -> MoveHistory? {
      let ids = since(base).map(\.id)
      let isNew = try store.covered(ids, of: bot.name, on: move.ref).isEmpty
      return line.contains(base) && isNew ? .advanced(since(base), from: base) : nil
    }
    if let old = move.old, let history = try advance(from: old) { return history }
    sighting.reached[move.ref] = Set(sighting.entries(for: move.ref).flatMap(\.covered)).intersection(line)
    switch sighting.standing(of: move, after: try store.lastTelling(of: bot.name, on: move.ref)) {
    case .new:
      guard let old = move.old, !since(old).isEmpty else { return .tip(NewCommit(id: move.new)) }
      return .advanced(since(old), from: old)
    case .at(let base):
      if move.old != nil || base == move.new, let history = try advance(from: base) { return history }
    case .unknown: break
    }
    return .rewritten([NewCommit(id: move.new, parents: line.dropLast().suffix(1))] + since(move.old).dropFirst())
  }
}

@Suite("A bot's life against a model of it")
struct RandomHistoryTests {
  @Test(
    "No commit is lost, none integrated twice, and each branch stands as its newest commit, whatever happens",
    arguments: 0..<24)
  func life(seed: UInt64) throws {
    let scratch = try Scratch()
    var history = RandomHistory(seed: seed)
    var store = try open(scratch)
    var model = QueueModel()
    for step in 0..<80 {
      let now = noon + Double(step)
      switch Int.random(in: 0..<6, using: &history.random) {
      case 0...2: history.move()
      case 3: try startOne(&store, &model, now)
      case 4: try endOne(&store, &model, isCut: Bool.random(using: &history.random), history.bot, now)
      default:
        _ = consume store
        store = try open(scratch)
      }
      try decide(&store, &model, history, now)
      try compare(&store, model)
      expectNothingTwice(model, history)
      expectNothingLost(model, history)
      expectStanding(model, history)
    }
  }

  /// Opens the database without waiting for the disk, which only a power cut could tell.
  private func open(_ scratch: Scratch) throws -> Store {
    let store = try Store(at: scratch.database)
    try store.connection.execute("PRAGMA synchronous = OFF", "set the database up")
    return store
  }

  private func decide(
    _ store: inout Store, _ model: inout QueueModel, _ history: RandomHistory, _ now: Date
  ) throws {
    let sighting = try history.look(&store)
    let decision = CommitDecision(history.bot).decide(sighting, at: now)
    try store.apply(decision)
    model.make(decision.changes)
    let again = try history.look(&store)
    #expect(CommitDecision(history.bot).decide(again, at: now).changes == [])
  }

  private func startOne(_ store: inout Store, _ model: inout QueueModel, _ now: Date) throws {
    for entry in StartDecision(entries: try store.openEntries(), jobs: 1, at: now).start {
      #expect(try store.start(entry.id, at: now) == model.start(entry.id, at: now))
    }
  }

  private func endOne(
    _ store: inout Store, _ model: inout QueueModel, isCut: Bool, _ bot: Bot, _ now: Date
  ) throws {
    let open = try store.openEntries()
    guard let running = open.first(where: { $0.state == .running }) else { return }
    let outcome: Outcome = isCut ? .internalError : running.cancelReason == nil ? .succeeded : .canceled
    let summary = IntegrationSummary(outcome: outcome, endedAt: now)
    let changes =
      isCut
      ? CommitDecision.afterCrash(
        of: running, attempt: running.assignment.attempt + 1, policy: bot.commits, entries: open, at: now) : []
    try store.finish(running.id, summary, then: changes)
    model.finish(running.id, summary)
    model.make(changes)
  }

  private func compare(_ store: inout Store, _ model: QueueModel) throws {
    try #require(try store.openEntries() == model.open)
    try #require(try store.memory(of: "greeter").tips == model.tips)
    let history = try store.history(of: "greeter", limit: 1000)
    let expected = model.entries.filter { $0.number != nil }.sorted { ($0.number ?? 0) > ($1.number ?? 0) }
    try #require(history.map(\.entry) == expected)
    try #require(history.map(\.summary) == expected.map { model.summaries[$0.id] })
  }

  /// No two entries that wait or succeeded cover the same commit of a branch, unless the branch was set back to it.
  private func expectNothingTwice(_ model: QueueModel, _ history: RandomHistory) {
    let policy = history.bot.commits
    var covered: [RefName: Set<CommitID>] = [:]
    for entry in model.entries {
      let counts = entry.state == .pending || model.summaries[entry.id]?.outcome == .succeeded
      guard counts, entry.cancelReason == nil, let ref = entry.ref else { continue }
      for commit in entry.covered where history.returned[ref]?.contains(commit) != true {
        #expect(covered[ref, default: []].insert(commit).inserted, "\(commit) of \(ref)")
      }
      #expect(policy == .latest || entry.covered.count == 1)
    }
    let waiting = Dictionary(grouping: model.entries.filter { $0.state == .pending }, by: \.ref)
    if policy == .latest { for entries in waiting.values { #expect(entries.count == 1) } }
  }

  /// Every commit that a branch holds above the one it was first seen at is covered by an entry that waits, runs or ran to
  /// its end, or that was cut off for the second time.
  private func expectNothingLost(_ model: QueueModel, _ history: RandomHistory) {
    for (ref, line) in history.branches {
      let mine = model.entries.filter { $0.ref == ref }
      let held = Set(mine.filter { isAnswer($0, model.summaries[$0.id]?.outcome) }.flatMap(\.covered))
      guard let first = mine.first.flatMap({ line.firstIndex(of: $0.covered.last ?? $0.commit) }) else { continue }
      for commit in line[first...] { #expect(held.contains(commit), "\(commit) of \(ref)") }
    }
  }

  /// The last of the entries of a branch that wait, run or ran to their end is of the branch's newest commit.
  private func expectStanding(_ model: QueueModel, _ history: RandomHistory) {
    for (ref, line) in history.branches {
      let last = model.entries.last { $0.ref == ref && isAnswer($0, model.summaries[$0.id]?.outcome) }
      // One that was cut off may be tried again after what came later.
      if let last, last.assignment.attempt == 1 { #expect(last.commit == line.last, "\(ref)") }
    }
  }

  private func isAnswer(_ entry: QueueEntry, _ outcome: Outcome?) -> Bool {
    switch outcome {
    case .canceled: false
    case .internalError: entry.cancelReason == nil && entry.assignment.attempt == 2
    default: entry.state != .superseded && entry.cancelReason == nil
    }
  }
}
