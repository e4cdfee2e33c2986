import CLibgit2
import Glibc
package import Model

extension Repository {
  /// Checks out a commit into a workspace, including its submodules, without writing anything to the repository.
  ///
  /// Afterward, the workspace contains exactly the commit's files, plus any ignored files if the workspace keeps them.
  /// A file whose content has not changed is left untouched, and every file's modification time is derived from its
  /// content (`FileTime`). Anything that code in the workspace did to files or links since the last checkout is undone
  /// without examining it, and so is a checkout that was killed partway.
  ///
  /// - Parameter allowed: Paths on this machine, of repositories or their enclosing folders, that a submodule's URL may
  ///   name.
  package func checkOut(_ commit: CommitID, into workspace: Workspace, submodulesFrom allowed: [String] = [])
    throws(GitError) -> CheckoutSummary
  {
    try checkOut(try commit.objectID(), into: workspace, submodulesFrom: allowed).summary
  }

  /// Checks out a commit, and tells what its Swift sources may import.
  ///
  /// - Parameter changes: what the caller is going to change in the workspace; the submodules among it are left to it.
  func checkOut(
    _ commit: ObjectID, into workspace: Workspace, submodulesFrom allowed: [String], before changes: FileChanges? = nil
  ) throws(GitError) -> (summary: CheckoutSummary, imported: ObjectID?) {
    var checkout = try Checkout(of: commit, in: self, into: workspace, before: changes)
    var summary: CheckoutSummary
    do throws(GitError) {
      summary = try checkout.run(afresh: false)
    } catch  where error.kind == .io || error.kind == .other {
      // The obstacle is in the workspace, and the workspace can be recreated.
      summary = try checkout.run(afresh: true)
    }
    let leaving = Set((changes?.repositories.map(\.path) ?? []) + (changes?.deleted ?? []))
    try checkOutSubmodules(of: checkout, from: allowed, leaving: leaving, summary: &summary)
    return (summary, checkout.imported)
  }
}

/// A single checkout of a commit into a workspace.
///
/// libgit2 writes the files, using an index and a work tree that belong to Martlet. Anything it would have to compare
/// or overwrite is removed beforehand, because it follows links when overwriting and considers only size and time when
/// comparing. It therefore finds either a file known to be correct or none.
struct Checkout: ~Copyable {
  let state: WorkspaceState
  let folder: OpenFolder
  /// The watched repository, opened a second time because its index and work tree are replaced.
  let repository: Handle<RepositoryKind>
  let tree: Handle<TreeKind>
  let entries: [Tree.Entry]
  /// The name of what Swift sources may import; nil if there is nothing.
  let imported: ObjectID?
  /// The operation in progress, for error messages.
  let what: String

  init(
    of commit: ObjectID, in source: borrowing Repository, into workspace: Workspace, before changes: FileChanges?
  ) throws(GitError) {
    let what = "Cannot check out \(commit.hexadecimal.prefix(7)) of \(source.path.quoted)"
    let original = try source.tree(of: commit, what)
    let entries = try Tree(original, under: RelativePath(""), of: source).entries
    let imported = try ImportedFiles(entries, changes).name
    let state = try WorkspaceState(claiming: workspace)
    let folder = try OpenFolder(workspace.folder)
    let repository = try source.opened(over: workspace, what)
    let tree = try Handle<TreeKind>(what) {
      git_tree_lookup(&$0, repository.pointer, git_tree_id(original.pointer))
    }
    self.what = what
    self.tree = tree
    self.entries = entries
    self.imported = imported
    self.state = state
    self.folder = folder
    self.repository = repository
  }

  /// Makes the workspace match the tree, keeping none of its contents if `afresh` is true.
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
    try state.write(WorkspaceState.Record(tree: tree.id?.hexadecimal ?? "", boot: boot))
    let files = entries.count { $0.kind != .submodule }
    return CheckoutSummary(files: files, written: written)
  }

  /// Opens Martlet's own index, or an empty one if it is missing or unreadable.
  private func openIndex() throws(GitError) -> Handle<IndexKind> {
    do throws(GitError) {
      return try Handle<IndexKind>(what) { git_index_open(&$0, state.indexPath) }
    } catch {
      // Without the index nothing about the workspace is known, and `attributesDiffer` has it rebuilt.
      try StateFile.remove(state.indexPath)
      return try Handle<IndexKind>(what) { git_index_open(&$0, state.indexPath) }
    }
  }

  /// Returns whether the files that control how contents become files have changed since the last checkout. If so,
  /// unchanged contents may have to become different files.
  private func attributesDiffer(from index: borrowing Handle<IndexKind>) -> Bool {
    let name = Array(".gitattributes".utf8)
    var before: [RelativePath: ObjectID] = [:]
    for entry in index.entries {
      let path = RelativePath(entry.path)
      if path.lastComponent == name { before[path] = ObjectID(entry.id) }
    }
    let now = entries.filter { $0.path.lastComponent == name }.map { ($0.path, $0.id) }
    return before != Dictionary(now, uniquingKeysWith: { first, _ in first })
  }
}

