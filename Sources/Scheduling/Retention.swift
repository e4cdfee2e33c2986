package import FoundationEssentials
package import Model

/// A finished integration whose files still exist.
package struct KeptIntegration: Hashable, Sendable {
  package var bot: String
  package var ref: RefName?
  package var number: Int
  package var endedAt: Date
  package var outcome: Outcome
  package var isPinned: Bool
  package var bytes: Int
  /// The integrations against which its gates are judged until they are passed; nil if none was judged.
  package var gateBases: [Int]?

  package init(
    bot: String, ref: RefName?, number: Int, endedAt: Date, outcome: Outcome, isPinned: Bool = false, bytes: Int = 0,
    gateBases: [Int]? = nil
  ) {
    self.bot = bot
    self.ref = ref
    self.number = number
    self.endedAt = endedAt
    self.outcome = outcome
    self.isPinned = isPinned
    self.bytes = bytes
    self.gateBases = gateBases
  }
}

/// An integration whose files are to be removed, and the reason.
package struct ExpiredIntegration: Hashable, Sendable {
  package var bot: String
  package var number: Int
  package var bytes: Int
  /// The reason, as a sentence.
  package var reason: String
}

/// The rules for which integrations are kept and which may be removed.
///
/// Never removed are the newest twelve of a bot, pinned ones, and on each branch the newest one, which knows its issues
/// and is what the next one is compared with, the last good one and the first bad one after it, which people compare when
/// something broke, and what its gates are judged against until they pass: without it, they never would.
package enum Retention {
  /// Returns the integrations of a bot that its settings allow to be removed, oldest first.
  /// - Parameters:
  ///   - refs: The branches and tags that the bot still watches; for others, nothing is kept for comparison. Nil for
  ///     all.
  ///   - keeper: The subject that decides what is kept, for the reasons.
  package static func expired(
    _ integrations: [KeptIntegration], keep: Bot.Keep, refs: Set<RefName>? = nil, by keeper: String = "The bot",
    at now: Date
  ) -> [ExpiredIntegration] {
    let newestFirst = integrations.sorted { $0.number > $1.number }
    let safe = protected(newestFirst, refs)
    var found: [ExpiredIntegration] = []
    for (position, one) in newestFirst.enumerated() where !safe.contains(one.number) {
      let age = Int(now.timeIntervalSince(one.endedAt) / 86_400)
      if position >= keep.newest {
        found.append(removal(one, "\(keeper) keeps \(CountText.counted(keep.newest, "integration"))."))
      } else if age >= max(1, keep.days) {
        let days = CountText.counted(keep.days, "day")
        found.append(
          removal(one, "\(keeper) keeps integrations for \(days); this one is \(CountText.counted(age, "day")) old."))
      }
    }
    return found.reversed()
  }

  /// Returns the numbers that are never removed; `integrations` are those of one bot, newest first.
  static func protected(_ integrations: [KeptIntegration], _ refs: Set<RefName>?) -> Set<Int> {
    var safe = Set(integrations.prefix(Bot.Keep.floor).map(\.number))
    safe.formUnion(integrations.filter(\.isPinned).map(\.number))
    for (ref, all) in Dictionary(grouping: integrations, by: \.ref) {
      if let ref, let refs, !refs.contains(ref) { continue }
      for newest in [all.first, all.first { $0.outcome.isConclusive }, all.first { $0.gateBases != nil }] {
        if let newest { safe.insert(newest.number) }
      }
      let firstGood = all.firstIndex { $0.outcome.isGreen }
      if let firstGood { safe.insert(all[firstGood].number) }
      let after = all[..<(firstGood ?? all.endIndex)]
      if let bad = after.last(where: { $0.outcome.isConclusive }) { safe.insert(bad.number) }
      if let judged = all.first(where: { $0.gateBases != nil }) { safe.formUnion(judged.gateBases ?? []) }
    }
    return safe
  }

  static func removal(_ one: KeptIntegration, _ reason: String) -> ExpiredIntegration {
    ExpiredIntegration(bot: one.bot, number: one.number, bytes: one.bytes, reason: reason)
  }
}
