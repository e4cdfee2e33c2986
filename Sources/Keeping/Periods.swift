import FoundationEssentials
package import Model
import Processes
package import Scheduling
import Storing
import Watching

/// The schedule of periodic bots.
struct Periods {
  private struct Plan {
    var times: PeriodicTimes
    /// Long ago before the first check; nil where no time comes any more.
    var next: DueTime?
  }

  private var plans: [String: Plan] = [:]
  private var zones: [String: ZoneRules] = [:]
  /// The value of `TZ`.
  private let zoneVariable: String?

  init(zoneVariable: String?) { self.zoneVariable = zoneVariable }

  /// Updates the plans for the current bots; each periodic one is checked soon.
  mutating func plan(_ bots: [Bot], _ troubles: inout [String: String]) {
    plans = [:]
    for bot in bots {
      guard bot.schedule.on == .periodic, let period = bot.schedule.every else { continue }
      do throws(ZoneError) {
        let zone = try BotZone.rules(of: bot, variable: zoneVariable)
        zones[bot.schedule.timeZone ?? ""] = zone
        plans[bot.name] = Plan(
          times: PeriodicTimes(period, in: zone), next: DueTime(.distantPast, at: .distantPast))
      } catch {
        troubles[bot.name] = error.description
      }
    }
  }

  /// Returns the zone of a bot, or universal time if it cannot be read.
  mutating func zone(of bot: Bot) -> ZoneRules {
    let name = bot.schedule.timeZone ?? ""
    if let zone = zones[name] { return zone }
    // The problem was reported when the bots were read.
    let zone = (try? BotZone.rules(of: bot, variable: zoneVariable)) ?? .utc
    zones[name] = zone
    return zone
  }

  func next(of bot: String) -> Date? { (plans[bot]?.next?.date).flatMap { $0 == .distantPast ? nil : $0 } }

  func times(of bot: String) -> PeriodicTimes? { plans[bot]?.times }

  /// Returns the bots to check now.
  func due(at now: Date) -> [String] {
    plans.filter { $0.value.next?.hasCome(at: now) == true }.keys.sorted()
  }

  mutating func postpone(_ bot: String, to date: Date?, at now: Date) { plans[bot]?.next = DueTime(date, at: now) }

  /// Returns the time at which the next bot is due, on the steady clock.
  func nextTime(_ clock: Clock) -> Double? {
    plans.values.compactMap { $0.next?.date }.min().map(clock.seconds(until:))
  }
}

/// A time of day at which something is due.
struct DueTime {
  let date: Date
  /// When it was determined.
  private let determined: Date

  init?(_ date: Date?, at now: Date) {
    guard let date else { return nil }
    (self.date, determined) = (date, now)
  }

  /// Whether it has come; also after the clock was set back, since by the right time it may have been due long before.
  func hasCome(at now: Date) -> Bool { date <= now || now < determined }
}

extension Watcher {
  /// Queues the integrations of periodic bots that are due.
  func keepPeriods() {
    guard !isStopping else { return }
    let now = clock.now()
    for name in periods.due(at: now) {
      // If it fails, it is due again in a minute.
      periods.postpone(name, to: now.addingTimeInterval(60), at: now)
      keepingStore("look whether \(name) is due", repository: registry.bots[name]?.repository) {
        try keepPeriod(of: name, now)
      }
    }
  }

  private func keepPeriod(of name: String, _ now: Date) throws {
    guard let bot = registry.bots[name], let times = periods.times(of: name) else { return }
    let memory = try store.memory(of: name)
    let (isDue, mark) = times.isDue(since: memory.periodMark, at: now)
    if isDue {
      guard let reading = try read(bot.repository, bots(of: bot.repository)) else { return }
      let sighting = try decide(bot, reading.tips)
      var decision = CommitDecision(bot).integrateTips(sighting, because: .schedule, at: now)
      decision.changes.append(.markPeriod(mark))
      try apply(decision)
    } else if mark != memory.periodMark {
      try apply(Decision(bot: name, changes: [.markPeriod(mark)]))
    }
    periods.postpone(name, to: times.next(after: now), at: now)
  }
}

/// The time zone of a bot, read from this machine's files.
package enum BotZone {
  /// The folder of the time zone files.
  private static let folder = "/usr/share/zoneinfo"

  /// Returns the rules of the zone that the bot's file names, or of this machine's own zone.
  ///
  /// - Parameter variable: the value of `TZ`, which stands for the machine's zone where it names a file of rules:
  ///   https://www.gnu.org/software/libc/manual/html_node/TZ-Variable.html
  package static func rules(of bot: Bot, variable: String?) throws(ZoneError) -> ZoneRules {
    if let name = bot.schedule.timeZone {
      return try ZoneRules(tzif: bytes("\(folder)/\(name)") ?? [], name: name)
    }
    let named = variable.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 } ?? ""
    let zone = named.isEmpty ? nil : bytes(named.hasPrefix("/") ? named : "\(folder)/\(named)")
    // A machine without a zone of its own uses universal time.
    guard let zone = zone ?? bytes("/etc/localtime") else { return .utc }
    return try ZoneRules(tzif: zone, name: "of this machine")
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }
}
