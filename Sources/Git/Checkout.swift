import CLibgit2
import Glibc
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

extension Checkout {
  /// Removes from the workspace what the index does not vouch for and whatever stands where the tree has a file.
  ///
  /// The index vouches for a file of the tree that nobody has touched since Martlet wrote it: the time of the last
  /// change of its inode, which no program can set, is the same.
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
    for position in 0..<git_index_entrycount(index.pointer) {
      guard let entry = git_index_get_byindex(index.pointer, position)?.pointee else { continue }
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
      // Its own checkout compares what is in it.
      try folder.remove(path.appending(RelativePath(".git")))
      return status.isFolder
    }
    return target.id == ObjectID(entry.id) && entry.isUnchanged(status)
  }
}

extension git_index_entry {
  var fileMode: git_filemode_t { git_filemode_t(rawValue: mode) }

  /// Whether the file is the one that the entry was made from.
  func isUnchanged(_ status: stat) -> Bool {
    var now = self
    now.record(status)
    return now.ctime.seconds == ctime.seconds && now.ctime.nanoseconds == ctime.nanoseconds
      && now.mtime.seconds == mtime.seconds && now.mtime.nanoseconds == mtime.nanoseconds
      && now.ino == ino && now.file_size == file_size
  }

  /// Takes over what the file system knows of the file; an index keeps the lower 32 bits of each number.
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
  /// Lets libgit2 write the files that are missing and remove those that are neither in the tree nor ignored.
  func write() throws(GitError) {
    var options = git_checkout_options()
    try check(git_checkout_options_init(&options, UInt32(GIT_CHECKOUT_OPTIONS_VERSION)), what)
    let strategy =
      [
        GIT_CHECKOUT_FORCE, GIT_CHECKOUT_REMOVE_UNTRACKED, GIT_CHECKOUT_NO_REFRESH, GIT_CHECKOUT_DONT_WRITE_INDEX,
        GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH,
      ] + (state.workspace.keepsIgnored ? [] : [GIT_CHECKOUT_REMOVE_IGNORED])
    options.checkout_strategy = strategy.reduce(0) { $0 | $1.rawValue }
    // What is there is right; compared with this tree it is left alone, and what is missing is written.
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
    // libgit2 spares folders that hold a repository.
    for path in untracked.paths { try folder.remove(path.withoutSlash) }
  }

  /// Gives every file the time of its content, has the index know the files as they are now, and returns the paths of
  /// those that had another time because they were just written.
  func setTimes(_ index: borrowing Handle<IndexKind>) throws(GitError) -> [String] {
    let database = try Handle<DatabaseKind>(what) { git_repository_odb(&$0, repository.pointer) }
    var written: [String] = []
    for position in 0..<git_index_entrycount(index.pointer) {
      guard let found = git_index_get_byindex(index.pointer, position) else { continue }
      var entry = found.pointee
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

  /// The time that a file should have. A file that a filter made other than the content in the repository, as with
  /// line endings, gets it from its own bytes, for the same content can become different files.
  private func time(
    of path: RelativePath, _ status: stat, content: ObjectID, in database: borrowing Handle<DatabaseKind>
  ) throws(GitError) -> FileTime {
    let time = FileTime(of: content)
    if FileTime(status.st_mtim) == time { return time }
    var size = 0
    var type = git_object_t(rawValue: 0)
    var raw = content.raw
    try check(git_odb_read_header(&size, &type, database.pointer, &raw), what)
    if status.isLink || Int(status.st_size) == size { return time }
    return FileTime(of: try ObjectID(hashing: path, in: folder))
  }

  /// The paths that libgit2 reported while it worked.
  private final class Untracked {
    var paths: [RelativePath] = []
  }
}

extension ObjectID {
  /// The name that the bytes of a file would have in a repository; nothing is written.
  init(hashing file: RelativePath, in folder: borrowing OpenFolder) throws(GitError) {
    var raw = git_oid()
    let path = folder.path.utf8CString.dropLast() + [CChar(bitPattern: UInt8(ascii: "/"))] + file.characters
    let code = Array(path).withUnsafeBufferPointer { git_odb_hashfile(&raw, $0.baseAddress, GIT_OBJECT_BLOB) }
    try check(code, "Cannot read \(folder.describe(file))")
    self.raw = raw
  }
}

extension RelativePath {
  /// The path without the slash that libgit2 puts behind folders.
  var withoutSlash: RelativePath {
    bytes.last == UInt8(ascii: "/") ? RelativePath(bytes.dropLast()) : self
  }
}
