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
    default: branches[ref] = adding(to: line)
    }
  }

  /// What a look at the repository would bring, read as the watcher reads it.
  func look(seen: [RefName: CommitID]?, entries: [QueueEntry]) -> Sighting {
    let tips = Tips(refs: branches.compactMapValues(\.last), head: main)
    var sighting = Sighting(seen: seen, tips: tips, entries: entries)
    for move in CommitDecision(bot).moves(from: seen, to: tips) {
      let line = branches[move.ref] ?? []
      let parents = zip(line, [[]] + line.map { [$0] })
      let nodes = parents.map { NewCommit(id: $0, parents: $1) }
      if let old = move.old, let place = line.firstIndex(of: old) {
        sighting.histories[move.ref] = .advanced(nodes[(place + 1)...].reversed())
      } else if let old = move.old {
        let known = reached(from: old)
        let covered = Set(entries.filter { $0.ref == move.ref }.flatMap(\.covered))
        sighting.histories[move.ref] = .rewritten(
          nodes.filter { !known.contains($0.id) }.reversed(), stillReached: covered.intersection(line))
      } else if let tip = nodes.last {
        sighting.histories[move.ref] = .tip(tip)
      }
    }
    return sighting
  }
}

@Suite("A bot's life against a model of it")
struct RandomHistoryTests {
  @Test("No commit is lost and none integrated twice, whatever happens", arguments: 0..<24)
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
      expectNothingTwice(model, policy: history.bot.commits)
      expectNothingLost(model, history)
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
    var sighting = history.look(seen: try store.memory(of: "greeter").tips, entries: try store.openEntries())
    for (ref, found) in sighting.histories {
      sighting.covered[ref] = try store.covered(found.commits.map(\.id), of: "greeter", on: ref)
    }
    let decision = CommitDecision(history.bot).decide(sighting, at: now)
    try store.apply(decision)
    model.make(decision.changes)
    let again = history.look(seen: try store.memory(of: "greeter").tips, entries: try store.openEntries())
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

  /// No two entries that wait or succeeded cover the same commit of a branch.
  private func expectNothingTwice(_ model: QueueModel, policy: Bot.CommitPolicy) {
    var covered: [RefName: Set<CommitID>] = [:]
    for entry in model.entries {
      let counts = entry.state == .pending || model.summaries[entry.id]?.outcome == .succeeded
      guard counts, entry.cancelReason == nil, let ref = entry.ref else { continue }
      for commit in entry.covered { #expect(covered[ref, default: []].insert(commit).inserted, "\(commit) of \(ref)") }
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

  private func isAnswer(_ entry: QueueEntry, _ outcome: Outcome?) -> Bool {
    switch outcome {
    case .canceled: false
    case .internalError: entry.cancelReason == nil && entry.assignment.attempt == 2
    default: entry.state != .superseded && entry.cancelReason == nil
    }
  }
}
