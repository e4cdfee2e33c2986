import CLibgit2
package import Model

extension Repository {
  /// Reads all branches, and all tags if asked, as they are now.
  ///
  /// Names that are not UTF-8, and tags of objects that are missing or not commits, are left out.
  package func tips(withTags: Bool) throws(GitError) -> Tips {
    var refs = try commits(of: .branches)
    if withTags { refs.merge(try commits(of: .tags)) { $1 } }
    return Tips(refs: refs, head: try headBranch(), isBare: git_repository_is_bare(handle.pointer) != 0)
  }

  /// The branch that HEAD names, with or without commits.
  private func headBranch() throws(GitError) -> RefName? {
    let what = "Cannot read HEAD of \(path.quoted)"
    var found: OpaquePointer?
    let code = git_reference_lookup(&found, handle.pointer, "HEAD")
    if code == GIT_ENOTFOUND.rawValue { return nil }
    try check(code, what)
    guard let found else { return nil }
    let head = Handle<ReferenceKind>(owning: found)
    guard let target = git_reference_symbolic_target(head.pointer) else { return nil }
    let name = RefName(rawValue: String(cString: target))
    return name.branch == nil ? nil : name
  }

  /// Nil for a tag of a file, a link to a branch that is gone, an object that is not here: nothing to integrate.
  private func commit(of reference: borrowing Handle<ReferenceKind>, in group: ReferenceGroup, _ what: String)
    -> CommitID?
  {
    // A branch names its commit itself, which spares reading the commit.
    if group == .branches, let id = git_reference_target(reference.pointer) { return ObjectID(id.pointee).commitID }
    do throws(GitError) {
      return try peel(reference, what).commitID
    } catch {
      return nil
    }
  }

  private func commits(of group: ReferenceGroup) throws(GitError) -> [RefName: CommitID] {
    let what = "Cannot list the branches and tags of \(path.quoted)"
    let iterator = try Handle<ReferenceIteratorKind>(what) {
      git_reference_iterator_glob_new(&$0, handle.pointer, "\(group.rawValue)*")
    }
    var commits: [RefName: CommitID] = [:]
    while true {
      var found: OpaquePointer?
      let code = git_reference_next(&found, iterator.pointer)
      if code == GIT_ITEROVER.rawValue { return commits }
      // Removed between its listing and its reading.
      if code == GIT_ENOTFOUND.rawValue { continue }
      try check(code, what)
      guard let found else { continue }
      let reference = Handle<ReferenceKind>(owning: found)
      guard let name = git_reference_name(found).flatMap({ String(validatingCString: $0) }) else { continue }
      guard let commit = commit(of: reference, in: group, what) else { continue }
      commits[RefName(rawValue: name)] = commit
    }
  }
}
