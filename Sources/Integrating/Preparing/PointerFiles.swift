import Model

/// The files of a checkout that Git LFS keeps elsewhere, where only what points to them was checked out.
///
/// https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
struct PointerFiles {
  private static let beginning = Array("version https://git-lfs.github.com/spec/v1\n".utf8)
  /// Files of this size or larger are none.
  private static let limit = 1024

  /// - Returns: their sorted paths; empty where no attributes mention Git LFS, for which no other file is looked at.
  static func paths(in folder: Folder) -> [String] {
    let attributes = folder.read(".gitattributes").map { String(decoding: $0, as: UTF8.self) }
    guard let attributes, attributes.contains("filter=lfs") else { return [] }
    return folder.filesBeneath().filter { path in
      folder.size(of: path) < limit && folder.piece(of: path, bytes: beginning.count) == beginning
    }
  }
}
