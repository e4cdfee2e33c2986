import Model

/// The files of a tree that Swift sources import without naming them: headers, module maps, and what is in submodules.
///
/// A build does not notice each of their changes by itself. The compiler's driver takes a header for unchanged that is
/// older than the last build, as all files of a workspace are, and no build system looks at those of a system library.
struct ImportedFiles {
  private var files: [RelativePath: ObjectID]

  /// - Parameter changes: what will be different from the tree.
  init(_ entries: [Tree.Entry], _ changes: FileChanges?) throws(GitError) {
    let imported = entries.filter { $0.kind == .submodule || Self.isImported($0.path) }
    files = Dictionary(imported.map { ($0.path, $0.id) }, uniquingKeysWith: { first, _ in first })
    guard let changes else { return }
    for path in changes.deleted { files[path] = nil }
    let folder = try OpenFolder(changes.root)
    for path in changes.modified + changes.added where Self.isImported(path) {
      files[path] = try folder.status(of: path)?.isFile == true ? ObjectID(hashing: path, in: folder) : nil
    }
  }

  /// A name for all of them together with their paths; nil if there are none.
  var name: ObjectID? {
    if files.isEmpty { return nil }
    return ObjectID(hashing: files.sorted { $0.key < $1.key }.flatMap { $0.key.bytes + [0] + $0.value.bytes })
  }

  private static func isImported(_ path: RelativePath) -> Bool { SourceSuffix.isImported(path.text) }
}
