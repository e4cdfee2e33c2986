import Glibc

/// The folders in which a change can mean that a branch or tag moved.
///
/// A branch moves by a rename into its folder below `refs/heads`, or of a new `packed-refs`; HEAD lies in the work
/// tree's own git folder (https://git-scm.com/docs/gitrepository-layout).
struct RefFolders {
  enum Kind: Hashable {
    /// A git folder, in which only a few names matter.
    case git
    /// A folder of references, in which every name matters.
    case refs
  }

  /// More nested folders than this are not watched but polled.
  static let most = 4096

  private(set) var folders: [(path: String, kind: Kind)] = []
  /// Whether there are more than `most`.
  private(set) var areTooMany = false

  /// Lists the folders that are there now.
  init(gitFolder: String, commonFolder: String) {
    folders = [(gitFolder, .git)]
    if commonFolder != gitFolder { folders.append((commonFolder, .git)) }
    folders.append(("\(commonFolder)/refs", .refs))
    var waiting = ["\(commonFolder)/refs/heads", "\(commonFolder)/refs/tags"]
    while let folder = waiting.popLast() {
      guard let subfolders = Self.subfolders(of: folder) else { continue }
      guard folders.count < Self.most else {
        areTooMany = true
        return
      }
      folders.append((folder, .refs))
      waiting += subfolders.map { "\(folder)/\($0)" }
    }
  }

  /// Whether an event in a folder can mean that a reference moved.
  static func isNews(_ event: Inotify.Event, in kind: Kind) -> Bool {
    switch kind {
    case .git: ["HEAD", "packed-refs", "refs", "reftable", ""].contains(event.name)
    case .refs: !event.name.hasSuffix(".lock") || event.mask & UInt32(IN_ISDIR) != 0
    }
  }

  /// The names of the folders in a folder; nil when there is no such folder.
  private static func subfolders(of path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      guard entry.pointee.d_type == DT_DIR || entry.pointee.d_type == DT_UNKNOWN else { continue }
      // In place: the record ends with the name, so a copy of the whole array would read past it.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name == "." || name == ".." { continue }
      if entry.pointee.d_type == DT_DIR || isFolder("\(path)/\(name)") { names.append(name) }
    }
    return names.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
