import Git
import Model

extension CommitAbsence {
  /// Returns sentences saying that a commit is missing and what to do about it, if anything.
  ///
  /// - Parameter owner: what the commit belongs to, such as `integration 3`.
  func sentence(about commit: CommitID, of owner: String? = nil) -> String {
    let name = "The commit \(commit.short)" + (owner.map { " of \($0)" } ?? "")
    switch self {
    case .gone: return "\(name) is no longer in the repository, so nobody can tell what changed since then."
    case .leftOut:
      return "\(name) is not in the repository, which is a shallow clone. Fetch more of it, as with "
        + "`git fetch --unshallow`."
    }
  }
}
