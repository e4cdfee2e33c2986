import FoundationEssentials
import Model
import Scheduling

/// The waiting and running entries, as in the store, and what was last decided about starting them.
struct WorkQueue {
  private var entries: [String: [QueueEntry]] = [:]
  /// The last decision.
  var decision = StartDecision(entries: [], jobs: 1, at: Date(timeIntervalSince1970: 0))
  /// Whether it has to be decided anew.
  var isDirty = true

  /// The entries of a bot.
  subscript(bot: String) -> [QueueEntry] {
    get { entries[bot] ?? [] }
    set { (entries[bot], isDirty) = (newValue, true) }
  }

  /// An entry as it is now; nil once it is over.
  subscript(id: QueueEntry.ID) -> QueueEntry? { all.first { $0.id == id } }

  var all: some Sequence<QueueEntry> { entries.values.joined() }

  var running: [QueueEntry] { all.filter { $0.state == .running } }

  /// The bots that have entries.
  var bots: Set<String> { Set(entries.filter { !$0.value.isEmpty }.keys) }

  /// Replaces everything by what is in the store.
  mutating func read(_ stored: [QueueEntry]) { entries = Dictionary(grouping: stored, by: \.bot) }

  /// Why a waiting entry waits, as a sentence.
  func wait(of entry: QueueEntry) -> String { decision.waits[entry.id] ?? "It is about to start." }

  /// The same with the name of the entry, for a line of its own.
  func namedWait(of entry: QueueEntry) -> String { "\(entry.name) waits: \(wait(of: entry))" }

  /// Returns the waiting entries to list.
  func list(where isListed: (QueueEntry) -> Bool = { _ in true }) -> WaitingList {
    WaitingList(decision.line, of: all.filter(isListed))
  }
}

/// The waiting entries that the status and the pages list: those of each bot that are served first.
///
/// A bot may have an entry for each of many thousands of change requests, of which nobody reads a list, while all of
/// them would be written, sent and shown anew with everything that happens.
struct WaitingList {
  /// The most entries of a bot to list.
  static let most = 200

  /// In the order in which they are served.
  private(set) var entries: [QueueEntry] = []
  /// The number of further ones, by bot; without the bots all of whose entries are listed.
  private(set) var unlisted: [String: Int] = [:]

  /// - Parameters:
  ///   - line: The IDs of all waiting entries in the order in which they are served.
  ///   - open: The waiting and running entries.
  init(_ line: [QueueEntry.ID], of open: some Sequence<QueueEntry>) {
    let waiting = Dictionary(
      open.lazy.filter { $0.state == .pending }.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var counts: [String: Int] = [:]
    for entry in line.lazy.compactMap({ waiting[$0] }) {
      let count = counts[entry.bot, default: 0] + 1
      counts[entry.bot] = count
      if count <= Self.most { entries.append(entry) } else { unlisted[entry.bot] = count - Self.most }
    }
  }
}
