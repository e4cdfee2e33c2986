import CLibgit2

/// Finds renamed files in a diff, as long as there are not too many candidates.
package struct RenameSearch {
  /// How many pairs of files are compared by what they hold; each takes some four microseconds.
  package static let mostPairs = 2_000_000
  /// How many pairs are compared by their names in git alone; each takes some ten nanoseconds.
  private static let mostExactPairs = 400_000_000

  var mostPairs: Int

  /// Turns what was deleted and what is new but alike into one renamed file.
  ///
  /// - Returns: whether every file was looked at. Those that are the same to the byte are found either way.
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
    // Libgit2 looks at no more than this many deleted files for each new one, and says nothing of the others.
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
