import CLibgit2
package import Model

extension Repository {
  /// Returns the commit that `revision` names, in any syntax that git understands: `main`, `v1.2`, `HEAD~3`, `1a2b3c4`.
  ///
  /// See https://git-scm.com/docs/gitrevisions. A tag resolves to its commit. Throws if a name could mean two commits.
  package func resolve(_ revision: String) throws(GitError) -> CommitID {
    let what = "Cannot find the revision \(revision.quoted) in \(path.quoted)"
    if revision.isEmpty || revision.utf8.contains(0) {
      throw GitError(.unknownRevision, what, because: "it is not a name", next: "Name a branch, a tag or a commit.")
    }
    if revision.hasPrefix("-") {
      throw GitError(
        .unknownRevision, what, because: "it begins with a dash like an option",
        next: "Name a branch, a tag or a commit.")
    }
    if revision.contains("..") {
      throw GitError(
        .unknownRevision, what, because: "it names a range of commits", next: "Name one commit.")
    }
    try refuseTwoMeanings(of: revision, what)
    var found: OpaquePointer?
    let code = git_revparse_single(&found, handle.pointer, Self.spelledOut(revision))
    guard code >= 0, let found else { throw try unresolved(revision, code: code, what) }
    return try commit(behind: Handle<ObjectKind>(owning: found), what)
  }

  /// Returns the tag that a revision names, or nil if it names a commit in any other way.
  package func tag(called revision: String) throws(GitError) -> String? {
    let prefix = ["refs/tags/", "tags/"].first(where: revision.hasPrefix)
    let name = String(revision.dropFirst(prefix?.count ?? 0))
    let what = "Cannot look for the tag \(name.quoted) in \(path.quoted)"
    if prefix == nil, try reference("refs/heads/\(name)", what) != nil { return nil }
    return try reference("refs/tags/\(name)", what) == nil ? nil : name
  }

  /// Spells out `@` as `HEAD`, alone or before `~2` and the like, which libgit2 does not; other names may begin so.
  private static func spelledOut(_ revision: String) -> String {
    guard revision.hasPrefix("@") else { return revision }
    let rest = revision.dropFirst()
    return rest.first.map { "~^:".contains($0) } ?? true ? "HEAD\(rest)" : revision
  }

  /// Returns the newest commit of a local branch, such as `main` or `release/1.0`.
  package func branchTip(_ name: String) throws(GitError) -> CommitID {
    let what = "Cannot find the branch \(name.quoted) in \(path.quoted)"
    guard let reference = try reference("refs/heads/\(name)", what) else {
      throw GitError(
        .unknownRevision, what, because: "there is no such branch",
        next: try advice(name, among: try names(of: .branches), otherwise: "See `git branch --list`."))
    }
    return try peel(reference, what).commitID
  }

  enum ReferenceGroup: String {
    case branches = "refs/heads/"
    case tags = "refs/tags/"
    case pullRequests = "refs/pull/"
    case mergeRequests = "refs/merge-requests/"
  }

  /// Returns the short names of all references in a group, sorted.
  func names(of group: ReferenceGroup) throws(GitError) -> [String] {
    try referenceNames(group.rawValue).map { String($0.dropFirst(group.rawValue.count)) }
  }

  /// Returns the names of all references that begin with a prefix, sorted.
  func referenceNames(_ prefix: String) throws(GitError) -> [String] {
    let what = "Cannot list the branches and tags of \(path.quoted)"
    let iterator = try Handle<ReferenceIteratorKind>(what) {
      git_reference_iterator_glob_new(&$0, handle.pointer, "\(prefix)*")
    }
    var names: [String] = []
    var name: UnsafePointer<CChar>?
    while true {
      let code = git_reference_next_name(&name, iterator.pointer)
      if code == GIT_ITEROVER.rawValue { return names.sorted() }
      try check(code, what)
      if let name { names.append(String(cString: name)) }
    }
  }

  /// Returns the reference with exactly this name, or nil if there is none or the name is invalid.
  private func reference(_ name: String, _ what: String) throws(GitError) -> Handle<ReferenceKind>? {
    guard !name.utf8.contains(0) else { return nil }
    var found: OpaquePointer?
    let code = git_reference_lookup(&found, handle.pointer, name)
    if code == GIT_ENOTFOUND.rawValue || code == GIT_EINVALIDSPEC.rawValue { return nil }
    try check(code, what)
    return found.map { Handle(owning: $0) }
  }

  private func commit(behind object: borrowing Handle<ObjectKind>, _ what: String) throws(GitError) -> CommitID {
    var found: OpaquePointer?
    let code = git_object_peel(&found, object.pointer, GIT_OBJECT_COMMIT)
    if code == GIT_EPEEL.rawValue || code == GIT_EINVALIDSPEC.rawValue {
      throw GitError(
        .unknownRevision, what, because: "it names a file or folder, not a commit",
        next: "Name a branch, a tag or a commit.")
    }
    try check(code, what)
    guard let found else { throw GitError(code: GIT_ERROR.rawValue, doing: what) }
    let commit = Handle<ObjectKind>(owning: found)
    guard let id = git_object_id(commit.pointer) else { throw GitError(code: GIT_ERROR.rawValue, doing: what) }
    return ObjectID(id.pointee).commitID
  }

  /// Throws if a branch and a tag of this name differ in their commits; git would take the tag, with a warning.
  private func refuseTwoMeanings(of name: String, _ what: String) throws(GitError) {
    guard let branch = try reference("refs/heads/\(name)", what) else { return }
    guard let tag = try reference("refs/tags/\(name)", what) else { return }
    if try peel(branch, what) == peel(tag, what) { return }
    throw GitError(
      .unknownRevision, what, because: "a branch and a tag have this name and lead to different commits",
      next: "Say refs/heads/\(name) or refs/tags/\(name).")
  }

  private func unresolved(_ revision: String, code: Int32, _ what: String) throws(GitError) -> GitError {
    if code == GIT_EAMBIGUOUS.rawValue {
      return GitError(
        .unknownRevision, what, because: "more than one object's name begins so", next: "Give more digits.")
    }
    guard code == GIT_ENOTFOUND.rawValue || code == GIT_EINVALIDSPEC.rawValue || code == GIT_ERROR.rawValue else {
      return GitError(code: code, doing: what)
    }
    if try names(of: .branches).isEmpty, git_repository_head_unborn(handle.pointer) == 1 {
      return GitError(
        .emptyRepository, what, because: "the repository has no commits yet", next: "Commit something first.")
    }
    let names = try names(of: .branches) + names(of: .tags)
    return GitError(
      .unknownRevision, what, because: "no branch, tag or commit has this name",
      next: try advice(revision, among: names, otherwise: "See `git branch --list` and `git tag --list`."))
  }

  private func advice(_ name: String, among names: [String], otherwise: String) throws(GitError) -> String {
    let near = EditDistance.nearest(to: name, among: names).prefix(3)
    return near.isEmpty ? otherwise : "Did you mean \(near.map(\.quoted).joined(separator: " or "))?"
  }
}
