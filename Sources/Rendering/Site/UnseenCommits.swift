import Model

/// Why nobody sees the newest commits of a bot, whose newest result may be out of date.
enum UnseenCommits {
  /// A watcher integrated it that no longer knows it.
  case isForgotten
  /// Its repository or its file cannot be read.
  case isUnreadable

  /// Returns nil where they are seen, and for a red bot, which stays red until its commits are seen again.
  init?(of bot: BotHistory, told: HistoryLine?) {
    if bot.isForgotten {
      self = .isForgotten
    } else if bot.isUnreadable, told?.outcome.isGreen != false {
      self = .isUnreadable
    } else {
      return nil
    }
  }

  /// What is said in place of the newest outcome.
  var word: String {
    switch self {
    case .isForgotten: "No longer watched"
    case .isUnreadable: "Cannot be watched"
    }
  }

  /// The same behind the name of the bot.
  var predicate: String {
    switch self {
    case .isForgotten: "is no longer watched"
    case .isUnreadable: "cannot be watched"
    }
  }

  var glyph: String {
    switch self {
    case .isForgotten: "not-run"
    case .isUnreadable: "incomplete"
    }
  }
}
