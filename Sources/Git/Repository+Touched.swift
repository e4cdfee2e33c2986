import CLibgit2
package import Model

extension Repository {
  /// The files that a commit changed, by their old and new paths; none for a merge, whose changes are its parents'.
  package func pathsTouched(by id: CommitID) throws(GitError) -> Set<String> {
    let what = "Cannot read what the commit \(id.rawValue.quoted) of \(path.quoted) changed"
    let commit = try lookUpCommit(try id.objectID(), what)
    guard git_commit_parentcount(commit.pointer) < 2 else { return [] }
    let new = try tree(of: try id.objectID(), what)
    let diff: Handle<DiffKind>
    // The first commit changed everything it has.
    if let parent = try firstParent(of: id) {
      let old = try tree(of: try parent.objectID(), what)
      diff = try Handle<DiffKind>(what) {
        git_diff_tree_to_tree(&$0, handle.pointer, old.pointer, new.pointer, nil)
      }
    } else {
      diff = try Handle<DiffKind>(what) { git_diff_tree_to_tree(&$0, handle.pointer, nil, new.pointer, nil) }
    }
    var paths: Set<String> = []
    for index in 0..<git_diff_num_deltas(diff.pointer) {
      guard let delta = git_diff_get_delta(diff.pointer, index)?.pointee else { continue }
      for file in [delta.old_file.path, delta.new_file.path] {
        if let file { paths.insert(RelativePath(file).text) }
      }
    }
    return paths
  }
}
