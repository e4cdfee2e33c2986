package import Model

extension IssueMemory {
  /// Forgets who is suspected of the open issues for a commit that is no part of a history, as after a branch was made
  /// again; returns the names of these issues.
  ///
  /// - Parameter head: the last commit of the history.
  package mutating func forgetSuspects<History: CommitHistory & ~Copyable>(
    apartFrom head: CommitID, in history: borrowing History
  ) -> Set<String> {
    let suspected = Set(records.filter(\.isOpen).flatMap { $0.suspects ?? [] }.compactMap(\.commit))
    var apart: Set<CommitID> = []
    // What a shallow clone leaves out may well lie behind it.
    for commit in suspected where history.absence(of: commit) != .leftOut && !history.reaches(commit, from: head) {
      apart.insert(commit)
    }
    var forgotten: Set<String> = []
    for index in records.indices where records[index].isOpen {
      let commits = (records[index].suspects ?? []).compactMap(\.commit)
      guard !apart.isDisjoint(with: commits) else { continue }
      (records[index].suspects, records[index].suspectedHunk) = (nil, nil)
      forgotten.insert(records[index].id)
    }
    return forgotten
  }
}
