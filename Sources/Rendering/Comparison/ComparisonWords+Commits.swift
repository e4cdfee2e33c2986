import Model

extension ComparisonWords {
  /// The only commit between the two; nil if there are several or none, and if that is not known.
  var onlyCommit: CommitChange? {
    let commits = comparison.commits
    let all = commits.added + commits.dropped
    return all.count == 1 && !commits.isCut ? all.first : nil
  }

  /// How many commits are between the two, with the authors of several, as a phrase; nil if both are of one commit.
  var relation: String? {
    let commits = comparison.commits
    func counted(_ list: [CommitChange]) -> String {
      if onlyCommit != nil { return CountText.counted(list.count, "commit") }
      return (commits.isCut ? "at least " : "") + CommitWords.counted(byAuthors: list.map(\.author))
    }
    switch commits.relation {
    case .same: return nil
    case .forward: return counted(commits.added)
    case .backward: return "back \(counted(commits.dropped))"
    case .diverged:
      return "\(counted(commits.added)) only in \(after), \(counted(commits.dropped)) only in \(before)"
    case .unknown: return "the commits between them are not known"
    }
  }

  /// That the commits have no changes, as a phrase; nil if they have some, and if that is not known.
  var withoutChanges: String? {
    comparison.commits.relation != .same && comparison.commits.changeNoFile ? "no file changed" : nil
  }

  /// `relation` with what there is to say of the only commit.
  package var commitLine: String? {
    let commit = onlyCommit.map { "\($0.id.short) \(FailureLine.firstLine($0.summary)), \($0.author)" }
    return relation.map { relation in
      [commit.map { "\(relation): \($0)" } ?? relation, withoutChanges].compactMap(\.self).joined(separator: ", ")
    }
  }
}
