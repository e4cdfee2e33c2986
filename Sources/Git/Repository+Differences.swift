import CLibgit2
package import Model

extension Repository {
  /// Which files changed from one commit to another, and how their lines moved; a renamed file is one file.
  ///
  /// Paths are relative to the repository. The result is in libgit2's order. What a file holds is taken for text,
  /// whatever its attributes say.
  /// - Parameters:
  ///   - base: nil for nothing, so that every file is new.
  ///   - suffixes: ends of names, such as `swift`; files that have another one are left out. Nil for all files.
  ///   - mostPairs: how many pairs of a deleted and a new file at most are compared to find renamed ones; of files that
  ///     could not be compared the obstacle is told.
  ///   - isWanted: whether the lines of a file, by either of its paths, are worth reading.
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

  /// The same from a commit to the files in a workspace, into which uncommitted changes were checked out.
  package func difference(
    from base: CommitID?, toFilesIn workspace: Workspace, among suffixes: Set<String>? = nil,
    comparing mostPairs: Int = RenameSearch.mostPairs, where isWanted: (String) -> Bool = { _ in true }
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
    let filter = DeltaFilter(suffixes, in: &options)
    defer { withExtendedLifetime(filter) {} }
    let diff: Handle<DiffKind>
    if let base {
      let old = try other.tree(of: try base.objectID(), what)
      try TreeReach().check([old.id], of: self, what)
      diff = try Handle<DiffKind>(what) {
        git_diff_tree_to_workdir(&$0, other.handle.pointer, old.pointer, &options)
      }
    } else {
      diff = try Handle<DiffKind>(what) { git_diff_tree_to_workdir(&$0, other.handle.pointer, nil, &options) }
    }
    return try other.files(of: diff, comparing: mostPairs, where: isWanted, what)
  }

  private static func options(_ what: String) throws(GitError) -> git_diff_options {
    var options = git_diff_options()
    try check(git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)), what)
    // A counted source is text, also where an attribute hides its changes from people or a zero byte is in it.
    let flags = [GIT_DIFF_DISABLE_PATHSPEC_MATCH, GIT_DIFF_INDENT_HEURISTIC, GIT_DIFF_FORCE_TEXT]
    options.flags = flags.reduce(0) { $0 | $1.rawValue }
    options.context_lines = 0
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
      // A new file whose old name was not looked for has lines, but nobody knows which of them are new.
      if delta.hasOnlyFiles, paths.contains(where: isWanted), file.obstacle != .renames, sizes.areFit(delta) {
        file.lines = try Self.lines(of: diff, index, what)
      }
      files.append(file)
    }
    return SourceDifference(files)
  }

  /// How the lines of one file moved; nil for one that cannot be read as text.
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

extension FileDifference {
  /// Nil for a file that did not change.
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
