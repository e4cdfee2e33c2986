import Git
import Model

/// The files of a checkout that Git LFS keeps elsewhere, where only what points to them was checked out.
///
/// https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
struct PointerFiles {
  private static let beginning = Array("version https://git-lfs.github.com/spec/v1\n".utf8)
  /// Files of this size or larger are none.
  private static let limit = 1024

  /// - Returns: their sorted paths; empty where no attributes mention Git LFS, for which no other file is looked at.
  static func paths(in checkout: Workspace, of repository: borrowing Repository) throws(GitError) -> [String] {
    let folder = Folder(checkout.folder)
    let files = folder.filesBeneath()
    let attributes = files.filter { $0 == ".gitattributes" || $0.hasSuffix("/.gitattributes") }
    let areUsed = attributes.contains { name in
      folder.text(of: name)?.contains("filter=lfs") == true
    }
    guard areUsed else { return [] }
    let alike = files.filter { path in
      folder.size(of: path) < limit && folder.piece(of: path, bytes: beginning.count) == beginning
    }
    return try repository.paths(alike, filteredBy: "lfs", in: checkout)
  }
}
