import FoundationEssentials
import Glibc
import Model
import Processes
import Storing

/// The paths in the home that the watcher itself uses.
package struct WatchHome: Hashable, Sendable {
  /// The absolute path of the home.
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  var lock: String { "\(path)/watcher.lock" }
  /// The watcher's current state, for the site.
  var state: String { "\(path)/\(WatchState.fileName)" }
  /// How far the tests are of what it runs, for the server.
  var progress: String { "\(path)/\(WatchProgress.fileName)" }
  package var database: String { "\(path)/\(Store.fileName)" }
  var socket: String { "watcher.socket" }
  /// Folders removed from the history but not from the disk yet.
  var trash: String { "\(path)/trash" }
  /// Undelivered messages.
  var outbox: String { "\(path)/outbox" }
  /// The trash while it is being removed from the disk.
  var clearedTrash: String { "\(path)/trash.gone" }
  /// Pipes through which children receive their orders.
  var orders: String { "\(path)/orders" }

  /// Sockets of the connections to other machines, and the program as they get it.
  var machines: String { "\(path)/machines" }
  /// Results of other machines that are not taken in yet.
  var handed: String { "\(path)/handed" }

  /// Copies of the remote repositories.
  package var mirrors: String { "\(path)/\(MirrorFile.folder)" }

  var allIntegrations: String { "\(path)/integrations" }
  func integrations(of bot: String) -> String { "\(allIntegrations)/\(bot)" }
  /// The file that marks a folder of integrations as a bot's.
  func botMark(of bot: String) -> String { "\(integrations(of: bot))/bot" }
  /// The file that says which repository a folder of integrations belongs to.
  func ownerFile(of bot: String) -> String { "\(integrations(of: bot))/repository" }
  var site: String { "\(path)/site" }
  func site(of bot: String) -> String { "\(site)/\(bot)" }
  func site(of bot: String, _ number: Int) -> String { "\(site(of: bot))/\(number)" }
  func integration(_ number: Int, of bot: String) -> String { "\(integrations(of: bot))/\(number)" }
  var allWorkspaces: String { "\(path)/workspaces" }
  func workspaces(of bot: String) -> String { "\(allWorkspaces)/\(bot)" }
  func workspace(_ workspace: String, of bot: String) -> String { "\(workspaces(of: bot))/\(workspace)" }
  func cleanMarks(of bot: String) -> String { "\(workspaces(of: bot))/.cleaned" }

  func auditMarks(of bot: String) -> String { "\(workspaces(of: bot))/.audited" }

  /// Returns the sorted names of the folders in which a bot builds.
  func workspaceNames(of bot: String) -> [String] {
    Self.names(in: workspaces(of: bot)).filter { name in
      // No branch's workspace begins with a dot.
      let isWorkspace = !name.hasPrefix(".") || name.hasPrefix(FileSystemName.aloneBeginning)
      return isWorkspace && Self.isFolder(workspace(name, of: bot))
    }.sorted()
  }

  /// Removes the folder of a bot's workspaces, with the records stored next to them, if no workspace is left.
  func removeEmptyWorkspaces(of bot: String) {
    guard workspaceNames(of: bot).isEmpty else { return }
    // Earlier versions kept the marks under another name.
    for file in [cleanMarks(of: bot), auditMarks(of: bot), "\(workspaces(of: bot))/cleaned"] { unlink(file) }
    rmdir(workspaces(of: bot))
  }

  /// Writes down which integrations of a bot are pinned, beside them.
  func writePins(_ numbers: [Int], of bot: String) throws(KeepingError) {
    let file = "\(integrations(of: bot))/\(HistoryEntry.pinsFile)"
    try Self.makeFolder(integrations(of: bot))
    do {
      try PrivateFile.write(numbers.flatMap { Array("\($0)\n".utf8) }, to: file, isSynced: true)
    } catch {
      throw .system("write", file, errno: error.number)
    }
  }

  /// Writes a small file and removes it again; throws the disk's error.
  func tryDisk() throws(KeepingError) {
    let file = "\(path)/disk.try"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("write", file, errno: errno) }
    defer {
      close(descriptor)
      unlink(file)
    }
    // More than the few blocks that a full disk may still have.
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<16 {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count == bytes.count else { throw .system("write", file, errno: count < 0 ? errno : ENOSPC) }
    }
    guard fsync(descriptor) == 0 else { throw .system("write", file, errno: errno) }
  }

  /// Returns the highest number among the folders of a bot's integrations; 0 if there are none.
  func highestNumber(of bot: String) -> Int {
    Self.names(in: integrations(of: bot)).compactMap(Int.init).reduce(0, max)
  }

  /// Returns the names in a folder; empty if there is no such folder.
  static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// Returns the names in a folder that do not begin with a dot.
  static func visibleNames(in folder: String) -> [String] { names(in: folder).filter { !$0.hasPrefix(".") } }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns when a file was last changed; nil if there is none.
  static func writeTime(of file: String) -> Date? {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) * 1e-9)
  }

  /// Creates a folder and its parents, accessible only to this user.
  static func makeFolder(_ path: String) throws(KeepingError) {
    let bytes = Array(path.utf8)
    for end in bytes.indices.dropFirst() where bytes[end] == UInt8(ascii: "/") {
      _ = mkdir(String(decoding: bytes[..<end], as: UTF8.self), 0o700)
    }
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system("make the folder", path, errno: errno) }
  }
}
