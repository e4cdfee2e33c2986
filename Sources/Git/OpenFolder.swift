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