extension Checkout {
  /// Removes everything from the workspace that the index does not vouch for, and anything in the place of one of the
  /// tree's files.
  ///
  /// The index vouches for a file of the tree that has not been touched since Martlet wrote it: the time of the last
  /// change to its inode, which no program can set, is the same.
  func removeUntracked(_ index: borrowing Handle<IndexKind>, copied: [RelativePath]) throws(GitError) {
    var way = FolderWay()
    try folder.remove(RelativePath(".git"))
    for path in copied {
      try way.clear(to: path, in: folder)
      try folder.remove(path)
      try state.forgetSubmodule(at: path)
    }
    let targets = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var kept: Set<RelativePath> = []
    for entry in index.entries {
      let path = RelativePath(entry.path)
      try way.clear(to: path, in: folder)
      if try isKept(entry, at: path, target: targets[path]) {
        kept.insert(path)
      } else {
        try folder.remove(path)
        if TreeEntry.Kind(entry.fileMode) == .submodule { try state.forgetSubmodule(at: path) }
      }
    }
    for entry in entries where !kept.contains(entry.path) {
      try way.clear(to: entry.path, in: folder)
      try folder.remove(entry.path)
    }
  }

  private func isKept(_ entry: git_index_entry, at path: RelativePath, target: Tree.Entry?) throws(GitError) -> Bool {
    guard let target, target.kind == TreeEntry.Kind(entry.fileMode) else { return false }
    guard let status = try folder.status(of: path) else { return false }
    if target.kind == .submodule {
      // The submodule's own checkout compares its contents.
      try folder.remove(path.appending(RelativePath(".git")))
      return status.isFolder
    }
    return target.id == ObjectID(entry.id) && entry.isUnchanged(status)
  }
}

extension Handle where Kind == IndexKind {
  /// What the index holds, in its order; each with a path that is valid as long as the index has it.
  var entries: [git_index_entry] {
    (0..<git_index_entrycount(pointer)).compactMap { git_index_get_byindex(pointer, $0)?.pointee }
  }
}

extension git_index_entry {
  var fileMode: git_filemode_t { git_filemode_t(rawValue: mode) }

  /// Returns whether the file is the one from which the entry was made.
  func isUnchanged(_ status: stat) -> Bool {
    var now = self
    now.record(status)
    return now.ctime.seconds == ctime.seconds && now.ctime.nanoseconds == ctime.nanoseconds
      && now.mtime.seconds == mtime.seconds && now.mtime.nanoseconds == mtime.nanoseconds
      && now.ino == ino && now.file_size == file_size
  }

  /// Records a file's metadata. An index keeps the lower 32 bits of each number.
  mutating func record(_ status: stat) {
    ctime = git_index_time(status.st_ctim)
    mtime = git_index_time(status.st_mtim)
    dev = UInt32(truncatingIfNeeded: status.st_dev)
    ino = UInt32(truncatingIfNeeded: status.st_ino)
    uid = status.st_uid
    gid = status.st_gid
    file_size = UInt32(truncatingIfNeeded: status.st_size)
  }
}

