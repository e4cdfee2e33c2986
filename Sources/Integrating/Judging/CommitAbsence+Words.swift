import Git
import Model

extension CommitAbsence {
  /// That a commit is not there, and what is to do if anything is, as whole sentences.
  ///
  /// - Parameter owner: what the commit is of, such as `integration 3`.
  func sentence(about commit: CommitID, of owner: String? = nil) -> String {
    let name = "The commit \(commit.short)" + (owner.map { " of \($0)" } ?? "")
    switch self {
    case .gone: return "\(name) is no longer in the repository, so what changed since then is not known."
    case .leftOut:
      return "\(name) is not in the repository, which is a shallow clone. Fetch more of it, as with "
        + "`git fetch --unshallow`."
    }
  }
}
