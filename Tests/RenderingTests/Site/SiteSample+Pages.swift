import Model
import Testing

@testable import Rendering

extension SiteSample {
  /// Returns the page of all bots.
  static func index(_ bots: BotHistory...) throws -> String {
    String(decoding: try pages().index(bots, state: nil), as: UTF8.self)
  }

  /// Returns the first page of a bot.
  static func page(_ bot: BotHistory, asOf state: WatchState? = nil) throws -> String {
    let files = try pages().pages(of: bot, asOf: state)
    return String(decoding: try #require(files.first { $0.path == "index.html" }).bytes, as: UTF8.self)
  }
}
