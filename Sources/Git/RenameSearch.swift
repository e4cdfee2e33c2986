import CLibgit2

/// A search for renamed files in a diff, as long as there are not too many candidates.
package struct RenameSearch {
  /// The most pairs of files to compare by content; each takes about four microseconds.
  package static let mostPairs = 2_000_000
  /// The most pairs to compare only by their git names; each takes about ten nanoseconds.
  private static let mostExactPairs = 400_000_000

  var mostPairs: Int

  /// Turns pairs of similar deleted and new files into renamed files.
  ///
  /// - Returns: Whether every file was considered. Identical files are found in either case.
  func run(on diff: borrowing Handle<DiffKind>, _ what: String) throws(GitError) -> Bool {
    var candidates = Self.candidates(of: diff)
    if candidates.pairs > Self.mostExactPairs { return false }
    let flags = GIT_DIFF_FIND_RENAMES.rawValue | GIT_DIFF_FIND_FOR_UNTRACKED.rawValue
    if candidates.pairs > mostPairs {
      try Self.find(flags | GIT_DIFF_FIND_EXACT_MATCH_ONLY.rawValue, candidates.deleted, in: diff, what)
      candidates = Self.candidates(of: diff)
      if candidates.pairs > mostPairs { return false }
    }
    try Self.find(flags, candidates.deleted, in: diff, what)
    return true
  }

  private static func find(
    _ flags: UInt32, _ limit: Int, in diff: borrowing Handle<DiffKind>, _ what: String
  ) throws(GitError) {
    var similar = git_diff_find_options()
    try check(git_diff_find_options_init(&similar, UInt32(GIT_DIFF_FIND_OPTIONS_VERSION)), what)
    similar.flags = flags
    // libgit2 considers no more than this many deleted files for each new one, and does not report the rest.
    similar.rename_limit = max(1, limit)
    try check(git_diff_find_similar(diff.pointer, &similar), what)
  }

  private struct Candidates {
    var deleted = 0
    var added = 0
    var pairs: Int { deleted * added }
  }

  private static func candidates(of diff: borrowing Handle<DiffKind>) -> Candidates {
    var candidates = Candidates()
    for index in 0..<git_diff_num_deltas(diff.pointer) {
      switch git_diff_get_delta(diff.pointer, index)?.pointee.status {
      case GIT_DELTA_DELETED: candidates.deleted += 1
      case GIT_DELTA_ADDED, GIT_DELTA_UNTRACKED: candidates.added += 1
      default: break
      }
    }
    return candidates
  }
}
