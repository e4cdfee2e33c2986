import CLibgit2
import FoundationEssentials
import Glibc
package import Model

/// A git repository on this machine, open for reading. Nothing is written to it except notes that a bot requests.
///
/// Every call blocks until it is done, and a value must stay on the thread that made it. Line endings, `ident` and
/// `.gitattributes` work as in git. Filter programs do not run, so files kept by Git LFS remain pointer files, and
/// `working-tree-encoding` is not applied: libgit2 supports neither.
package struct Repository: ~Copyable {
  let handle: Handle<RepositoryKind>

  /// The folder that a person would name: the root of the work tree, or the bare repository.
  package let path: String
  /// The repository's git folder, shared by all its linked work trees.
  package let commonPath: String
  /// The git folder of this work tree; the same as `commonPath` unless the work tree is linked.
  package let gitPath: String
  /// The root of the work tree; nil if the repository is bare.
  package let workTree: String?

  /// Opens the repository at or around `path`: a work tree or a folder inside it, a linked work tree, or a bare
  /// repository.
  package init(at path: String) throws(GitError) {
    try self.init(opening: path, upwards: true)
  }

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

  /// Takes every value from outside: Swift 6.3.1 with optimization miscompiles an initializer of a noncopyable type
  /// that reads back what it has just assigned, and releases the string twice.
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

  /// The name of the repository's folder, without the `.git` of a bare one. For a linked work tree, the name of the
  /// repository it belongs to.
  package var name: String {
    let isLinked = git_repository_is_worktree(handle.pointer) == 1
    let shared = commonPath.split(separator: "/").map(String.init)
    if shared.last == ".git", shared.count > 1 { return shared[shared.count - 2] }
    let folder = isLinked || workTree == nil ? shared : path.split(separator: "/").map(String.init)
    guard let last = folder.last else { return "repository" }
    return last.hasSuffix(".git") && last.count > 4 ? String(last.dropLast(4)) : last
  }

  /// Returns the checked-out branch and its newest commit. The branch is nil if HEAD names a commit directly.
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

  /// Returns the commit that a reference leads to.
  func peel(_ reference: borrowing Handle<ReferenceKind>, _ what: String) throws(GitError) -> ObjectID {
    let pointer = reference.pointer
    let commit = try Handle<ObjectKind>(what) { git_reference_peel(&$0, pointer, GIT_OBJECT_COMMIT) }
    guard let id = git_object_id(commit.pointer) else { throw GitError(code: GIT_ERROR.rawValue, doing: what) }
    return ObjectID(id.pointee)
  }

  /// Returns the error for a HEAD that names a branch without commits.
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

extension Repository {
  /// The longest file to blame, in bytes: the time grows with its length and with the history of each of its lines.
  package static let longestBlamedFile = 1 << 20

  /// Returns the last author of each line of a file in a commit, in ascending order. Links are followed, renames are
  /// not.
  ///
  /// libgit2 walks the whole history of the file and cannot be interrupted, so request only a few files. Nil for a file
  /// that the commit does not have, or that is longer than `longestBlamedFile` bytes.
  ///
  /// - Parameter base: A commit at which the walk ends; older lines are attributed to it.
  package func blame(_ path: String, at commit: CommitID, since base: CommitID? = nil) throws(GitError)
    -> [LineOrigin]?
  {
    guard case .file(let path)? = try places(of: [path], in: commit)[path],
      let contents = try contents(of: path, in: commit), contents.count <= Self.longestBlamedFile
    else {
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
          date: Date(timeIntervalSince1970: Double(signature?.when.time ?? 0))))
    }
    return origins
  }
}

extension Repository {
  /// Returns the names of all branches, sorted.
  package func branchNames() throws(GitError) -> [String] { try names(of: .branches) }
}

extension Repository {
  /// Returns the committer that git's configuration names, such as `Mira <mira@example.org>`, or nil if it names none.
  package func identity() throws(GitError) -> String? {
    let email = try setting("user.email")
    guard let name = try setting("user.name") else { return email }
    return email.map { "\(name) <\($0)>" } ?? name
  }

  /// Returns the folder from which git takes hooks.
  package func hooksFolder() throws(GitError) -> String {
    guard let named = try setting("core.hooksPath") else { return "\(commonPath)/hooks" }
    if named.hasPrefix("~/"), let home = getenv("HOME") { return String(cString: home) + named.dropFirst() }
    return named.hasPrefix("/") ? named : "\(workTree ?? gitPath)/\(named)"
  }

  /// Returns a value from git's configuration; nil if it is missing or empty.
  private func setting(_ name: String) throws(GitError) -> String? {
    let value = try configured(name)
    return value == "" ? nil : value
  }
}

extension Repository {
  /// Whether a commit has a file, a link or a submodule at a path, none of whose folders is a link.
  package func hasFile(at path: String, in commit: CommitID) throws(GitError) -> Bool {
    let what = "Cannot look for \(path.quoted) in the commit \(commit.rawValue.quoted) in \(self.path.quoted)"
    var folders = TreeFolders(try tree(of: try commit.objectID(), what))
    return if case .other? = try folders.entry(at: path, of: self, what) { true } else { false }
  }

