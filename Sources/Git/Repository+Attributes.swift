import CLibgit2

extension Repository {
  /// Returns those of the files in a workspace that its attributes give to a filter, as those of Git LFS to `lfs`.
  package func paths(_ paths: [String], filteredBy filter: String, in workspace: Workspace) throws(GitError) -> [String]
  {
    let what = "Cannot read the attributes of files of \(path.quoted)"
    let repository = try opened(over: workspace, what)
    // What the watched repository has staged says nothing about the workspace.
    let index = try Handle<IndexKind>(what) { git_index_new(&$0) }
    try check(git_repository_set_index(repository.pointer, index.pointer), what)
    var found: [String] = []
    for path in paths {
      var value: UnsafePointer<CChar>?
      try check(
        git_attr_get(&value, repository.pointer, UInt32(GIT_ATTR_CHECK_FILE_THEN_INDEX), path, "filter"), what)
      guard let value, git_attr_value(value) == GIT_ATTR_VALUE_STRING, String(cString: value) == filter else {
        continue
      }
      found.append(path)
    }
    return found
  }

  /// Opens the repository a second time, with the files of a workspace as its work tree.
  func opened(over workspace: Workspace, _ what: String) throws(GitError) -> Handle<RepositoryKind> {
    let repository = try Handle<RepositoryKind>(what) {
      git_repository_open_ext(&$0, git_repository_path(handle.pointer), GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue, nil)
    }
    try check(git_repository_set_workdir(repository.pointer, workspace.folder, 0), what)
    return repository
  }
}
