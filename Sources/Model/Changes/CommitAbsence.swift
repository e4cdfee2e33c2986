/// Why a commit that was there once is not in a repository.
package enum CommitAbsence: Hashable, Sendable {
  /// Nothing led to it any more and it was cleared away, or the repository was cloned anew without it.
  case gone
  /// The repository is a shallow clone that may just end before it.
  case leftOut
}
