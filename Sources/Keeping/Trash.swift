import Git
import Glibc

/// The place to which folders are moved away immediately, so that clearing the disk may take its time.
struct Trash {
  /// The folder where they wait to be cleared, created when needed and on the disk of the home.
  let folder: String
  /// Folders that could not be moved there, and wait to be cleared under another name next to their places.
  private(set) var aside: [String] = []

  /// The prefix of the names in `aside`, which Martlet uses for nothing else.
  static let mark = ".removed-"

  init(_ folder: String) {
    self.folder = folder
  }

  /// A folder that was moved away, and its current location; nil if it has already been cleared.
  struct Taken {
    fileprivate var from: String
    fileprivate var place: String?
  }

  /// Moves away a whole folder.
  /// - Returns: Nil if the folder did not exist.
  /// - Throws: The reason it is still there.
  mutating func take(_ path: String, as name: String) throws(KeepingError) -> Taken? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system("remove", path, errno: errno)
    }
    let number = mkdir(folder, 0o700) == 0 || errno == EEXIST ? 0 : errno
    switch number == 0 ? Self.move(path, to: "\(folder)/\(name)") : .failure(number) {
    case .success(let place): return Taken(from: path, place: place)
    // There is no room for the trash, or the folder is on another disk.
    case .failure(ENOSPC), .failure(EDQUOT), .failure(EXDEV): return try hide(path)
    case .failure(let number): throw .system("remove", path, errno: number)
    }
  }

  /// Moves away a workspace, unless it is in use.
  /// - Returns: Nil if it is in use or did not exist.
  mutating func takeWorkspace(_ workspace: String, of bot: String, in home: WatchHome) throws(KeepingError) -> Taken? {
    try takeUnused(home.workspace(workspace, of: bot), as: "\(bot)-\(workspace)-workspace")
  }

  /// Moves away a mirror, unless it is being fetched.
  /// - Returns: Nil if it is being fetched or did not exist.
  mutating func takeMirror(_ name: String, in home: WatchHome) throws(KeepingError) -> Taken? {
    try takeUnused("\(home.mirrors)/\(name)", as: "\(name)-mirror")
  }

  /// Moves away an integration with its pages, which go first, so that nothing shows results that no longer exist.
  ///
  /// - Returns: Whether there was any of it.
  mutating func takeIntegration(_ number: Int, of bot: String, in home: WatchHome) throws(KeepingError) -> Bool {
    let name = "\(bot)-\(number)"
    let pages = try take(home.site(of: bot, number), as: "\(name)-pages")
    do throws(KeepingError) {
      let results = try take(home.integration(number, of: bot), as: "\(name)-results")
      return pages != nil || results != nil
    } catch {
      if let pages { putBack(pages) }
      throw error
    }
  }

  private mutating func takeUnused(_ path: String, as name: String) throws(KeepingError) -> Taken? {
    guard let lock = try WorkspaceLock(path) else { return nil }
    let taken = try take(path, as: name)
    // A process that waited for the lock will see now that the folder is gone.
    _ = consume lock
    return taken
  }

  /// Moves a folder back to its original place, if possible.
  mutating func putBack(_ taken: Taken) {
    guard let place = taken.place, rename(place, taken.from) == 0 else { return }
    aside.removeAll { $0 == place }
  }

  /// Adds folders that an earlier watcher could only hide, so that they are cleared too.
  mutating func takeUp(_ hidden: [String]) { aside += hidden.filter { !aside.contains($0) } }

  /// Returns the next folder to clear next to its original place.
  mutating func takeAside() -> String? { aside.isEmpty ? nil : aside.removeFirst() }

  /// Renames a folder in its place, which usually requires no room; if it does, clears it immediately.
  private mutating func hide(_ path: String) throws(KeepingError) -> Taken {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let (parent, name) = (String(path[..<end]), path[end...].dropFirst())
    switch Self.move(path, to: "\(parent)/\(Self.mark)\(name)") {
    case .success(let place):
      // Includes what an earlier watcher left there.
      for other in WatchHome.names(in: parent) where other.hasPrefix(Self.mark) && !aside.contains("\(parent)/\(other)")
      {
        aside.append("\(parent)/\(other)")
      }
      return Taken(from: path, place: place)
    case .failure(let number):
      do {
        try Removal.remove(path)
        return Taken(from: path, place: nil)
      } catch {
        throw .system("remove", path, errno: number)
      }
    }
  }

  /// Renames a folder to a name that is not in use.
  private static func move(_ path: String, to place: String) -> Moved {
    for count in 1...1000 {
      let free = count == 1 ? place : "\(place).\(count)"
      if rename(path, free) == 0 { return .success(free) }
      let number = errno
      guard number == EEXIST || number == ENOTEMPTY else { return .failure(number) }
    }
    return .failure(EEXIST)
  }

  private enum Moved {
    case success(String)
    /// The error number.
    case failure(Int32)
  }
}
