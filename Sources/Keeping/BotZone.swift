import FoundationEssentials
package import Model
package import Scheduling

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
