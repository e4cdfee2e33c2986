import Model

/// Tells which commits a bot passes over.
struct CommitFilter {
  private let messages: [String]
  private let paths: [Glob]

  init(_ ignore: Bot.Ignore) {
    messages = ignore.messages.filter { !$0.isEmpty }
    paths = ignore.paths.map { Glob($0) }
  }

  /// Why a commit is passed over, as a sentence; nil when it counts.
  ///
  /// A commit that changes nothing at all counts: somebody made it to have it integrated.
  func reason(toPassOver commit: NewCommit) -> String? {
    if let text = messages.first(where: commit.message.contains) {
      return "The message of the commit holds “\(text)”, which the bot ignores."
    }
    guard !paths.isEmpty, let touched = commit.paths, !touched.isEmpty else { return nil }
    guard touched.allSatisfy({ path in paths.contains { $0.matches(path: path) } }) else { return nil }
    return "The commit changes only files that the bot ignores: \(ShortList.text(touched, first: 3))."
  }
}
