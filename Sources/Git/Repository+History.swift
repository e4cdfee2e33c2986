import CLibgit2
import FoundationEssentials
package import Model

extension Repository {
  /// Returns a commit's metadata as the repository records it.
  package func commit(_ id: CommitID) throws(GitError) -> Commit {
    let what = "Cannot read the commit \(id.rawValue.quoted) of \(path.quoted)"
    let commit = try lookUpCommit(try id.objectID(), what)
    let encoding = encoding(of: commit)
    let author = git_commit_author(commit.pointer)?.pointee
    return Commit(
      id: id, summary: text(git_commit_summary(commit.pointer), encoding).cut(to: Bounds.standard.subject),
      author: text(author?.name, encoding).cut(to: Bounds.standard.name),
      email: text(author?.email, encoding).cut(to: Bounds.standard.name),
      date: Date(timeIntervalSince1970: Double(author?.when.time ?? 0)))
  }

  /// Returns up to `limit` commits that lead from `base` to `head`.
  package func commits(from base: CommitID?, to head: CommitID, limit: Int) throws(GitError) -> [Commit] {
    try commitNames(from: base, to: head, limit: limit).map { id throws(GitError) in try commit(id) }
  }

  /// Returns the names of up to `limit` commits that lead from `base` to `head`: those reachable from `head` but not from
  /// `base`, newest first and every commit before its parents.
  ///
  /// Without a `base`, or if the repository no longer has it, these are `head` and its ancestors. In a shallow clone the
  /// history ends where the clone was cut off.
  package func commitNames(from base: CommitID? = nil, to head: CommitID, limit: Int) throws(GitError) -> [CommitID] {
    let what = "Cannot walk the history of \(head.rawValue.quoted) in \(path.quoted)"
    // A missing head is an error; a missing ancestor is the end of the history.
    let start = try head.objectID()
    _ = try lookUpCommit(start, what)
    let base = try base?.objectID()
    return try HistoryWalk.commits(from: base, to: start, limit: limit) { id throws(GitError) in
      do throws(GitError) {
        return HistoryWalk.Node(of: try lookUpCommit(id, what))
      } catch {
        if error.kind == .missingObject { return nil }
        throw error
      }
    }.map(\.commitID)
  }

  func lookUpCommit(_ id: ObjectID, _ what: String) throws(GitError) -> Handle<CommitKind> {
    var raw = id.raw
    return try Handle<CommitKind>(what) { git_commit_lookup(&$0, handle.pointer, &raw) }
  }

  /// Returns the whole message of a commit.
  func message(of commit: borrowing Handle<CommitKind>) -> String {
    text(git_commit_message(commit.pointer), encoding(of: commit))
  }

  private func encoding(of commit: borrowing Handle<CommitKind>) -> String? {
    git_commit_message_encoding(commit.pointer).map { String(cString: $0).lowercased() }
  }

  /// Returns the text of a commit, which is UTF-8 unless the commit declares it to be Latin-1.
  private func text(_ characters: UnsafePointer<CChar>?, _ encoding: String?) -> String {
    guard let characters else { return "" }
    guard let encoding, ["iso-8859-1", "iso8859-1", "latin1", "latin-1"].contains(encoding) else {
      return String(cString: characters)
    }
    var scalars = String.UnicodeScalarView()
    var next = characters
    while next.pointee != 0 {
      scalars.append(Unicode.Scalar(UInt8(bitPattern: next.pointee)))
      next += 1
    }
    return String(scalars)
  }
}

extension HistoryWalk.Node where ID == ObjectID {
  init(of commit: borrowing Handle<CommitKind>) {
    date = git_commit_time(commit.pointer)
    parents = (0..<git_commit_parentcount(commit.pointer)).compactMap {
      git_commit_parent_id(commit.pointer, $0).map { ObjectID($0.pointee) }
    }
  }
}