  /// Returns the places that paths lead to in a commit when its links are followed.
  package func places(of paths: Set<String>, in commit: CommitID) throws(GitError) -> [String: TreePlace] {
    let what = "Cannot follow the links of the commit \(commit.rawValue.quoted) in \(path.quoted)"
    var folders = TreeFolders(try tree(of: try commit.objectID(), what))
    return try LinkWay.places(of: paths) { path throws(GitError) in
      switch try folders.entry(at: path, of: self, what) {
      case nil: return nil
      case .folder: return .folder
      case .other(.submodule, _): return .submodule
      case .other(.symlink, let id): return .link(String(decoding: try bytes(of: id, what), as: UTF8.self))
      case .other(.file, _), .other(.executable, _): return .file
      }
    }
  }

  /// Returns the places that paths lead to in the files of a workspace when its links are followed.
  package static func places(of paths: Set<String>, inFilesOf workspace: Workspace) throws(GitError)
    -> [String: TreePlace]
  {
    let folder = try OpenFolder(workspace.folder)
    return try LinkWay.places(of: paths) { path throws(GitError) in
      let file = RelativePath(path)
      guard let status = try folder.status(of: file) else { return nil }
      if status.isLink { return .link(String(decoding: try folder.target(of: file), as: UTF8.self)) }
      return status.isFolder ? .folder : .file
    }
  }
}

extension Repository {
  /// Reads the current commits of all branches and, if requested, of all tags and change requests.
  ///
  /// Names that are not UTF-8, and tags of objects that are missing or not commits, are left out.
  package func tips(withTags: Bool, withChangeRequests: Bool = false) throws(GitError) -> Tips {
    var refs = try commits(of: .branches)
    if withTags { refs.merge(try commits(of: .tags)) { $1 } }
    for group in [ReferenceGroup.pullRequests, .mergeRequests] where withChangeRequests {
      refs.merge(try commits(of: group).filter(\.key.isChangeRequest)) { $1 }
    }
    return Tips(refs: refs, head: try headBranch(), isBare: git_repository_is_bare(handle.pointer) != 0)
  }

  /// Returns the branch that HEAD names, with or without commits.
  package func headBranch() throws(GitError) -> RefName? {
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

  /// Returns the commit of a reference; nil for a tag of a file, a link to a deleted branch or a missing object.
  private func commit(of reference: borrowing Handle<ReferenceKind>, in group: ReferenceGroup, _ what: String)
    -> CommitID?
  {
    // A branch names its commit directly, which avoids reading the commit.
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
      // The reference was removed after it was listed.
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

/// A walker that follows links within a file tree without leaving it.
struct LinkWay {
  enum Node {
    case file, folder, submodule
    case link(String)
  }

  /// The number of links that Linux follows in a path.
  private static let mostLinks = 40
  /// The nodes found so far, by path; folders are looked up repeatedly.
  private var known: [String: Node?] = [:]

  /// Returns where paths lead to.
  ///
  /// - Parameter look: Returns the node at a path none of whose folders is a link, or nil if nothing is there.
  static func places(of paths: Set<String>, _ look: (String) throws(GitError) -> Node?) throws(GitError)
    -> [String: TreePlace]
  {
    var way = LinkWay()
    var places: [String: TreePlace] = [:]
    for path in paths { places[path] = try way.place(of: path, look) }
    return places
  }

  private mutating func place(of path: String, _ look: (String) throws(GitError) -> Node?) throws(GitError) -> TreePlace
  {
    var waiting = Self.components(path)
    var passed: [String] = []
    var links = 0
    // How many components of the path come after its last link, whose target has been walked when no more are left.
    var behind = Int.max
    while let name = waiting.popLast() {
      if name == "." { continue }
      if name == ".." {
        if passed.popLast() == nil { return .astray }
        continue
      }
      passed.append(name)
      let place = passed.joined(separator: "/")
      switch try node(at: place, look) {
      case .folder: continue
      case .file where waiting.isEmpty: return .file(place)
      case .file: return waiting.count <= behind ? .nothing : .astray
      case nil: return waiting.count < behind ? .nothing : .astray
      case .submodule: return .file((passed + waiting.reversed()).joined(separator: "/"))
      case .link(let target):
        links += 1
        if links > Self.mostLinks || target.hasPrefix("/") || target.isEmpty { return .astray }
        passed.removeLast()
        behind = min(behind, waiting.count)
        waiting += Self.components(target)
      }
    }
    return behind > 0 ? .nothing : .astray
  }

  /// Returns the components in reverse order.
  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").reversed().map(String.init)
  }

  private mutating func node(at path: String, _ look: (String) throws(GitError) -> Node?) throws(GitError) -> Node? {
    if let node = known[path] { return node }
    let node = try look(path)
    known[path] = .some(node)
    return node
  }
}
