import Glibc

/// Temporary files and folders left behind in the home by killed processes.
enum LeftFiles {
  /// Removes files that were never put in place, and returns the folders that were moved aside but not cleared.
  static func clear(in home: WatchHome) -> [String] {
    folders(of: home).flatMap { folder in
      let names = WatchHome.names(in: folder)
      for name in names where isUnfinished(name) { unlink("\(folder)/\(name)") }
      return names.filter { $0.hasPrefix(Trash.mark) }.map { "\(folder)/\($0)" }
    }
  }

  /// Returns the folders in which Martlet writes or removes anything that outlives an integration.
  private static func folders(of home: WatchHome) -> [String] {
    let all = ["site", "integrations", "workspaces"].map { "\(home.path)/\($0)" }
    let ofBots = all.flatMap { folder in visible(in: folder).map { "\(folder)/\($0)" } }
    let workspaces = visible(in: home.allWorkspaces).flatMap { bot in
      home.workspaceNames(of: bot).map { home.workspace($0, of: bot) }
    }
    return [home.path, "\(home.path)/toolchains"] + all + ofBots + workspaces + workspaces.flatMap(states)
  }

  /// Returns the folders in which a workspace keeps its state: its own, its submodules' and that of each scratch
  /// folder.
  private static func states(of workspace: String) -> [String] {
    var found = ["\(workspace)/state"]
    var next = 0
    while next < found.count {
      let folder = found[next]
      found += visible(in: folder).map { "\(folder)/\($0)" }.filter(isFolder)
      next += 1
    }
    return found
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the names in a folder that do not begin with a dot, excluding the folder itself and anything moved aside.
  private static func visible(in folder: String) -> [String] {
    WatchHome.names(in: folder).filter { !$0.hasPrefix(".") }
  }

  /// Returns whether a name ends with the ID of a process that no longer exists: `index.html.4711.new`.
  ///
  /// This process's own ID counts too, since it has not written any temporary files yet.
  private static func isUnfinished(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard name.first != ".", parts.count > 2, parts.last == "new", let process = pid_t(parts[parts.count - 2]),
      process > 0
    else { return false }
    return process == getpid() || (kill(process, 0) != 0 && errno == ESRCH)
  }
}
