/// The commits that may find in a workspace what others of them left there: a build trusts what it finds, so only those
/// share one who trust each other.
package enum WorkspaceGroup: Hashable, Sendable {
  /// The commits of one branch.
  case branch(String)
  /// One commit and no other: the workspace is new, and goes with the integration.
  case alone

  /// - Parameter branch: the branch that the commit is known to lie on; nil for a tag, a detached HEAD and a commit that a
  ///   person picked.
  package init(branch: String?) {
    self = branch.map(Self.branch) ?? .alone
  }

  /// What the workspace's folder bears as a proof that it is the group's, since names of folders can be alike.
  ///
  /// A folder without it is an earlier version's, of which nobody knows whose code ran there.
  package var mark: String {
    switch self {
    case .branch(let name): "martlet workspace 2\nbranch \(name)\n"
    case .alone: "martlet workspace 2\nalone\n"
    }
  }
}
