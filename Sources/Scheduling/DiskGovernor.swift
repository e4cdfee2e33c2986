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
  ///   - share: The part of the disk that may be in use, from 0 to 1.
  ///   - refs: The refs as for `Retention.expired`, by bot.
  package init(
    _ integrations: [KeptIntegration], disk: DiskSpace, share: Double, refs: [String: Set<RefName>] = [:]
  ) {
    let limit = Int((Double(disk.total) * min(max(share, 0), 1)).rounded(.down))
    var used = disk.total - disk.free
    guard used > limit else { return }
    let percent = Int((share * 100).rounded())
    let reason = "More than \(percent)% of the disk would be in use, and this bot has the most integrations."
    var counts: [String: Int] = [:]
    var candidates: [String: [KeptIntegration]] = [:]
    for (bot, all) in Dictionary(grouping: integrations, by: \.bot) {
      let newestFirst = all.sorted { $0.number > $1.number }
      let safe = Retention.protected(newestFirst, refs[bot])
      counts[bot] = all.count
      candidates[bot] = newestFirst.filter { !safe.contains($0.number) }
    }
    while used > limit {
      let next = candidates.filter { !$0.value.isEmpty }.keys.max { one, other in
        (counts[one] ?? 0, other) < (counts[other] ?? 0, one)
      }
      guard let bot = next, let oldest = candidates[bot]?.popLast() else { break }
      counts[bot, default: 1] -= 1
      used -= oldest.bytes
      removals.append(Retention.removal(oldest, reason))
    }
    if used > limit {
      shortage =
        "The disk stays \((used - limit + 999_999) / 1_000_000) MB above the \(percent)% that Martlet may fill: what is left are "
        + "the newest \(Bot.Keep.floor) integrations of each bot, pinned ones, and the last good and first bad ones."
    }
  }
}
