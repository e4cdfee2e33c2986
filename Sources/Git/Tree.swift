import CLibgit2

/// The files in a commit's tree, as libgit2 represents them.
struct Tree {
  struct Entry {
    var path: RelativePath
    var kind: TreeEntry.Kind
    var id: ObjectID
  }

  /// The entries of one folder are adjacent, in the folder's order.
  private(set) var entries: [Entry] = []

  /// The most entries to read: trees that refer to one another many times can represent more than a disk can hold.
  static let mostEntries = 1_000_000
  /// The longest path that Linux opens, in bytes.
  private static let longestPath = 4095

  /// Reads all files below `folder`, which is empty for the whole tree. There are none if the folder does not exist.
  init(
    _ root: borrowing Handle<TreeKind>, under folder: RelativePath, of repository: borrowing Repository,
    atMost limit: Int = Tree.mostEntries
  ) throws(GitError) {
    let what = "Cannot list the files of a commit in \(repository.path.quoted)"
    guard let start = try Tree.subtree(root, folder, repository, what) else { return }
    var waiting = [(start, folder.bytes)]
    // Counts visited folders too, because any number of them may contain no files at all.
    var met = 0
    while let (id, prefix) = waiting.popLast() {
      let tree = try repository.lookUpTree(id, what)
      var names: Set<RelativePath> = []
      for position in 0..<git_tree_entrycount(tree.pointer) {
        guard let entry = git_tree_entry_byindex(tree.pointer, position) else { continue }
        guard let name = git_tree_entry_name(entry), let raw = git_tree_entry_id(entry) else { continue }
        let own = RelativePath(name)
        let path = RelativePath((prefix.isEmpty ? [] : prefix + [UInt8(ascii: "/")]) + own.bytes)
        try Tree.check(path, count: met, limit, what)
        guard own.isName else { throw Tree.strange("an entry called \(own.text.quoted)", what) }
        // One may be a link through which the other would be written.
        guard names.insert(own).inserted else { throw Tree.strange("two entries called \(path.text.quoted)", what) }
        met += 1
        if git_tree_entry_type(entry) == GIT_OBJECT_TREE {
          waiting.append((ObjectID(raw.pointee), path.bytes))
        } else {
          let kind = TreeEntry.Kind(git_tree_entry_filemode(entry))
          entries.append(Entry(path: path, kind: kind, id: ObjectID(raw.pointee)))
        }
      }
    }
  }

  private static func subtree(
    _ root: borrowing Handle<TreeKind>, _ folder: RelativePath, _ repository: borrowing Repository, _ what: String
  ) throws(GitError) -> ObjectID? {
    if folder.bytes.isEmpty { return root.id }
    guard let entry = try repository.entry(folder, in: root, what) else { return nil }
    guard git_tree_entry_type(entry.pointer) == GIT_OBJECT_TREE else { return nil }
    return git_tree_entry_id(entry.pointer).map { ObjectID($0.pointee) }
  }

  /// Returns the error for what is in no tree of git's.
  private static func strange(_ entries: String, _ what: String) -> GitError {
    GitError(
      .other, what, because: "it has \(entries)",
      next: "git makes no such tree; check that the commit is what it should be.")
  }

  private static func check(_ path: RelativePath, count: Int, _ limit: Int, _ what: String) throws(GitError) {
    if count >= limit {
      throw GitError(
        .other, what, because: "it has more than \(limit) files and folders",
        next: "Martlet does not integrate such a tree; check that the commit is what it should be.")
    }
    if path.characters.count > longestPath {
      throw GitError(
        .other, what, because: "a path in it is longer than \(longestPath) bytes",
        next: "No folder on this machine can hold it; check that the commit is what it should be.")
    }
  }
}

extension TreeEntry.Kind {
  /// Creates the kind for a mode in a tree or an index. Old trees contain more modes than git writes today.
  init(_ mode: git_filemode_t) {
    switch mode.rawValue & 0o170000 {
    case 0o120000: self = .symlink
    case 0o160000: self = .submodule
    default: self = mode.rawValue & 0o100 == 0 ? .file : .executable
    }
  }
}

/// A file in a commit.
package struct TreeEntry: Hashable, Sendable {
  /// The kind of file.
  package enum Kind: String, Sendable {
    case file, executable, symlink, submodule
  }

  /// The path from the root of the repository.
  package let path: String
  package let kind: Kind
  /// The object name of the content: of a blob, or of a submodule's commit.
  package let id: String
}

