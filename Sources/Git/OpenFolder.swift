import Glibc

/// An open folder in which files are looked at, removed and written by paths relative to it.
///
/// The last component of a path is never followed when it is a link; that the components before it are folders is for
/// `FolderWay` to see to.
struct OpenFolder: ~Copyable {
  let path: String
  let descriptor: Int32

  /// Opens a folder, which must not be a link.
  init(_ path: String) throws(GitError) {
    self.path = path
    descriptor = try OpenFolder.open(path)
  }

  /// Opens a folder of Martlet's own, to which a link may lead.
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

  /// What the file system knows of a file or link; nil when there is none.
  func status(of file: RelativePath) throws(GitError) -> stat? {
    var status = stat()
    if fstatat(descriptor, file.characters, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw GitError(errno: errno, doing: "Cannot look at \(describe(file))")
  }

  /// Makes a folder; it is fine when there is one.
  func makeFolder(_ folder: RelativePath) throws(GitError) {
    if mkdirat(descriptor, folder.characters, 0o777) == 0 || errno == EEXIST { return }
    throw GitError(errno: errno, doing: "Cannot make the folder \(describe(folder))")
  }

  /// Takes from a file the bits by which it would run with the rights of its owner or group; a tree may hold modes that git
  /// itself never writes.
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

  /// The names in the folder, hidden ones included.
  func names() throws(GitError) -> [RelativePath] {
    // A second description, because reading moves a position that is shared by copies of a descriptor.
    let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if own < 0 { throw GitError(errno: errno, doing: "Cannot list the folder \(path.quoted)") }
    return OpenFolder.names(closing: own)
  }

  /// The names in an open folder, whose descriptor is used up.
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
  /// Copies a file or a link, where there is none yet, and gives it the time of its content. The folders on the way
  /// must be there. Other kinds of files are left out, and so is a file that has vanished meanwhile.
  func copy(_ file: RelativePath, from source: borrowing OpenFolder) throws(GitError) {
    guard let status = try source.status(of: file) else { return }
    if status.isLink {
      try copyLink(file, from: source)
    } else if status.isFile {
      let mode: mode_t = status.st_mode & 0o100 == 0 ? 0o666 : 0o777
      try copyBytes(of: file, mode: mode, from: source)
      try setTime(FileTime(of: try ObjectID(hashing: file, in: self)), of: file)
    }
  }

  private func copyLink(_ file: RelativePath, from source: borrowing OpenFolder) throws(GitError) {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlinkat(source.descriptor, file.characters, &target, Int(PATH_MAX))
    if count < 0 { throw GitError(errno: errno, doing: "Cannot read the link \(source.describe(file))") }
    if symlinkat(target, descriptor, file.characters) != 0 {
      throw GitError(errno: errno, doing: "Cannot make the link \(describe(file))")
    }
    let path = target.prefix(count).map { UInt8(bitPattern: $0) }
    try setTime(FileTime(of: ObjectID(hashing: path)), of: file)
  }

  private func copyBytes(of file: RelativePath, mode: mode_t, from source: borrowing OpenFolder) throws(GitError) {
    // Not to block on a pipe that has just taken the file's place.
    let input = openat(source.descriptor, file.characters, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    if input < 0 { throw GitError(errno: errno, doing: "Cannot read \(source.describe(file))") }
    defer { close(input) }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let output = openat(descriptor, file.characters, flags, mode)
    if output < 0 { throw GitError(errno: errno, doing: "Cannot write \(describe(file))") }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var failure: GitError?
    while failure == nil {
      let count = read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { failure = GitError(errno: errno, doing: "Cannot read \(source.describe(file))") }
      if count <= 0 { break }
      failure = write(buffer[..<count], to: output, file)
    }
    if close(output) != 0, failure == nil { failure = GitError(errno: errno, doing: "Cannot write \(describe(file))") }
    if let failure { throw failure }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to output: Int32, _ file: RelativePath) -> GitError? {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return GitError(errno: errno, doing: "Cannot write \(describe(file))") }
      rest = rest.dropFirst(count)
    }
    return nil
  }
}

extension OpenFolder {
  /// How deep folders are entered; what lies deeper is first moved up, so that no nesting exhausts the stack.
  private static let deepest = 64

  /// Removes a file, a link or a folder with all it holds; links are never followed. Nothing there is fine.
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

  /// Removes everything in the folder.
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

  /// Opens a folder whose content is to be removed, after giving its owner the permissions to do so.
  private func openForRemoval(_ name: RelativePath, in parent: Int32) throws(GitError) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var folder = openat(parent, name.characters, flags)
    if folder < 0, errno == EACCES {
      // Only folders come here, so nothing is followed.
      _ = fchmodat(parent, name.characters, 0o700, 0)
      folder = openat(parent, name.characters, flags)
    }
    if folder < 0 { throw GitError(errno: errno, doing: "Cannot remove \(describe(name))") }
    OpenFolder.giveBackPermissions(folder)
    return folder
  }

  /// Lets the owner of an open folder into it again. Returns whether anything had to change.
  @discardableResult
  private static func giveBackPermissions(_ folder: Int32) -> Bool {
    var status = stat()
    return fstat(folder, &status) == 0 && status.st_mode & 0o700 != 0o700 && fchmod(folder, 0o700) == 0
  }

  /// What is mounted in a folder belongs to somebody else.
  private func requireSameDisk(_ folder: Int32, as parent: Int32, _ name: RelativePath) throws(GitError) {
    var (inner, outer) = (stat(), stat())
    guard fstat(folder, &inner) == 0, fstat(parent, &outer) == 0, inner.st_dev != outer.st_dev else { return }
    throw GitError(
      .io, "Cannot remove \(describe(name))", because: "a disk is mounted there", next: "Unmount it, and try again.")
  }
}
