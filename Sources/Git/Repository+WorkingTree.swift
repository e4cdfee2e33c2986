import CLibgit2
import Glibc
package import Model

/// The result of checking out a work tree.
package struct WorkingTreeCheckout: Hashable, Sendable {
  /// HEAD's commit, to which the changes are applied.
  package var commit: CommitID
  package var summary: CheckoutSummary
  package var changes: WorkingTreeChanges
}

extension Repository {
  /// Checks out HEAD's commit into a workspace and copies the work tree's uncommitted changes over it.
  ///
  /// Changed and new files are copied byte for byte; ignored files that the index does not have are not. Repositories
  /// nested in the work tree, in particular submodules, are treated in the same way. The next checkout into the workspace
  /// undoes all of it.
  ///
  /// - Parameter allowed: As for the checkout of a commit.
  package func checkOutWorkingTree(into workspace: Workspace, submodulesFrom allowed: [String] = [])
    throws(GitError) -> WorkingTreeCheckout
  {
    let changes = try ownChanges()
    let commit = changes.commit.commitID
    var (summary, imported) = try checkOut(
      changes.commit, into: workspace, submodulesFrom: allowed, before: changes)
    let what = "Cannot copy the changes of \(path.quoted)"
    try copy(changes, into: workspace, beside: imported, what: what, summary: &summary)
    var result = WorkingTreeCheckout(commit: commit, summary: summary, changes: WorkingTreeChanges(changes))
    for link in changes.repositories {
      let place = workspace.nested(at: link.path)
      let inner = try Repository(exactly: "\(changes.root)/\(link.path.text)").checkOutWorkingTree(
        into: place, submodulesFrom: allowed)
      if link.commit != inner.commit { result.changes.modified.append(link.path.text) }
      result.summary.add(inner.summary, at: link.path)
      result.changes.add(inner.changes, at: link.path)
    }
    result.changes = result.changes.sorted
    return result
  }

  private func copy(
    _ changes: FileChanges, into workspace: Workspace, beside imported: ObjectID?, what: String,
    summary: inout CheckoutSummary
  ) throws(GitError) {
    let state = try WorkspaceState(claiming: workspace)
    let target = try OpenFolder(workspace.folder)
    let source = try OpenFolder(changes.root)
    let copied = changes.modified + changes.added
    let added = changes.repositories.filter { $0.commit == nil }.map(\.path)
    // Recorded beforehand, so that the next checkout also removes anything left behind by a killed copy.
    guard var record = try state.read() else {
      throw GitError(.io, what, because: "the workspace changed meanwhile", next: "Try again.")
    }
    record.copied = copied + added
    if !copied.isEmpty || !added.isEmpty { try state.write(record) }
    var way = FolderWay()
    for path in changes.deleted {
      try way.clear(to: path, in: target)
      try target.remove(path)
    }
    // Starts over, because a removed path may have been on the way.
    way = FolderWay()
    for path in added { try way.make(to: path, in: target) }
    for path in copied {
      try way.make(to: path, in: target)
      try target.remove(path)
      try target.copy(path, from: source, beside: imported)
    }
    summary.files += changes.added.count - changes.deletedFiles
    summary.written = Set(summary.written + copied.map(\.text)).subtracting(changes.deleted.map(\.text)).sorted()
  }
}
