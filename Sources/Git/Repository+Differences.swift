import CLibgit2
package import Model

extension Repository {
  /// Returns the files that changed between two commits and how their lines moved. A renamed file is a single file.
  ///
  /// Paths are relative to the repository, and the result is in libgit2's order. File contents are treated as text,
  /// whatever their attributes say.
  /// - Parameters:
  ///   - base: Nil to compare with nothing, so that every file is new.
  ///   - suffixes: File name extensions, such as `swift`; files with other extensions are left out. Nil for all files.
  ///   - mostPairs: The most pairs of a deleted and a new file to compare when searching for renamed files. Files that
  ///     could not be compared have an obstacle.
  ///   - isWanted: Whether the lines of a file, given either of its paths, are worth reading.
  package func difference(
    from base: CommitID?, to head: CommitID, among suffixes: Set<String>? = nil,
    comparing mostPairs: Int = RenameSearch.mostPairs, where isWanted: (String) -> Bool = { _ in true }
  ) throws(GitError) -> SourceDifference {
    let what = "Cannot compare \(base?.rawValue.quoted ?? "nothing") with \(head.rawValue.quoted) in \(path.quoted)"
    let new = try tree(of: try head.objectID(), what)
    var options = try Self.options(what)
    let filter = DeltaFilter(suffixes, in: &options)
    defer { withExtendedLifetime(filter) {} }
    let diff: Handle<DiffKind>
    if let base {
      let old = try tree(of: try base.objectID(), what)
      try TreeReach().check([old.id, new.id], of: self, what)
      diff = try Handle<DiffKind>(what) {
        git_diff_tree_to_tree(&$0, handle.pointer, old.pointer, new.pointer, &options)
      }
    } else {
      try TreeReach().check([new.id], of: self, what)
      diff = try Handle<DiffKind>(what) { git_diff_tree_to_tree(&$0, handle.pointer, nil, new.pointer, &options) }
    }
    return try files(of: diff, comparing: mostPairs, where: isWanted, what)
  }

  /// Compares a commit with the files in a workspace into which uncommitted changes were checked out.
  package func difference(
    from base: CommitID?, toFilesIn workspace: Workspace, among suffixes: Set<String>? = nil,
    comparing mostPairs: Int = RenameSearch.mostPairs, where isWanted: (String) -> Bool = { _ in true }
  ) throws(GitError) -> SourceDifference {
    let what = "Cannot compare \(base?.rawValue.quoted ?? "nothing") with the files of \(path.quoted)"
    // A separate handle, so that this one keeps its own work tree.
    let other = try Repository(exactly: gitPath)
    try check(git_repository_set_workdir(other.handle.pointer, workspace.folder, 0), what)
    var options = try Self.options(what)
    let flags = [
      GIT_DIFF_INCLUDE_UNTRACKED, GIT_DIFF_RECURSE_UNTRACKED_DIRS, GIT_DIFF_SHOW_UNTRACKED_CONTENT,
    ]
    options.flags |= flags.reduce(0) { $0 | $1.rawValue }
    let filter = DeltaFilter(suffixes, in: &options)
    defer { withExtendedLifetime(filter) {} }
    let diff: Handle<DiffKind>
    if let base {
      let old = try other.tree(of: try base.objectID(), what)
      try TreeReach().check([old.id], of: self, what)
      try other.setIndex(of: workspace, over: old.pointer, what)
      diff = try Handle<DiffKind>(what) {
        git_diff_tree_to_workdir_with_index(&$0, other.handle.pointer, old.pointer, &options)
      }
    } else {
      try other.setIndex(of: workspace, over: nil, what)
      diff = try Handle<DiffKind>(what) {
        git_diff_tree_to_workdir_with_index(&$0, other.handle.pointer, nil, &options)
      }
    }
    return try other.files(of: diff, comparing: mostPairs, where: isWanted, what)
  }

  /// Makes the index of this handle one of everything that was checked out into a workspace: libgit2 passes over ignored
  /// files unless the index has them. Nothing is written.
  ///
  /// - Parameter base: the tree to compare with, whose own files stay as they are in it.
  private func setIndex(of workspace: Workspace, over base: OpaquePointer?, _ what: String) throws(GitError) {
    let index = try Handle<IndexKind>(what) { git_index_new(&$0) }
    if let base { try check(git_index_read_tree(index.pointer, base), what) }
    let state = try WorkspaceState(claiming: workspace)
    let committed = try Handle<IndexKind>(what) { git_index_open(&$0, state.indexPath) }
    for var entry in committed.entries where git_index_get_bypath(index.pointer, entry.path, 0) == nil {
      try check(git_index_add(index.pointer, &entry), what)
    }
    let folder = try OpenFolder(workspace.folder)
    for path in try state.read()?.copied ?? [] {
      guard let status = try folder.status(of: path), status.isFile || status.isLink else { continue }
      let code = path.characters.withUnsafeBufferPointer { name in
        if git_index_get_bypath(index.pointer, name.baseAddress, 0) != nil { return Int32(0) }
        // Without an ID: what the file holds is read from the disk.
        var entry = git_index_entry()
        entry.path = name.baseAddress
        entry.mode = (status.isLink ? GIT_FILEMODE_LINK : GIT_FILEMODE_BLOB).rawValue
        return git_index_add(index.pointer, &entry)
      }
      try check(code, what)
    }
    try check(git_repository_set_index(handle.pointer, index.pointer), what)
  }

