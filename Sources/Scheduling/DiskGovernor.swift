package import Model

/// The capacity of the disk that holds the home, in bytes.
package struct DiskSpace: Hashable, Sendable {
  package var total: Int
  /// The space that may still be written.
  package var free: Int

  package init(total: Int, free: Int) {
    self.total = total
    self.free = free
  }
}

/// The integrations to remove when the disk is fuller than allowed.
package struct DiskGovernor: Hashable, Sendable {
  /// The removals in order: each time the oldest integration of the bot that has the most.
  package private(set) var removals: [ExpiredIntegration] = []
  /// The reason there is still too little room after all removals, as a sentence; nil if there is enough.
  package private(set) var shortage: String?

  /// - Parameters:
  ///   - integrations: The integrations of all bots.
  ///   - asked: The part of the disk that may be in use, from 0 to 1.
  ///   - refs: The refs as for `Retention.expired`, by bot.
  package init(
    _ integrations: [KeptIntegration], disk: DiskSpace, share asked: Double, refs: [String: Set<RefName>] = [:]
  ) {
    let limit = Self.limit(asked, of: disk)
    var used = disk.total - disk.free
    guard used > limit else { return }
    var counts: [String: Int] = [:]
    var candidates: [String: [KeptIntegration]] = [:]
    for (bot, all) in Dictionary(grouping: integrations, by: \.bot) {
      let newestFirst = all.sorted { $0.number > $1.number }
      let safe = Retention.protected(newestFirst, refs[bot])
      counts[bot] = all.count
      candidates[bot] = newestFirst.filter { !safe.contains($0.number) }
    }
    let most = candidates.values.joined().reduce(0) { $0 + $1.bytes }
    // What others write is no reason to lose a history that would not make the room, until there is hardly any left.
    let share = used - most > limit ? max(asked, Self.greatest) : asked
    let goal = Self.limit(share, of: disk)
    let reason = "More than \(Self.percent(share)) of the disk would be in use, and this bot has the most integrations."
    while used > goal {
      let next = candidates.filter { !$0.value.isEmpty }.keys.max { one, other in
        (counts[one] ?? 0, other) < (counts[other] ?? 0, one)
      }
      guard let bot = next, let oldest = candidates[bot]?.popLast() else { break }
      counts[bot, default: 1] -= 1
      used -= oldest.bytes
      removals.append(Retention.removal(oldest, reason))
    }
    guard used > limit else { return }
    let excess = "The disk stays \((used - limit + 999_999) / 1_000_000) MB above the \(Self.percent(asked))"
    shortage =
      candidates.values.allSatisfy(\.isEmpty)
      ? "\(excess) at which Martlet removes old integrations: what is left are the newest \(Bot.Keep.floor) of each bot, "
        + "pinned ones, the last good and first bad ones, and what gates are judged against."
      : "\(excess) at which Martlet removes old integrations: all of them together would not make enough room."
  }

  /// The share of the disk from which on everything goes that may, even if that is not enough.
  private static let greatest = 0.95

  private static func limit(_ share: Double, of disk: DiskSpace) -> Int {
    Int((Double(disk.total) * min(max(share, 0), 1)).rounded(.down))
  }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded()))%" }
}
