import Model

/// Words for several commits.
enum CommitWords {
  /// Returns the number of commits and who made them, such as `3 commits by mira and jon`.
  ///
  /// - Parameter authors: the author of each commit, newest first.
  static func counted(byAuthors authors: [String]) -> String {
    var names: [String] = []
    for author in authors.reversed() where !names.contains(author) { names.append(author) }
    let shown = names.count > 4 ? names.prefix(3) + ["\(names.count - 3) others"] : names[...]
    return "\(CountText.counted(authors.count, "commit")) by \(CountText.list(Array(shown)))"
  }
}
