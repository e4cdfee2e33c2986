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
