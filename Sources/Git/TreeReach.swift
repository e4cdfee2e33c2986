import CLibgit2

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
