extension Repository {
  /// The names of all branches, sorted.
  package func branchNames() throws(GitError) -> [String] { try names(of: .branches) }
}