  private static func options(_ what: String) throws(GitError) -> git_diff_options {
    var options = git_diff_options()
    try check(git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)), what)
    // A counted source is text, even if an attribute hides its changes from people or it contains a zero byte.
    let flags = [GIT_DIFF_DISABLE_PATHSPEC_MATCH, GIT_DIFF_INDENT_HEURISTIC, GIT_DIFF_FORCE_TEXT]
    options.flags = flags.reduce(0) { $0 | $1.rawValue }
    options.context_lines = ChangedRuns.context
    options.interhunk_lines = 0
    return options
  }

  private func files(
    of diff: borrowing Handle<DiffKind>, comparing mostPairs: Int, where isWanted: (String) -> Bool, _ what: String
  ) throws(GitError) -> SourceDifference {
    let isWhole = try RenameSearch(mostPairs: mostPairs).run(on: diff, what)
    let sizes = try FileSizes(of: self, what)
    var files: [FileDifference] = []
    for index in 0..<git_diff_num_deltas(diff.pointer) {
      guard let delta = git_diff_get_delta(diff.pointer, index)?.pointee,
        var file = FileDifference(delta, isRenameKnown: isWhole)
      else { continue }
      let paths = [file.oldPath, file.newPath].compactMap { $0 }
      // A new file not checked for an old name has lines, but which of them are new is unknown.
      if delta.hasOnlyFiles, paths.contains(where: isWanted), file.obstacle != .renames, sizes.areFit(delta) {
        file.lines = try Self.lines(of: diff, index, what)
      }
      files.append(file)
    }
    return SourceDifference(files)
  }

  /// Returns how the lines of a file moved, or nil if it cannot be read as text.
  private static func lines(of diff: borrowing Handle<DiffKind>, _ index: Int, _ what: String) throws(GitError)
    -> LineMap?
  {
    var found: OpaquePointer?
    try check(git_patch_from_diff(&found, diff.pointer, index), what)
    guard let found else { return nil }
    let patch = Handle<PatchKind>(owning: found)
    let flags = git_patch_get_delta(patch.pointer)?.pointee.flags ?? 0
    if flags & GIT_DIFF_FLAG_BINARY.rawValue != 0 { return nil }
    var hunks: [LineMap.Hunk] = []
    for number in 0..<git_patch_num_hunks(patch.pointer) {
      var hunk: UnsafePointer<git_diff_hunk>?
      var count = 0
      try check(git_patch_get_hunk(&hunk, &count, patch.pointer, number), what)
      guard let hunk = hunk?.pointee else { continue }
      var runs = ChangedRuns(
        old: firstLine(hunk.old_start, hunk.old_lines), new: firstLine(hunk.new_start, hunk.new_lines))
      for index in 0..<count {
        var line: UnsafePointer<git_diff_line>?
        try check(git_patch_get_line_in_hunk(&line, patch.pointer, number, index), what)
        if let line = line?.pointee { runs.add(line) }
      }
      hunks += runs.hunks
    }
    return LineMap(hunks: hunks)
  }

  /// Returns the first line on one side of a hunk. libgit2 names an empty side by the line before it.
  private static func firstLine(_ start: Int32, _ count: Int32) -> Int {
    max(1, count > 0 ? Int(start) : Int(start) + 1)
  }
}

extension FileDifference {
  /// Nil if the file did not change.
  fileprivate init?(_ delta: git_diff_delta, isRenameKnown: Bool) {
    let old = delta.old_file.path.map { RelativePath($0).text }
    let new = delta.new_file.path.map { RelativePath($0).text }
    let submodule: Obstacle? = delta.isSubmodule ? .submodule : nil
    let lone = submodule ?? (isRenameKnown ? nil : .renames)
    switch delta.status {
    case GIT_DELTA_ADDED, GIT_DELTA_UNTRACKED, GIT_DELTA_COPIED:
      self.init(status: .added, oldPath: nil, newPath: new, lines: nil, obstacle: lone)
    case GIT_DELTA_DELETED: self.init(status: .deleted, oldPath: old, newPath: nil, lines: nil, obstacle: lone)
    case GIT_DELTA_RENAMED: self.init(status: .renamed, oldPath: old, newPath: new, lines: nil, obstacle: submodule)
    case GIT_DELTA_MODIFIED, GIT_DELTA_TYPECHANGE, GIT_DELTA_CONFLICTED:
      self.init(status: .modified, oldPath: old, newPath: new, lines: nil, obstacle: submodule)
    default: return nil
    }
  }
}
