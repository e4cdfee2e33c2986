import Model

/// The filter that decides which commits a bot skips.
struct CommitFilter {
  private let messages: [String]
  private let ignored: [Glob]
  /// The paths that count; empty for all.
  private let wanted: [Glob]

  init(_ bot: Bot) {
    messages = bot.ignore.messages.filter { !$0.isEmpty }
    ignored = bot.ignore.paths.map { Glob($0) }
    wanted = bot.paths.map { Glob($0) }
  }

  /// Returns the reason for skipping a commit, as a sentence, or nil if it counts.
  ///
  /// A commit that changes nothing at all counts, because it was made in order to be integrated.
  ///
  /// - Parameter isFirst: Whether the commits before it are unknown, so that it represents more than its own changes.
  func reason(toPassOver commit: NewCommit, isFirst: Bool) -> String? {
    if let text = messages.first(where: commit.message.contains) {
      return "The message of the commit holds “\(text)”, which the bot ignores."
    }
    return reason(toPassOver: commit.paths, isFirst: isFirst)
  }

  /// Returns the reason for skipping a commit that changes these paths; nil if they are not known.
  func reason(toPassOver touched: [String]?, isFirst: Bool = false) -> String? {
    guard let touched, !touched.isEmpty else { return nil }
    let rest = touched.filter { path in !ignored.contains { $0.matches(path: path) } }
    if rest.isEmpty {
      return "The commit changes only files that the bot ignores: \(ShortList.text(touched, first: 3))."
    }
    guard !isFirst, !wanted.isEmpty else { return nil }
    let counts = rest.contains { path in
      // A submodule stands for the files beneath it, which no file has.
      wanted.contains { $0.matches(path: path) || $0.pattern.hasPrefix("\(path)/") }
    }
    if counts { return nil }
    return "The commit changes no file that 'paths' of the bot names, only \(ShortList.text(rest, first: 3))."
  }
}
