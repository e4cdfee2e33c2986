import Glibc

/// An open folder in which files are examined, removed and written by paths relative to it.
///
/// A link in the last component of a path is never followed; `FolderWay` ensures that the components before it are
/// folders.
struct OpenFolder: ~Copyable {
  let path: String
  let descriptor: Int32

  /// Opens a folder, which must not be a link.
  init(_ path: String) throws(GitError) {
    self.path = path
    descriptor = try OpenFolder.open(path)
  }

  /// Opens one of Martlet's own folders, to which a link may lead.
  init(following path: String) throws(GitError) {
    self.path = path
    descriptor = try OpenFolder.open(path, flags: 0)
  }

  private static func open(_ path: String, flags: Int32 = O_NOFOLLOW) throws(GitError) -> Int32 {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags)
    if descriptor < 0 { throw GitError(errno: errno, doing: "Cannot open the folder \(path.quoted)") }
    return descriptor
  }

  deinit { close(descriptor) }

  /// Returns the metadata of a file or link, or nil if there is none.
  func status(of file: RelativePath) throws(GitError) -> stat? {
    var status = stat()
    if fstatat(descriptor, file.characters, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw GitError(errno: errno, doing: "Cannot look at \(describe(file))")
  }

  /// Creates a folder if it does not exist.
  func makeFolder(_ folder: RelativePath) throws(GitError) {
    if mkdirat(descriptor, folder.characters, 0o777) == 0 || errno == EEXIST { return }
    throw GitError(errno: errno, doing: "Cannot make the folder \(describe(folder))")
  }

  /// Removes a file's set-user-ID, set-group-ID and sticky bits. A tree may contain modes that git itself never writes.
  func dropPrivileges(of file: RelativePath, _ status: stat) throws(GitError) {
    guard status.st_mode & (S_ISUID | S_ISGID | S_ISVTX) != 0 else { return }
    if fchmodat(descriptor, file.characters, status.st_mode & 0o777, 0) == 0 { return }
    throw GitError(errno: errno, doing: "Cannot set the mode of \(describe(file))")
  }

  func setTime(_ time: FileTime, of file: RelativePath) throws(GitError) {
    let times = [time.timespec, time.timespec]
    if utimensat(descriptor, file.characters, times, AT_SYMLINK_NOFOLLOW) == 0 { return }
    throw GitError(errno: errno, doing: "Cannot set the modification time of \(describe(file))")
  }

  /// Returns the names in the folder, including hidden ones.
  func names() throws(GitError) -> [RelativePath] {
    // A separate file description, because reading moves a position that copies of a descriptor share.
    let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if own < 0 { throw GitError(errno: errno, doing: "Cannot list the folder \(path.quoted)") }
    return OpenFolder.names(closing: own)
  }

  /// Returns the names in an open folder and closes its descriptor.
  static func names(closing descriptor: Int32) -> [RelativePath] {
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return []
    }
    defer { closedir(stream) }
    var names: [RelativePath] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { RelativePath($0) }
      }
      if name != RelativePath("."), name != RelativePath("..") { names.append(name) }
    }
    return names
  }

  func describe(_ file: RelativePath) -> String { "\(path)/\(file.text)".quoted }
}

extension stat {
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
  var isFile: Bool { st_mode & S_IFMT == S_IFREG }
}

extension OpenFolder {
  /// Copies a file or a link to a path where nothing exists yet, and sets its time according to its content and to the
  /// name of what it may import. The folders on the way must exist. Other kinds of files are skipped, and so is a file
  /// that has since vanished.
  func copy(
    _ file: RelativePath, from source: borrowing OpenFolder, beside imported: ObjectID?
  ) throws(GitError) {
    guard let status = try source.status(of: file) else { return }
    if status.isLink {
      try copyLink(file, from: source, beside: imported)
    } else if status.isFile {
      let mode: mode_t = status.st_mode & 0o100 == 0 ? 0o666 : 0o777
      try copyBytes(of: file, mode: mode, from: source)
      try setTime(FileTime(of: try ObjectID(hashing: file, in: self), at: file, beside: imported), of: file)
    }
  }

  private func copyLink(
    _ file: RelativePath, from source: borrowing OpenFolder, beside imported: ObjectID?
  ) throws(GitError) {
    let target = try source.target(of: file)
    if symlinkat(RelativePath(target).characters, descriptor, file.characters) != 0 {
      throw GitError(errno: errno, doing: "Cannot make the link \(describe(file))")
    }
    try setTime(FileTime(of: ObjectID(hashing: target), at: file, beside: imported), of: file)
  }

  /// Returns the bytes of the path that a link holds.
  func target(of link: RelativePath) throws(GitError) -> [UInt8] {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(descriptor, link.characters, &target, target.count)
    if count < 0 { throw GitError(errno: errno, doing: "Cannot read the link \(describe(link))") }
    return target.prefix(count).map { UInt8(bitPattern: $0) }
  }

  private func copyBytes(of file: RelativePath, mode: mode_t, from source: borrowing OpenFolder) throws(GitError) {
    // O_NONBLOCK, in case a pipe has just taken the file's place.
    let input = openat(source.descriptor, file.characters, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    if input < 0 { throw GitError(errno: errno, doing: "Cannot read \(source.describe(file))") }
    defer { close(input) }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let output = openat(descriptor, file.characters, flags, mode)
    if output < 0 { throw GitError(errno: errno, doing: "Cannot write \(describe(file))") }
    do throws(GitError) {
      try StateFile.read(input, "Cannot read \(source.describe(file))") { piece throws(GitError) in
        let number = StateFile.write(piece, to: output)
        if number != 0 { throw GitError(errno: number, doing: "Cannot write \(describe(file))") }
      }
    } catch {
      close(output)
      throw error
    }
    if close(output) != 0 { throw GitError(errno: errno, doing: "Cannot write \(describe(file))") }
  }
}

extension OpenFolder {
  /// The depth to which folders are entered. Anything deeper is first moved up, so that no nesting exhausts the stack.
  private static let deepest = 64

