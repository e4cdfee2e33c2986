import Glibc
import Model

/// The modification time that a workspace file is given according to its content.
///
/// The build system looks only at time and size, and the compiler driver only at whole seconds, so equal contents must
/// have equal times however often a tree is checked out, and different contents must differ in the seconds. Thirty bits
/// of the object's name determine the seconds, from January 1987 to January 2021, and the next thirty-four the
/// nanoseconds: two contents of a file share a second once in 2^30 times. All times are in the past, before anything
/// built from the files. The time of a Swift source depends on what it may import, too (`ImportedFiles`).
struct FileTime: Hashable, Sendable {
  /// Seconds since 1970.
  var seconds: Int
  var nanoseconds: Int

  init(seconds: Int, nanoseconds: Int) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ time: timespec) {
    self.init(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
  }

  /// - Parameters:
  ///   - content: the name of the file's content.
  ///   - path: the file's path.
  ///   - imported: the name of the imported files of the same tree; nil if there are none.
  init(of content: ObjectID, at path: RelativePath, beside imported: ObjectID?) {
    let isSwift = path.bytes.suffix(6).elementsEqual(".swift".utf8)
    let bits = content.firstBits ^ (isSwift ? imported?.firstBits ?? 0 : 0)
    self.init(seconds: 1 << 29 + Int(bits >> 34), nanoseconds: Int(bits & (1 << 34 - 1)) % 1_000_000_000)
  }

  var timespec: timespec { .init(tv_sec: seconds, tv_nsec: nanoseconds) }
}

extension ObjectID {
  fileprivate var firstBits: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

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
    for link in changes.repositories {
      files[link.path] = try Self.name(ofWorkTree: "\(changes.root)/\(link.path.text)")
    }
  }

  /// Returns the name of a submodule as it is in a work tree: that of its commit, unless imported files are changed.
  private static func name(ofWorkTree path: String) throws(GitError) -> ObjectID {
    let repository = try Repository(exactly: path)
    let changes = try repository.ownChanges()
    let tree = try repository.tree(of: changes.commit, "Cannot read the changes in \(path.quoted)")
    let entries = try Tree(tree, under: RelativePath(""), of: repository).entries
    let (committed, now) = (try ImportedFiles(entries, nil).name, try ImportedFiles(entries, changes).name)
    return now == committed ? changes.commit : ObjectID(hashing: changes.commit.bytes + (now?.bytes ?? []))
  }

  /// A name for all of them together with their paths; nil if there are none.
  var name: ObjectID? {
    if files.isEmpty { return nil }
    return ObjectID(hashing: files.sorted { $0.key < $1.key }.flatMap { $0.key.bytes + [0] + $0.value.bytes })
  }

  private static func isImported(_ path: RelativePath) -> Bool { SourceSuffix.isImported(path.text) }
}
