import Git
import Glibc

/// Takes folders from their places at once, so that clearing the disk may take its time.
struct Trash {
  /// Where what was taken waits to be cleared; made when it is needed, and on the disk of the home.
  let folder: String
  /// What could not be brought there and waits to be cleared under another name beside its place.
  private(set) var aside: [String] = []

  /// The beginning of the names of `aside`, which nothing of Martlet's has.
  static let mark = ".removed-"

  init(_ folder: String) {
    self.folder = folder
  }

  /// A folder that was taken, and where it is now; nowhere when it was cleared already.
  struct Taken {
    fileprivate var from: String
    fileprivate var place: String?
  }

  /// Takes a folder away whole.
  /// - Returns: nil when it was not there.
  /// - Throws: why it is still there.
  mutating func take(_ path: String, as name: String) throws(KeepingError) -> Taken? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system("remove", path, errno: errno)
    }
    let number = mkdir(folder, 0o700) == 0 || errno == EEXIST ? 0 : errno
    switch number == 0 ? Self.move(path, to: "\(folder)/\(name)") : .failure(number) {
    case .success(let place): return Taken(from: path, place: place)
    // Without room for the trash, or with another disk below it.
    case .failure(ENOSPC), .failure(EDQUOT), .failure(EXDEV): return try hide(path)
    case .failure(let number): throw .system("remove", path, errno: number)
    }
  }

  /// Takes a workspace away, unless somebody uses it.
  /// - Returns: nil when somebody does, or when it was not there.
  mutating func takeWorkspace(_ workspace: String, of bot: String, in home: WatchHome) throws(KeepingError) -> Taken? {
    let path = home.workspace(workspace, of: bot)
    guard let lock = try WorkspaceLock(path) else { return nil }
    let taken = try take(path, as: "\(bot)-\(workspace)-workspace")
    // Whoever waited for it sees now that it is gone.
    _ = consume lock
    return taken
  }

  /// Takes a mirror away, unless it is just being fetched.
  /// - Returns: nil when it is, or when it was not there.
  mutating func takeMirror(_ name: String, in home: WatchHome) throws(KeepingError) -> Taken? {
    let path = "\(home.mirrors)/\(name)"
    guard let lock = try WorkspaceLock(path) else { return nil }
    let taken = try take(path, as: "\(name)-mirror")
    _ = consume lock
    return taken
  }

  /// Brings something back to where it was taken from, if it still can be.
  mutating func putBack(_ taken: Taken) {
    guard let place = taken.place, rename(place, taken.from) == 0 else { return }
    aside.removeAll { $0 == place }
  }

  /// Has what an earlier watcher could only hide cleared, too.
  mutating func takeUp(_ hidden: [String]) { aside += hidden.filter { !aside.contains($0) } }

  /// The next folder that is to be cleared beside the place that it had.
  mutating func takeAside() -> String? { aside.isEmpty ? nil : aside.removeFirst() }

  /// Gives a folder another name in its place, which needs no room as a rule; where it does, clears it at once.
  private mutating func hide(_ path: String) throws(KeepingError) -> Taken {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let (parent, name) = (String(path[..<end]), path[end...].dropFirst())
    switch Self.move(path, to: "\(parent)/\(Self.mark)\(name)") {
    case .success(let place):
      // With what an earlier watcher left there.
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

  /// Gives a folder a name that nothing else has.
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
    /// The number of the error.
    case failure(Int32)
  }
}
