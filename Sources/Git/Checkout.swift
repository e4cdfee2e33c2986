import CLibgit2
package import Model

extension Repository {
  /// Checks a commit out into a workspace, its submodules included, without writing anything to the repository.
  ///
  /// Afterwards the workspace has the commit's files and no others, except files that the commit ignores where the
  /// workspace keeps them. A file whose
  /// content stayed is not touched; every file's modification time follows from its content (`FileTime`). What code in
  /// the workspace did to files or links since the last checkout is undone without looking at what it was, and so is
  /// a checkout that was killed half-way.
  ///
  /// - Parameter allowed: paths of this machine, of repositories or of folders around them, that a submodule's URL may name.
  package func checkOut(_ commit: CommitID, into workspace: Workspace, submodulesFrom allowed: [String] = [])
    throws(GitError) -> CheckoutSummary
  {
    try checkOut(try commit.objectID(), into: workspace, submodulesFrom: allowed, leaving: [])
  }

  /// Checks a commit out; the submodules at the paths `leaving` are left to the caller.
  func checkOut(
    _ commit: ObjectID, into workspace: Workspace, submodulesFrom allowed: [String], leaving: Set<RelativePath>
  ) throws(GitError) -> CheckoutSummary {
    var checkout = try Checkout(of: commit, in: self, into: workspace)
    var summary: CheckoutSummary
    do throws(GitError) {
      summary = try checkout.run(afresh: false)
    } catch  where error.kind == .io || error.kind == .other {
      // Whatever stands in the way lies in the workspace, and the workspace can be made again.
      summary = try checkout.run(afresh: true)
    }
    try checkOutSubmodules(of: checkout, from: allowed, leaving: leaving, summary: &summary)
    return summary
  }
}

/// One checkout of a commit into a workspace.
///
/// libgit2 writes the files, with an index and a work tree of Martlet's own. What it would have to compare or
/// overwrite is removed before, because it follows links while it overwrites, and looks at size and time only while it
/// compares. So it meets either a file that is known to be right, or none.
struct Checkout: ~Copyable {
  let state: WorkspaceState
  let folder: OpenFolder
  /// The watched repository, opened a second time because its index and work tree are exchanged.
  let repository: Handle<RepositoryKind>
  let tree: Handle<TreeKind>
  let entries: [Tree.Entry]
  /// What is being done, for errors.
  let what: String

  init(of commit: ObjectID, in source: borrowing Repository, into workspace: Workspace) throws(GitError) {
    let what = "Cannot check out \(commit.hexadecimal.prefix(7)) of \(source.path.quoted)"
    let original = try source.tree(of: commit, what)
    let entries = try Tree(original, under: RelativePath(""), of: source).entries
    let state = try WorkspaceState(claiming: workspace)
    let folder = try OpenFolder(workspace.folder)
    let repository = try Handle<RepositoryKind>(what) {
      git_repository_open_ext(
        &$0, git_repository_path(source.handle.pointer), GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue, nil)
    }
    try check(git_repository_set_workdir(repository.pointer, workspace.folder, 0), what)
    let tree = try Handle<TreeKind>(what) {
      git_tree_lookup(&$0, repository.pointer, git_tree_id(original.pointer))
    }
    self.what = what
    self.tree = tree
    self.entries = entries
    self.state = state
    self.folder = folder
    self.repository = repository
  }

  /// Makes the workspace equal to the tree; `afresh` keeps nothing of what it holds.
  mutating func run(afresh: Bool) throws(GitError) -> CheckoutSummary {
    let record = try state.read()
    let boot = try WorkspaceState.currentBoot()
    try state.forget()
    var index = try openIndex()
    if afresh || record?.boot != boot || attributesDiffer(from: index) {
      try folder.removeAll()
      try state.forgetFiles()
      index = try openIndex()
    } else {
      try removeUntracked(index, copied: record?.copied ?? [])
    }
    try check(git_repository_set_index(repository.pointer, index.pointer), what)
    try check(git_index_read_tree(index.pointer, tree.pointer), what)
    try write()
    let written = try setTimes(index)
    try check(git_index_write(index.pointer), what)
    try state.write(WorkspaceState.Record(tree: treeName, boot: boot))
    let files = entries.count { $0.kind != .submodule }
    return CheckoutSummary(files: files, written: written)
  }

  var treeName: String {
    git_tree_id(tree.pointer).map { ObjectID($0.pointee).hexadecimal } ?? ""
  }

  /// Martlet's own index; an empty one when there is none, or none that can be read.
  private func openIndex() throws(GitError) -> Handle<IndexKind> {
    do throws(GitError) {
      return try Handle<IndexKind>(what) { git_index_open(&$0, state.indexPath) }
    } catch {
      // Without the index nothing in the workspace is known, and `attributesDiffer` makes it anew.
      try StateFile.remove(state.indexPath)
      return try Handle<IndexKind>(what) { git_index_open(&$0, state.indexPath) }
    }
  }

  /// Whether the files that tell how contents become files are others than at the last checkout; then contents that
  /// stayed may have to become other files.
  private func attributesDiffer(from index: borrowing Handle<IndexKind>) -> Bool {
    let name = Array(".gitattributes".utf8)
    var before: [RelativePath: ObjectID] = [:]
    for position in 0..<git_index_entrycount(index.pointer) {
      guard let entry = git_index_get_byindex(index.pointer, position) else { continue }
      let path = RelativePath(entry.pointee.path)
      if path.lastComponent == name { before[path] = ObjectID(entry.pointee.id) }
    }
    let now = entries.filter { $0.path.lastComponent == name }.map { ($0.path, $0.id) }
    return before != Dictionary(now, uniquingKeysWith: { first, _ in first })
  }
}