/// The folders of a commit's tree, each read only once however many of its entries are looked up.
///
/// libgit2 alone would read every folder on the way to a path again for each path.
struct TreeFolders {
  enum Entry {
    case folder(ObjectID)
    case other(TreeEntry.Kind, ObjectID)
  }

  /// The owner of a folder's handle.
  private final class OpenFolder {
    let tree: Handle<TreeKind>

    init(_ tree: consuming Handle<TreeKind>) {
      self.tree = tree
    }
  }

  private let root: OpenFolder
  /// The folders by path; nil for paths that are not folders.
  private var known: [String: OpenFolder?] = [:]

  /// - Parameter root: The tree of the commit.
  init(_ root: consuming Handle<TreeKind>) {
    self.root = OpenFolder(root)
  }

  /// Returns the entry at a path, or nil if there is none.
  ///
  /// - Parameter what: The operation, for the error if an object cannot be read.
  mutating func entry(at path: String, of repository: borrowing Repository, _ what: String) throws(GitError) -> Entry? {
    let slash = path.lastIndex(of: "/")
    let parent = try slash.map { slash throws(GitError) in try folder(String(path[..<slash]), of: repository, what) }
    guard let folder = parent ?? (slash == nil ? root : nil) else { return nil }
    let name = RelativePath(slash.map { String(path[path.index(after: $0)...]) } ?? path)
    guard let entry = git_tree_entry_byname(folder.tree.pointer, name.characters),
      let id = git_tree_entry_id(entry)?.pointee
    else { return nil }
    return git_tree_entry_type(entry) == GIT_OBJECT_TREE
      ? .folder(ObjectID(id)) : .other(TreeEntry.Kind(git_tree_entry_filemode(entry)), ObjectID(id))
  }

  private mutating func folder(_ path: String, of repository: borrowing Repository, _ what: String) throws(GitError)
    -> OpenFolder?
  {
    if let folder = known[path] { return folder }
    var folder: OpenFolder?
    if case .folder(let id) = try entry(at: path, of: repository, what) {
      folder = OpenFolder(try repository.lookUpTree(id, what))
    }
    known[path] = .some(folder)
    return folder
  }
}

/// A limit on the number of tree entries to walk.
///
/// A few trees that refer to one another many times can represent more entries than there is time to walk. libgit2
/// compares two trees by walking all of both, even where they are the same, and a walk through empty folders never even
/// reaches a point at which it could be canceled.
struct TreeReach {
  /// The most entries that a tree may have and still be walked.
  let most = Tree.mostEntries

  /// Returns whether every tree is within the limit, counting folders and repeated entries. Each tree is read once. Nil
  /// represents an empty tree.
  func includes(
    _ trees: [ObjectID?], of repository: borrowing Repository, _ what: String
  ) throws(GitError) -> Bool {
    var sizes: [ObjectID: Int] = [:]
    // Not recursive, because folders may be nested very deep.
    var open: [Level] = []
    for case let root? in trees where sizes[root] == nil {
      open.append(try Level(root, repository, what))
      while let id = open.last?.id {
        let top = open.count - 1
        guard open[top].size <= most else { return false }
        if let folder = open[top].folders.popLast() {
          if let size = sizes[folder] {
            open[top].size += size
          } else {
            open.append(try Level(folder, repository, what))
          }
        } else {
          let size = open.removeLast().size
          sizes[id] = size
          if top > 0 { open[top - 1].size += size }
        }
      }
    }
    return true
  }

  /// Throws if one of the trees exceeds the limit.
  func check(_ trees: [ObjectID?], of repository: borrowing Repository, _ what: String) throws(GitError) {
    if try includes(trees, of: repository, what) { return }
    throw GitError(
      .other, what, because: "one of them has more than \(most) files and folders",
      next: "Martlet does not compare such trees; check that the commits are what they should be.")
  }

  /// A tree some of whose folders have not been visited yet.
  private struct Level {
    let id: ObjectID
    /// The number of entries here and in the visited folders.
    var size: Int
    /// The folders not yet visited, as often as the tree refers to them.
    var folders: [ObjectID] = []

    init(_ id: ObjectID, _ repository: borrowing Repository, _ what: String) throws(GitError) {
      self.id = id
      let tree = try repository.lookUpTree(id, what)
      size = git_tree_entrycount(tree.pointer)
      for position in 0..<size {
        guard let entry = git_tree_entry_byindex(tree.pointer, position),
          git_tree_entry_type(entry) == GIT_OBJECT_TREE, let id = git_tree_entry_id(entry)
        else { continue }
        folders.append(ObjectID(id.pointee))
      }
    }
  }
}
