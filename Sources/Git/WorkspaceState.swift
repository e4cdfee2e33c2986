import Glibc

/// The state kept about a workspace in files next to it, and the proof that its folder belongs to Martlet.
///
/// `owner` holds the inode of the folder and is written before anything is put into it. `index` is Martlet's own git
/// index. `checkout` names the last tree checked out and exists only while the workspace is known to be intact: it is
/// removed before a checkout touches anything and written, by renaming, when the checkout is complete.
struct WorkspaceState {
  /// The contents of `checkout`.
  struct Record: Equatable {
    var tree: String
    /// The ID of the boot during which this was written. After another boot the files are no longer trusted, because a
    /// power failure may have kept their names and lost their contents.
    var boot: String
    /// Uncommitted files that were copied over the tree.
    var copied: [RelativePath] = []

    static let heading = "martlet workspace 1"
  }

  let workspace: Workspace

  var indexPath: String { "\(workspace.state)/index" }
  private var ownerPath: String { "\(workspace.state)/owner" }
  private var checkoutPath: String { "\(workspace.state)/checkout" }

  /// Creates the folders of a workspace, or verifies that they belong to Martlet.
  ///
  /// A submodule's folder lies in a workspace, so it is Martlet's even if code there has put another one in its place:
  /// without a record, the checkout removes whatever it holds.
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
    if workspace.depth == 0, try !folder.names().isEmpty {
      throw GitError(
        .foreignWorkspace, "Cannot use \(workspace.folder.quoted) as a workspace",
        because: "it holds files, and Martlet did not make it", next: "Remove the folder or name another one.")
    }
    try StateFile.remove(checkoutPath)
    try StateFile.write(mark, to: ownerPath)
  }

  /// Returns the workspace's record, or nil if the last checkout did not finish.
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

  /// Marks the workspace as incomplete until `write` is called.
  func forget() throws(GitError) {
    try StateFile.remove(checkoutPath)
    // Left over if a checkout was killed while writing its index.
    try StateFile.remove("\(indexPath).lock")
  }

  /// Removes the index and the states of all submodules.
  func forgetFiles() throws(GitError) {
    let folder = try OpenFolder(workspace.state)
    try folder.remove(RelativePath("index"))
    try folder.remove(RelativePath("submodules"))
  }

  func forgetSubmodule(at path: RelativePath) throws(GitError) {
    try OpenFolder(workspace.state).remove(RelativePath(Workspace.nestedState(at: path)))
  }

  /// Returns the ID of the current boot; see random(4).
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

/// Small files that are replaced atomically.
enum StateFile {
  /// Returns the bytes of a file, or nil if it does not exist.
  static func read(_ path: String) throws(GitError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw GitError(errno: errno, doing: "Cannot read \(path.quoted)")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    try read(descriptor, "Cannot read \(path.quoted)") { bytes += $0 }
    return bytes
  }

  /// Passes on the bytes of an open file, piece by piece, from its position to its end.
  static func read(
    _ descriptor: Int32, _ what: @autoclosure () -> String, _ take: (ArraySlice<UInt8>) throws(GitError) -> Void
  ) throws(GitError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw GitError(errno: errno, doing: what()) }
      if count == 0 { return }
      try take(buffer[..<count])
    }
  }

  /// Writes a file next to its destination, under a name that includes the process ID, and renames it.
  static func write(_ bytes: [UInt8], to path: String) throws(GitError) {
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw GitError(errno: errno, doing: "Cannot write \(path.quoted)") }
    var number = write(bytes[...], to: descriptor)
    if close(descriptor) != 0, number == 0 { number = errno }
    if number == 0, rename(temporary, path) != 0 { number = errno }
    if number != 0 { throw GitError(errno: number, doing: "Cannot write \(path.quoted)") }
  }

  /// Writes all bytes to an open file. Returns 0 or an error number.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count < 0 ? errno : EIO }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  /// Removes a file if it exists.
  static func remove(_ path: String) throws(GitError) {
    if unlink(path) != 0, errno != ENOENT {
      throw GitError(errno: errno, doing: "Cannot remove \(path.quoted)")
    }
  }
}
