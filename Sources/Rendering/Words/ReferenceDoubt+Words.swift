package import Model

extension CommitAbsence {
  /// That a commit is not there, and what is to do if anything is, as whole sentences.
  ///
  /// - Parameter owner: what the commit is of, such as `integration 3`.
  package func sentence(about commit: CommitID, of owner: String? = nil) -> String {
    let name = "The commit \(commit.short)" + (owner.map { " of \($0)" } ?? "")
    switch self {
    case .gone: return "\(name) is no longer in the repository, so what changed since then is not known."
    case .leftOut:
      return "\(name) is not in the repository, which is a shallow clone. Fetch more of it, as with "
        + "`git fetch --unshallow`."
    }
  }
}

extension ReferenceDoubt {
  /// Why nobody can tell what coverage is to be compared with, as whole sentences.
  package var sentence: String {
    switch self {
    case .removed(let number):
      "Integration \(number) was removed, so lost coverage is not known."
    case .unreadable(let number):
      "The coverage of integration \(number) cannot be read, so lost coverage is not known."
    case .beyondClone(let number, let commit):
      CommitAbsence.leftOut.sentence(about: commit, of: "integration \(number)")
    case .longHistory(let limit):
      "None of the last \(limit) commits has complete coverage; older ones were not checked."
    case .shallowClone:
      "Shallow clone: no commit to compare with. Fetch more of it, as with `git fetch --unshallow`."
    case .repository(let reason): reason
    }
  }
}
