import Glibc

/// What is remembered about a workspace in files beside it, and the proof that its folder is Martlet's own.
///
/// `owner` holds the inode of the folder, written before anything is put into it. `index` is Martlet's own git index.
/// `checkout` names the tree that was checked out last and is there only while the workspace is known to be whole: it
/// is removed before a checkout touches anything and written, by rename, when all is done.
struct WorkspaceState {
  /// What `checkout` says.
  struct Record: Equatable {
    /// The tree that was checked out.
    var tree: String
    /// The start of the machine during which this was written. After another start the files are not vouched for,
    /// because a power cut may have kept their names and lost their contents.
    var boot: String
    /// Uncommitted files that were copied over the tree.
    var copied: [RelativePath] = []

    static let heading = "martlet workspace 1"
  }

  let workspace: Workspace

  var indexPath: String { "\(workspace.state)/index" }
  private var ownerPath: String { "\(workspace.state)/owner" }
  private var checkoutPath: String { "\(workspace.state)/checkout" }

  /// Makes the folders of a workspace, or proves that they are Martlet's own.
  init(claiming workspace: Workspace) throws(GitError) {
    self.workspace = workspace
    try WorkspaceState.makeFolders(workspace.folder)
    try WorkspaceState.makeFolders(workspace.state)
    let folder = try OpenFolder(workspace.folder)
    var status = stat()
    if fstat(folder.descriptor, &status) != 0 {
      throw GitError(errno: errno, doing: "Cannot look at the workspace \(workspace.folder.quoted)")
    }
    let mark = Array("\(Record.heading)\n\(status.st_ino)\n".utf8)
    if try StateFile.read(ownerPath) == mark { return }
    guard try folder.names().isEmpty else {
      throw GitError(
        .foreignWorkspace, "Cannot use \(workspace.folder.quoted) as a workspace",
        because: "it holds files, and Martlet did not make it", next: "Remove the folder or name another one.")
    }
    try StateFile.remove(checkoutPath)
    try StateFile.write(mark, to: ownerPath)
  }

  /// What is known about the workspace; nil when the last checkout did not come to its end.
  func read() throws(GitError) -> Record? {
    guard let bytes = try StateFile.read(checkoutPath) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0].elementsEqual(Record.heading.utf8) else { return nil }
    return Record(
      tree: String(decoding: lines[1], as: UTF8.self), boot: String(decoding: lines[2], as: UTF8.self),
      copied: lines[3].split(separator: 0).map { RelativePath($0) })
  }

  func write(_ record: Record) throws(GitError) {
    var bytes = Array("\(Record.heading)\n\(record.tree)\n\(record.boot)\n".utf8)
    for path in record.copied { bytes += path.bytes + [0] }
    try StateFile.write(bytes, to: checkoutPath)
  }

  /// Says that the workspace is not whole, until `write`.
  func forget() throws(GitError) {
    try StateFile.remove(checkoutPath)
    // Left over when a checkout was killed while it wrote its index.
    try StateFile.remove("\(indexPath).lock")
  }

  /// Removes the index and the states of all submodules.
  func forgetFiles() throws(GitError) {
    let folder = try OpenFolder(workspace.state)
    try folder.remove(RelativePath("index"))
    try folder.remove(RelativePath("submodules"))
  }

  /// Removes the state of the submodule at `path`.
  func forgetSubmodule(at path: RelativePath) throws(GitError) {
    try OpenFolder(workspace.state).remove(RelativePath(Workspace.nestedState(at: path)))
  }

  /// The name of the present start of the machine; see random(4).
  static func currentBoot() throws(GitError) -> String {
    let bytes = try StateFile.read("/proc/sys/kernel/random/boot_id") ?? []
    return String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  private static func makeFolders(_ path: String) throws(GitError) {
    let bytes = Array(path.utf8)
    for end in bytes.indices.dropFirst() where bytes[end] == UInt8(ascii: "/") {
      _ = mkdir(String(decoding: bytes[..<end], as: UTF8.self), 0o777)
    }
    if mkdir(path, 0o777) != 0, errno != EEXIST {
      throw GitError(errno: errno, doing: "Cannot make the folder \(path.quoted)")
    }
  }
}