  /// Removes a file, a link or a folder with all its contents, if it exists. Links are never followed.
  func remove(_ file: RelativePath) throws(GitError) {
    var waiting = [file]
    var moved = 0
    while let next = waiting.popLast() {
      try remove(next, in: descriptor, depth: 0) { name, parent throws(GitError) in
        moved += 1
        let place = RelativePath(".martlet-discarded-\(getpid())-\(moved)")
        if renameat(parent, name.characters, descriptor, place.characters) != 0 {
          throw GitError(errno: errno, doing: "Cannot remove \(describe(file))")
        }
        waiting.append(place)
      }
    }
  }

  func removeAll() throws(GitError) {
    for name in try names() { try remove(name) }
  }

  private func remove(
    _ name: RelativePath, in parent: Int32, depth: Int,
    tooDeep: (RelativePath, Int32) throws(GitError) -> Void
  ) throws(GitError) {
    if unlinkat(parent, name.characters, 0) == 0 || errno == ENOENT || errno == ENOTDIR { return }
    if errno == EACCES, OpenFolder.giveBackPermissions(parent), unlinkat(parent, name.characters, 0) == 0 { return }
    guard errno == EISDIR || errno == EPERM else {
      throw GitError(errno: errno, doing: "Cannot remove \(describe(name))")
    }
    if depth == OpenFolder.deepest { return try tooDeep(name, parent) }
    let folder = try openForRemoval(name, in: parent)
    defer { close(folder) }
    try requireSameDisk(folder, as: parent, name)
    for child in OpenFolder.names(closing: openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
      try remove(child, in: folder, depth: depth + 1, tooDeep: tooDeep)
    }
    if unlinkat(parent, name.characters, AT_REMOVEDIR) != 0, errno != ENOENT {
      throw GitError(errno: errno, doing: "Cannot remove \(describe(name))")
    }
  }

  /// Opens a folder whose contents are to be removed, after giving its owner the necessary permissions.
  private func openForRemoval(_ name: RelativePath, in parent: Int32) throws(GitError) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var folder = openat(parent, name.characters, flags)
    if folder < 0, errno == EACCES {
      // Only folders get here, so no link is followed.
      _ = fchmodat(parent, name.characters, 0o700, 0)
      folder = openat(parent, name.characters, flags)
    }
    if folder < 0 { throw GitError(errno: errno, doing: "Cannot remove \(describe(name))") }
    OpenFolder.giveBackPermissions(folder)
    return folder
  }

  /// Restores the owner's access to an open folder. Returns whether anything had to change.
  @discardableResult
  private static func giveBackPermissions(_ folder: Int32) -> Bool {
    var status = stat()
    return fstat(folder, &status) == 0 && status.st_mode & 0o700 != 0o700 && fchmod(folder, 0o700) == 0
  }

  /// Throws if a disk is mounted in the folder, because its contents are not Martlet's.
  private func requireSameDisk(_ folder: Int32, as parent: Int32, _ name: RelativePath) throws(GitError) {
    var (inner, outer) = (stat(), stat())
    guard fstat(folder, &inner) == 0, fstat(parent, &outer) == 0, inner.st_dev != outer.st_dev else { return }
    throw GitError(
      .io, "Cannot remove \(describe(name))", because: "a disk is mounted there", next: "Unmount it, and try again.")
  }
}

/// The folders on the way to workspace files, each ensured to be a real one.
///
/// Code under test may have put a link in a folder's place, and writing to a path below it would write outside the
/// workspace. A repository created there is removed too, because git and libgit2 treat its folder as foreign.
struct FolderWay {
  private var known: Set<RelativePath> = []
  private static let repository = RelativePath(".git")

  /// Removes anything on the way to `file` that should be a folder but is not. Missing folders stay missing.
  mutating func clear(to file: RelativePath, in root: borrowing OpenFolder) throws(GitError) {
    for folder in file.folders where !known.contains(folder) {
      guard let status = try root.status(of: folder) else { return }
      guard status.isFolder else { return try root.remove(folder) }
      if status.st_mode & 0o700 != 0o700 { _ = fchmodat(root.descriptor, folder.characters, 0o755, 0) }
      try root.remove(folder.appending(FolderWay.repository))
      known.insert(folder)
    }
  }

  /// Creates the folders on the way to `file`, replacing anything else that is there.
  mutating func make(to file: RelativePath, in root: borrowing OpenFolder) throws(GitError) {
    try clear(to: file, in: root)
    for folder in file.folders where !known.contains(folder) {
      try root.makeFolder(folder)
      known.insert(folder)
    }
  }
}

/// The removal of files that untrusted code may have touched.
package enum Removal {
  /// Removes a file, a link or a folder with all its contents, however deep, if it exists.
  ///
  /// Links are not followed, and the owner's permissions are restored first. Mounted folders are kept.
  /// - Parameter path: An absolute path in which untrusted code can change only the last component.
  package static func remove(_ path: String) throws(GitError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let parent = try OpenFolder(following: end == path.startIndex ? "/" : String(path[..<end]))
    try parent.remove(RelativePath(String(path[end...].dropFirst())))
  }
}
