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