extension git_index_time {
  init(_ time: timespec) {
    self.init(
      seconds: Int32(truncatingIfNeeded: time.tv_sec), nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
  }
}

extension Checkout {
  /// Has libgit2 write the missing files and remove files that are neither in the tree nor ignored.
  func write() throws(GitError) {
    var options = git_checkout_options()
    try check(git_checkout_options_init(&options, UInt32(GIT_CHECKOUT_OPTIONS_VERSION)), what)
    let strategy =
      [
        GIT_CHECKOUT_FORCE, GIT_CHECKOUT_REMOVE_UNTRACKED, GIT_CHECKOUT_NO_REFRESH, GIT_CHECKOUT_DONT_WRITE_INDEX,
        GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH,
      ] + (state.workspace.keepsIgnored ? [] : [GIT_CHECKOUT_REMOVE_IGNORED])
    options.checkout_strategy = strategy.reduce(0) { $0 | $1.rawValue }
    // The files present are correct, so comparing against this tree leaves them alone and writes the missing ones.
    options.baseline = tree.pointer
    options.file_open_flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    options.notify_flags = GIT_CHECKOUT_NOTIFY_UNTRACKED.rawValue
    options.notify_cb = { _, path, _, _, _, payload in
      guard let path, let payload else { return 0 }
      Unmanaged<Untracked>.fromOpaque(payload).takeUnretainedValue().paths.append(RelativePath(path))
      return 0
    }
    let untracked = Untracked()
    options.notify_payload = Unmanaged.passUnretained(untracked).toOpaque()
    let code = git_checkout_tree(repository.pointer, tree.pointer, &options)
    try check(code, what)
    withExtendedLifetime(untracked) {}
    // libgit2 does not remove folders that contain a repository.
    for path in untracked.paths { try folder.remove(path.withoutSlash) }
  }

  /// Sets every file's time according to its content and what it may import, and records the files' current metadata in
  /// the index.
  ///
  /// - Returns: the paths of the files whose time differed because they were just written.
  func setTimes(_ index: borrowing Handle<IndexKind>) throws(GitError) -> [String] {
    let database = try Handle<DatabaseKind>(what) { git_repository_odb(&$0, repository.pointer) }
    var written: [String] = []
    for var entry in index.entries {
      guard TreeEntry.Kind(entry.fileMode) != .submodule else { continue }
      let path = RelativePath(entry.path)
      try folder.dropPrivileges(of: path, present(path))
      var status = try present(path)
      let time = try self.time(of: path, status, content: ObjectID(entry.id), in: database)
      if FileTime(status.st_mtim) != time {
        try folder.setTime(time, of: path)
        status = try present(path)
        written.append(path.text)
      }
      if !entry.isUnchanged(status) {
        entry.record(status)
        try check(git_index_add(index.pointer, &entry), what)
      }
    }
    return written.sorted()
  }

  private func present(_ path: RelativePath) throws(GitError) -> stat {
    if let status = try folder.status(of: path) { return status }
    throw GitError(
      .io, what, because: "\(folder.describe(path)) vanished while it was written",
      next: "Let nothing else work in the workspace, and try again.")
  }

  /// Returns the time that a file should have. If a filter made the file differ from the content in the repository, as
  /// with line endings, the time is derived from the file's own bytes, because the same content can become different
  /// files.
  private func time(
    of path: RelativePath, _ status: stat, content: ObjectID, in database: borrowing Handle<DatabaseKind>
  ) throws(GitError) -> FileTime {
    let time = FileTime(of: content, at: path, beside: imported)
    if FileTime(status.st_mtim) == time { return time }
    var size = 0
    var type = git_object_t(rawValue: 0)
    var raw = content.raw
    try check(git_odb_read_header(&size, &type, database.pointer, &raw), what)
    if status.isLink || Int(status.st_size) == size { return time }
    return FileTime(of: try ObjectID(hashing: path, in: folder), at: path, beside: imported)
  }

  /// The paths that libgit2 reported during a checkout.
  private final class Untracked {
    var paths: [RelativePath] = []
  }
}

extension ObjectID {
  /// Computes the name that a file's bytes would have in a repository. Writes nothing.
  init(hashing file: RelativePath, in folder: borrowing OpenFolder) throws(GitError) {
    var raw = git_oid()
    let path = folder.path.utf8CString.dropLast() + [CChar(bitPattern: UInt8(ascii: "/"))] + file.characters
    let code = Array(path).withUnsafeBufferPointer { git_odb_hashfile(&raw, $0.baseAddress, GIT_OBJECT_BLOB) }
    try check(code, "Cannot read \(folder.describe(file))")
    self.raw = raw
  }
}

extension RelativePath {
  /// The path without the trailing slash that libgit2 adds to folders.
  var withoutSlash: RelativePath {
    bytes.last == UInt8(ascii: "/") ? RelativePath(bytes.dropLast()) : self
  }
}
