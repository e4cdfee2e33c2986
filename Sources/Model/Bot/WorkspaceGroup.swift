/// The commits that may find in a workspace what others among them left there.
///
/// A build trusts what it finds, so only commits that trust each other share a workspace.
package enum WorkspaceGroup: Hashable, Sendable {
  /// The commits of one branch.
  case branch(String)
  /// A single commit; the workspace is new, and is removed with the integration.
  case alone

  /// - Parameter branch: the branch that the commit is known to be on; nil for a tag, a detached HEAD, or a commit
  ///   picked by a person.
  package init(branch: String?) {
    self = branch.map(Self.branch) ?? .alone
  }

  /// The contents of a marker in the workspace's folder that proves which group it belongs to, since folder names can
  /// be alike.
  ///
  /// A folder without a marker was created by an earlier version, and it is unknown whose code ran there.
  package var mark: String {
    switch self {
    case .branch(let name): "martlet workspace 2\nbranch \(name)\n"
    case .alone: "martlet workspace 2\nalone\n"
    }
  }
}
