import FoundationEssentials
package import Model
package import Scheduling

/// The time zone of a bot, read from this machine's files.
package enum BotZone {
  /// The folder of the time zone files.
  private static let folder = "/usr/share/zoneinfo"

  /// Returns the rules of the zone that the bot's file names, or of the machine's own zone.
  package static func rules(of bot: Bot) throws(ZoneError) -> ZoneRules {
    let name = bot.schedule.timeZone
    let path = name.map { "\(folder)/\($0)" } ?? "/etc/localtime"
    guard let data = FileManager.default.contents(atPath: path) else {
      // A machine without a zone of its own uses universal time.
      if name == nil { return .utc }
      return try ZoneRules(tzif: [], name: name ?? "")
    }
    return try ZoneRules(tzif: [UInt8](data), name: name ?? "of this machine")
  }
}
