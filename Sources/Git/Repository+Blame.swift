import CLibgit2
import FoundationEssentials
package import Model

extension Repository {
  /// A longer file is not blamed: the time grows with its length and with the history of each of its lines.
  package static let longestBlamedFile = 1 << 20

  /// Who last touched each line of a file as a commit has it, ascending; renames are not followed.
  ///
  /// libgit2 walks the whole history of the file and cannot be interrupted: ask for few files. Nil for a file that the
  /// commit does not have, or that is longer than `longestBlamedFile` bytes.
  ///
  /// - Parameter base: a commit at which the walk ends: lines that are older are said to be its.
  package func blame(_ path: String, at commit: CommitID, since base: CommitID? = nil) throws(GitError)
    -> [LineOrigin]?
  {
    guard let contents = try contents(of: path, in: commit), contents.count <= Self.longestBlamedFile else {
      return nil
    }
    let what = "Cannot find out who wrote \(path.quoted) of \(commit.rawValue.quoted) in \(self.path.quoted)"
    var options = git_blame_options()
    try check(git_blame_options_init(&options, UInt32(GIT_BLAME_OPTIONS_VERSION)), what)
    options.flags = UInt32(GIT_BLAME_USE_MAILMAP.rawValue)
    options.newest_commit = try commit.objectID().raw
    if let base { options.oldest_commit = try base.objectID().raw }
    let characters = RelativePath(path).characters
    let blame = try Handle<BlameKind>(what) { git_blame_file(&$0, handle.pointer, characters, &options) }
    var origins: [LineOrigin] = []
    for index in 0..<git_blame_get_hunk_count(blame.pointer) {
      guard let hunk = git_blame_get_hunk_byindex(blame.pointer, index)?.pointee else { continue }
      let first = hunk.final_start_line_number
      let signature = hunk.final_signature?.pointee
      origins.append(
        LineOrigin(
          lines: first..<(first + hunk.lines_in_hunk), commit: ObjectID(hunk.final_commit_id).commitID,
          author: signature?.name.map { String(cString: $0).cut(to: Bounds.standard.name) } ?? "",
          email: signature?.email.map { String(cString: $0).cut(to: Bounds.standard.name) } ?? "",
          date: Date(timeIntervalSince1970: Double(signature?.when.time ?? 0))))
    }
    return origins
  }
}
