/// A folder into which Martlet checks commits out, and what it remembers about it.
///
/// The two folders are Martlet's own; they are made when needed. A folder that holds files and that Martlet did not
/// make is refused, never cleaned. Only one checkout may run in a workspace at a time.
package struct Workspace: Hashable, Sendable {
  /// The checked-out tree. It has no `.git`.
  package var folder: String
  /// Beside the tree: Martlet's own index and the name of the tree checked out last.
  package var state: String
  /// Whether files stay that the commit ignores.
  package var keepsIgnored = true
  /// How many submodules this workspace lies in.
  var depth = 0

  package init(folder: String, state: String) {
    self.folder = folder
    self.state = state
  }

  /// The workspace of a submodule at `path` in this one.
  func nested(at path: RelativePath) -> Workspace {
    var nested = Workspace(folder: "\(folder)/\(path.text)", state: "\(state)/\(Workspace.nestedState(at: path))")
    nested.depth = depth + 1
    nested.keepsIgnored = keepsIgnored
    return nested
  }

  /// Where the state of the submodule at `path` is kept, relative to the state of this workspace.
  static func nestedState(at path: RelativePath) -> String {
    // One flat name of fixed length for any path.
    "submodules/\(ObjectID(hashing: path.bytes).hexadecimal)"
  }
}

/// What a checkout did.
package struct CheckoutSummary: Hashable, Sendable {
  /// How many files the workspace now has, those of submodules included.
  package var files: Int
  /// The files that were written anew, sorted; all others were left alone.
  package var written: [String]
  /// The paths of the submodules that were checked out too, sorted.
  package var submodules: [String]

  init(files: Int = 0, written: [String] = [], submodules: [String] = []) {
    self.files = files
    self.written = written
    self.submodules = submodules
  }

  /// Adds what was done in the submodule at `path`.
  mutating func add(_ nested: CheckoutSummary, at path: RelativePath) {
    files += nested.files
    written = (written + nested.written.map { "\(path.text)/\($0)" }).sorted()
    submodules = (submodules + [path.text] + nested.submodules.map { "\(path.text)/\($0)" }).sorted()
  }
}

extension Workspace {
  /// Copies files and links of another workspace as they are there, and removes those that are not; the next checkout undoes
  /// it.
  ///
  /// - Parameter paths: relative ones, of no folder.
  package func bring(_ paths: [String], from other: Workspace) throws(GitError) {
    let source = try OpenFolder(other.folder)
    let target = try OpenFolder(folder)
    let paths = paths.map { RelativePath($0) }
    var way = FolderWay()
    for path in paths {
      try way.clear(to: path, in: target)
      try target.remove(path)
    }
    // Another way, because a removed path may have been on the first one.
    way = FolderWay()
    for path in paths where try source.status(of: path) != nil {
      try way.make(to: path, in: target)
      try target.copy(path, from: source)
    }
  }
}
