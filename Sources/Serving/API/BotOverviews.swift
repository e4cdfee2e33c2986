import FoundationEssentials
import Integrating
import Model
import Processes
import Storing

struct BotOverview {
  let name: String
  /// Nil where no watcher knows the bot.
  let bot: WatchState.BotState?
  let states: BranchStates<HistoryLine>
  /// The newest of its integrations, whichever branches they are of.
  let newestLines: [HistoryLine]
  /// The highest number that one of its integrations has had; 0 for none.
  let highestNumber: Int
}

/// How all bots stand, read anew only where something changed.
final class BotOverviews {
  /// What a bot's overview was made of.
  private struct Ground: Equatable {
    /// Of the index: an integration may be written again under its number, and a bot's name may be given to another one.
    var version: [Int]
    var bot: WatchState.BotState?
  }

  private let home: Home
  private let past: PastReader
  private let clock: () -> Date
  private var known: [String: (ground: Ground, branches: KnownBranches?, time: Date, overview: BotOverview)] = [:]
  private var version: [Int] = []
  private var names: [String] = []
  /// What the watcher does, and when its file was written.
  private var state: (written: WriteTime, value: WatchState?)?
  private var knownProgress: (written: WriteTime, value: WatchProgress?)?
  /// The bots that everybody may see.
  private var publicBots: Set<String> = []

  init(of home: Home, past: PastReader, clock: @escaping () -> Date) {
    (self.home, self.past, self.clock) = (home, past, clock)
  }

  /// How long the branches of a repository are taken to be the same.
  private static let branchTime = 60.0
  /// How many integrations are read to tell how a bot stands: at first, and where those do not tell since when. What began
  /// before them all is told without its beginning, so that no answer takes long.
  private static let lengths = [100, 1000]

  /// What the watcher of the home last said that it does; nil where none ever ran.
  var watchState: WatchState? {
    let written = WriteTime(home.folder.file(WatchState.fileName))
    if let state, state.written == written { return state.value }
    let value = home.watchState
    state = (written, value)
    publicBots = Set(value?.bots.filter { $0.visibility == .public }.map(\.name) ?? [])
    return value
  }

  /// How far the tests are of what runs; nil where no watcher said so.
  var progress: WatchProgress? {
    let written = WriteTime(home.folder.file(WatchProgress.fileName))
    if let knownProgress, knownProgress.written == written { return knownProgress.value }
    let bytes = home.folder.read(WatchProgress.fileName, limit: 1 << 20)
    // It is replaced whole; what another Martlet wrote otherwise tells nothing.
    let value = bytes.flatMap { try? JSONDecoder().decode(WatchProgress.self, from: Data($0)) }
    knownProgress = (written, value)
    return value
  }

  /// Whether everybody may see a bot; only a bot whose file the watcher has read.
  func isPublic(_ name: String) -> Bool { watchState != nil && publicBots.contains(name) }

  /// All bots by name that are seen; nothing is read of the others.
  func all(where isSeen: (String) -> Bool = { _ in true }) throws(IntegratingError) -> [BotOverview] {
    let state = watchState
    let version = try past.version()
    if version != self.version {
      names = try past.bots()
      self.version = version
    }
    var overviews: [BotOverview] = []
    for name in Set(names).union(state?.bots.map(\.name) ?? []).filter(isSeen).sorted() {
      overviews.append(try overview(of: name, state))
    }
    return overviews
  }

  /// One of them; nil for a bot that nobody knows.
  func overview(of name: String) throws(IntegratingError) -> BotOverview? {
    let state = watchState
    if state?.bots.contains(where: { $0.name == name }) == true { return try overview(of: name, state) }
    // The name may be anything that somebody writes into an address, so the index is asked before the disk.
    let isKnown = try past.ask { store throws(StoringError) in try store.knows(name) }
    return isKnown && home.integrations(of: name).exists ? try overview(of: name, state) : nil
  }

  private func overview(of name: String, _ state: WatchState?) throws(IntegratingError) -> BotOverview {
    let bot = state?.bots.first { $0.name == name }
    let ground = Ground(version: try past.version(), bot: bot)
    let now = clock()
    let before = known[name]
    let isFresh = before.map { abs(now.timeIntervalSince($0.time)) < Self.branchTime } ?? false
    if let before, isFresh, before.ground == ground { return before.overview }
    let branches = isFresh ? before?.branches : home.branches(of: name, in: bot?.repository, asked: bot?.branches)
    let highest = try past.ask { store throws(StoringError) in try store.highestNumber(of: name) }
    var lines: [HistoryLine] = []
    var states = BranchStates(lines, of: branches)
    for length in Self.lengths {
      lines = try past.ask { store throws(StoringError) in
        try store.lines(of: name, limit: length)
      }
      states = BranchStates(lines, isWhole: lines.count < length, of: branches)
      if lines.count < length || states.main.since != nil { break }
    }
    let overview = BotOverview(
      name: name, bot: bot, states: states, newestLines: Array(lines.prefix(100)), highestNumber: highest)
    known[name] = (ground, branches, isFresh ? before?.time ?? now : now, overview)
    return overview
  }
}
