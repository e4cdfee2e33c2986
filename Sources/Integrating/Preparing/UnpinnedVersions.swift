import Git
import Glibc
import Model

/// The versions that SwiftPM chose for the dependencies of a package whose commit does not pin them.
struct UnpinnedVersions {
  private static let name = "Package.resolved"

  let package: Folder

  /// Leaves the versions of the last build to the next one, as a work tree would have them.
  ///
  /// - Parameter memory: one without versions has them chosen anew, even if the checkout kept an ignored file.
  func restore(from memory: Folder) {
    let left = package.read(Self.name)
    let remembered = memory.read(Self.name)
    // SwiftPM plans a build again if the file is replaced by an equal one.
    guard left != remembered else { return }
    if let remembered {
      try? package.write(remembered, to: Self.name)  // Without it, SwiftPM resolves again.
    } else {
      unlink(package.file(Self.name))
    }
  }
}

extension Repository {
  /// Returns whether a checkout brings a file, rather than keeping one that is ignored.
  ///
  /// - Parameter changes: the uncommitted changes that are checked out, too.
  func brings(_ path: String, of commit: CommitID, with changes: WorkingTreeChanges?) throws(GitError) -> Bool {
    if let changes {
      if changes.added.contains(path) { return true }
      if changes.deleted.contains(path) { return false }
    }
    return try contents(of: path, in: commit) != nil
  }
}
