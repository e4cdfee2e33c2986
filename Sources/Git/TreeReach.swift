import CLibgit2

/// How far a walk through trees goes before it ends.
///
/// A few trees that name one another many times stand for more entries than anybody can wait for. libgit2 compares two
/// trees by walking through all of both, also where they are the same, and a walk through empty folders does not even
/// come back to be cancelled.
struct TreeReach {
  /// A tree with more entries is not walked through.
  let most: Int

  init(atMost most: Int = Tree.mostEntries) {
    self.most = most
  }

  /// Whether each of some trees has no more entries, folders included, however often it names one of them; each tree is
  /// read once. Nil stands for a tree without any.
  func includes(
    _ trees: [ObjectID?], of repository: borrowing Repository, _ what: String
  ) throws(GitError) -> Bool {
    var sizes: [ObjectID: Int] = [:]
    // Not by recursion: folders may lie very deep in each other.
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

  /// Throws when one of the trees has more.
  func check(_ trees: [ObjectID?], of repository: borrowing Repository, _ what: String) throws(GitError) {
    if try includes(trees, of: repository, what) { return }
    throw GitError(
      .other, what, because: "one of them has more than \(most) files and folders",
      next: "Martlet does not compare such trees; check that the commits are what they should be.")
  }

  /// A tree of which some folders are still to be looked at.
  private struct Level {
    let id: ObjectID
    /// How many entries there are here and in the folders that were looked at.
    var size: Int
    /// Those that were not, as often as the tree names them.
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
