/// A folder into which Martlet checks out commits, and the state it keeps about it.
///
/// Both folders belong to Martlet and are created when needed. A folder that contains files and was not created by
/// Martlet is refused, never cleaned. Only one checkout may run in a workspace at a time.
package struct Workspace: Hashable, Sendable {
  /// The folder of the checked-out tree, which has no `.git`.
  package var folder: String
  /// The folder next to the tree that holds Martlet's own index and the name of the last tree checked out.
  package var state: String
  /// Whether files that the commit ignores are kept.
  package var keepsIgnored = true
  /// The number of submodules that enclose this workspace.
  var depth = 0

  package init(folder: String, state: String) {
    self.folder = folder
    self.state = state
  }

  /// Returns the workspace of a submodule at `path` in this one.
  func nested(at path: RelativePath) -> Workspace {
    var nested = Workspace(folder: "\(folder)/\(path.text)", state: "\(state)/\(Workspace.nestedState(at: path))")
    nested.depth = depth + 1
    nested.keepsIgnored = keepsIgnored
    return nested
  }

  /// Returns the location of the state of the submodule at `path`, relative to this workspace's state.
  static func nestedState(at path: RelativePath) -> String {
    // A flat name of fixed length for any path.
    "submodules/\(ObjectID(hashing: path.bytes).hexadecimal)"
  }
}

/// The result of a checkout.
package struct CheckoutSummary: Hashable, Sendable {
  /// The number of files now in the workspace, including those of submodules.
  package var files: Int = 0
  /// The files that were written, sorted; all others were left alone.
  package var written: [String] = []
  /// The paths of the submodules that were also checked out, sorted.
  package var submodules: [String] = []

  /// Adds the result for the submodule at `path`.
  mutating func add(_ nested: CheckoutSummary, at path: RelativePath) {
    files += nested.files
    written = (written + nested.written.map { "\(path.text)/\($0)" }).sorted()
    submodules = (submodules + [path.text] + nested.submodules.map { "\(path.text)/\($0)" }).sorted()
  }
}

extension Workspace {
  /// Copies files and links as they are in another workspace, and removes those it does not have. The next checkout
  /// undoes this.
  ///
  /// - Parameter paths: Relative paths, none of which is a folder.
  package func bring(_ paths: [String], from other: Workspace) throws(GitError) {
    let source = try OpenFolder(other.folder)
    let target = try OpenFolder(folder)
    let paths = paths.map { RelativePath($0) }
    var way = FolderWay()
    for path in paths {
      try way.clear(to: path, in: target)
      try target.remove(path)
    }
    // Starts over, because a removed path may have been on the way.
    way = FolderWay()
    for path in paths where try source.status(of: path) != nil {
      try way.make(to: path, in: target)
      try target.copy(path, from: source, beside: nil)
    }
  }
}
