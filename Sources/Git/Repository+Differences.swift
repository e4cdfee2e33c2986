import CLibgit2
package import Model

extension Repository {
  /// Which files changed from one commit to another, and how their lines moved; a renamed file is one file.
  ///
  /// Paths are relative to the repository. The result is in libgit2's order.
  /// - Parameters:
  ///   - base: nil for nothing, so that every file is new.
  ///   - isWanted: whether the lines of a file, by either of its paths, are worth reading.
  package func difference(
    from base: CommitID?, to head: CommitID, where isWanted: (String) -> Bool = { _ in true }
  ) throws(GitError) -> SourceDifference {
    let what = "Cannot compare \(base?.rawValue.quoted ?? "nothing") with \(head.rawValue.quoted) in \(path.quoted)"
    let new = try tree(of: try head.objectID(), what)
    var options = try Self.options(what)
    let diff: Handle<DiffKind>
    if let base {
      let old = try tree(of: try base.objectID(), what)
      diff = try Handle<DiffKind>(what) {
        git_diff_tree_to_tree(&$0, handle.pointer, old.pointer, new.pointer, &options)
      }
    } else {
      diff = try Handle<DiffKind>(what) { git_diff_tree_to_tree(&$0, handle.pointer, nil, new.pointer, &options) }
    }
    return try Self.files(of: diff, where: isWanted, what)
  }

  /// The same from a commit to the files in a workspace, into which uncommitted changes were checked out.
  package func difference(
    from base: CommitID?, toFilesIn workspace: Workspace, where isWanted: (String) -> Bool = { _ in true }
  ) throws(GitError) -> SourceDifference {
    let what = "Cannot compare \(base?.rawValue.quoted ?? "nothing") with the files of \(path.quoted)"
    // Another handle, so that this one keeps its own work tree.
    let other = try Repository(exactly: gitPath)
    try check(git_repository_set_workdir(other.handle.pointer, workspace.folder, 0), what)
    var options = try Self.options(what)
    let flags = [
      GIT_DIFF_INCLUDE_UNTRACKED, GIT_DIFF_RECURSE_UNTRACKED_DIRS, GIT_DIFF_SHOW_UNTRACKED_CONTENT,
    ]
    options.flags |= flags.reduce(0) { $0 | $1.rawValue }
    let diff: Handle<DiffKind>
    if let base {
      let old = try other.tree(of: try base.objectID(), what)
      diff = try Handle<DiffKind>(what) {
        git_diff_tree_to_workdir(&$0, other.handle.pointer, old.pointer, &options)
      }
    } else {
      diff = try Handle<DiffKind>(what) { git_diff_tree_to_workdir(&$0, other.handle.pointer, nil, &options) }
    }
    return try Self.files(of: diff, where: isWanted, what)
  }

  /// The first parent of a commit; nil for one without parents, or whose parent a shallow clone left out.
  package func firstParent(of id: CommitID) throws(GitError) -> CommitID? {
    let what = "Cannot read the commit \(id.rawValue.quoted) of \(path.quoted)"
    let commit = try lookUpCommit(try id.objectID(), what)
    guard let parent = git_commit_parent_id(commit.pointer, 0) else { return nil }
    let parentID = ObjectID(parent.pointee)
    var raw = parentID.raw
    var found: OpaquePointer?
    let code = git_commit_lookup(&found, handle.pointer, &raw)
    if code == GIT_ENOTFOUND.rawValue { return nil }
    try check(code, what)
    if let found { git_commit_free(found) }
    return parentID.commitID
  }

  private static func options(_ what: String) throws(GitError) -> git_diff_options {
    var options = git_diff_options()
    try check(git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)), what)
    options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH.rawValue | GIT_DIFF_INDENT_HEURISTIC.rawValue
    options.context_lines = 0
    options.interhunk_lines = 0
    // A longer file is data, and comparing it would take long.
    options.max_size = 8 << 20
    return options
  }

  private static func files(
    of diff: borrowing Handle<DiffKind>, where isWanted: (String) -> Bool, _ what: String
  ) throws(GitError) -> SourceDifference {
    var similar = git_diff_find_options()
    try check(git_diff_find_options_init(&similar, UInt32(GIT_DIFF_FIND_OPTIONS_VERSION)), what)
    similar.flags = GIT_DIFF_FIND_RENAMES.rawValue | GIT_DIFF_FIND_FOR_UNTRACKED.rawValue
    try check(git_diff_find_similar(diff.pointer, &similar), what)
    var files: [FileDifference] = []
    for index in 0..<git_diff_num_deltas(diff.pointer) {
      guard let delta = git_diff_get_delta(diff.pointer, index)?.pointee, var file = FileDifference(delta) else {
        continue
      }
      let paths = [file.oldPath, file.newPath].compactMap { $0 }
      if !delta.isSubmodule, paths.contains(where: isWanted) { file.lines = try lines(of: diff, index, what) }
      files.append(file)
    }
    return SourceDifference(files)
  }

  /// How the lines of one file moved; nil for a binary file.
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
      try check(git_patch_get_hunk(&hunk, nil, patch.pointer, number), what)
      guard let hunk = hunk?.pointee else { continue }
      hunks.append(
        LineMap.Hunk(
          old: lineRange(hunk.old_start, hunk.old_lines), new: lineRange(hunk.new_start, hunk.new_lines)))
    }
    return LineMap(hunks: hunks)
  }

  /// A side of a hunk; one without lines is named by the line before it.
  private static func lineRange(_ start: Int32, _ count: Int32) -> Range<Int> {
    let first = max(1, count > 0 ? Int(start) : Int(start) + 1)
    return first..<(first + max(0, Int(count)))
  }
}

extension git_diff_delta {
  fileprivate var isSubmodule: Bool {
    [old_file.mode, new_file.mode].contains { TreeEntry.Kind(git_filemode_t(UInt32($0))) == .submodule }
  }
}

extension FileDifference {
  /// Nil for a file that did not change.
  fileprivate init?(_ delta: git_diff_delta) {
    let old = delta.old_file.path.map { RelativePath($0).text }
    let new = delta.new_file.path.map { RelativePath($0).text }
    switch delta.status {
    case GIT_DELTA_ADDED, GIT_DELTA_UNTRACKED, GIT_DELTA_COPIED:
      self.init(status: .added, oldPath: nil, newPath: new, lines: nil)
    case GIT_DELTA_DELETED: self.init(status: .deleted, oldPath: old, newPath: nil, lines: nil)
    case GIT_DELTA_RENAMED: self.init(status: .renamed, oldPath: old, newPath: new, lines: nil)
    case GIT_DELTA_MODIFIED, GIT_DELTA_TYPECHANGE, GIT_DELTA_CONFLICTED:
      self.init(status: .modified, oldPath: old, newPath: new, lines: nil)
    default: return nil
    }
  }
}
