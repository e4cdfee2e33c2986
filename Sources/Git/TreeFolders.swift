import CLibgit2

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
