import Model

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
