import CLibgit2
package import Model

/// A git repository on this machine, open for reading; nothing is written to it but notes that a bot asks for.
///
/// Every call blocks until it is done, and a value stays in the thread that made it. Line endings, `ident` and
/// `.gitattributes` work as in git. Filter programs do not run, so files kept by Git LFS stay pointer files, and
/// `working-tree-encoding` is not applied: libgit2 has neither.
package struct Repository: ~Copyable {
  let handle: Handle<RepositoryKind>

  /// The folder a person would name: the root of the work tree, or the bare repository.
  package let path: String
  /// The repository's git folder that all its linked work trees share.
  package let commonPath: String
  /// The git folder of this work tree; the same as `commonPath` unless the work tree is a linked one.
  package let gitPath: String
  /// The root of the work tree; nil when the repository is bare.
  package let workTree: String?

  /// Opens the repository that `path` is, or lies in: a work tree or a folder inside it, a linked work tree, a bare
  /// repository.
  package init(at path: String) throws(GitError) {
    try self.init(opening: path, upwards: true)
  }

  /// Opens the repository at exactly `path`.
  init(exactly path: String) throws(GitError) {
    try self.init(opening: path, upwards: false)
  }

  private init(opening path: String, upwards: Bool) throws(GitError) {
    let handle = try Repository.open(path, upwards: upwards)
    let gitPath = Repository.folder(git_repository_path(handle.pointer)) ?? path
    let commonPath = Repository.folder(git_repository_commondir(handle.pointer)) ?? gitPath
    let workTree = Repository.folder(git_repository_workdir(handle.pointer))
    self.init(
      handle: handle, path: workTree ?? gitPath, commonPath: commonPath, gitPath: gitPath, workTree: workTree)
  }

  /// Takes every value from outside: an initialiser of a noncopyable type that reads back what it has just assigned is
  /// miscompiled by Swift 6.3.1 with optimisation, which releases the string twice.
  private init(
    handle: consuming Handle<RepositoryKind>, path: String, commonPath: String, gitPath: String, workTree: String?
  ) {
    self.handle = handle
    self.path = path
    self.commonPath = commonPath
    self.gitPath = gitPath
    self.workTree = workTree
  }

  private static func open(_ path: String, upwards: Bool) throws(GitError) -> Handle<RepositoryKind> {
    try check(Library.started, "Cannot start libgit2")
    guard !path.isEmpty, !path.utf8.contains(0) else { throw notFound(path) }
    var opened: OpaquePointer?
    let code = git_repository_open_ext(&opened, path, upwards ? 0 : GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue, nil)
    guard code >= 0, let opened else { throw refusal(of: path, code: code) }
    let handle = Handle<RepositoryKind>(owning: opened)
    let gitFolder = folder(git_repository_path(opened)) ?? path
    try Ownership.check(folder: folder(git_repository_workdir(opened)) ?? gitFolder, gitFolder: gitFolder)
    return handle
  }

  private static func folder(_ path: UnsafePointer<CChar>?) -> String? {
    guard let path else { return nil }
    let text = String(cString: path)
    return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// The repository's name: its folder's, without the `.git` of a bare one; for a linked work tree the name of the
  /// repository it belongs to.
  package var name: String {
    let isLinked = git_repository_is_worktree(handle.pointer) == 1
    let shared = commonPath.split(separator: "/").map(String.init)
    if shared.last == ".git", shared.count > 1 { return shared[shared.count - 2] }
    let folder = isLinked || workTree == nil ? shared : path.split(separator: "/").map(String.init)
    guard let last = folder.last else { return "repository" }
    return last.hasSuffix(".git") && last.count > 4 ? String(last.dropLast(4)) : last
  }

  /// The branch that is checked out and its newest commit; the branch is nil when HEAD names a commit directly.
  package func head() throws(GitError) -> (branch: String?, commit: CommitID) {
    let what = "Cannot read HEAD of \(path.quoted)"
    var found: OpaquePointer?
    let code = git_repository_head(&found, handle.pointer)
    if code == GIT_EUNBORNBRANCH.rawValue || code == GIT_ENOTFOUND.rawValue { throw try unborn() }
    try check(code, what)
    guard let found else { throw GitError(code: GIT_ERROR.rawValue, doing: what) }
    let reference = Handle<ReferenceKind>(owning: found)
    let branch = git_reference_is_branch(found) == 1 ? git_reference_shorthand(found).map { String(cString: $0) } : nil
    return (branch, try peel(reference, what).commitID)
  }

  /// The commit that a reference leads to.
  func peel(_ reference: borrowing Handle<ReferenceKind>, _ what: String) throws(GitError) -> ObjectID {
    let pointer = reference.pointer
    let commit = try Handle<ObjectKind>(what) { git_reference_peel(&$0, pointer, GIT_OBJECT_COMMIT) }
    guard let id = git_object_id(commit.pointer) else { throw GitError(code: GIT_ERROR.rawValue, doing: what) }
    return ObjectID(id.pointee)
  }

  /// The error for a HEAD that names a branch without commits.
  private func unborn() throws(GitError) -> GitError {
    let names = try names(of: .branches)
    guard !names.isEmpty else {
      return GitError(
        .emptyRepository, "Cannot read HEAD of \(path.quoted)", because: "the repository has no commits yet",
        next: "Commit something first.")
    }
    let list = names.prefix(5).map(\.quoted).joined(separator: ", ")
    return GitError(
      .emptyRepository, "Cannot read HEAD of \(path.quoted)",
      because: "it names a branch that has no commits, while there are the branches \(list)",
      next: "Name a branch or commit, or let HEAD point to a branch with `git symbolic-ref HEAD refs/heads/NAME`.")
  }
}
