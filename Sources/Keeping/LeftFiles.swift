import Git
import Glibc
import Model
import Processes

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
    let all = [home.site, home.allIntegrations, home.allWorkspaces]
    let ofBots = all.flatMap { folder in WatchHome.visibleNames(in: folder).map { "\(folder)/\($0)" } }
    let workspaces = WatchHome.visibleNames(in: home.allWorkspaces).flatMap { bot in
      home.workspaceNames(of: bot).map { home.workspace($0, of: bot) }
    }
    return [home.path, home.outbox, "\(home.path)/toolchains"] + all + ofBots + workspaces + workspaces.flatMap(states)
  }

  /// Returns the folders in which a workspace keeps its state: its own, its submodules' and that of each scratch
  /// folder.
  private static func states(of workspace: String) -> [String] {
    var found = ["\(workspace)/state"]
    var next = 0
    while next < found.count {
      let folder = found[next]
      found += WatchHome.visibleNames(in: folder).map { "\(folder)/\($0)" }.filter(WatchHome.isFolder)
      next += 1
    }
    return found
  }

  /// Returns whether a name ends with the ID of a process that no longer exists: `index.html.4711.new`.
  private static func isUnfinished(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard name.first != ".", parts.count > 2, parts.last == "new" else { return false }
    return ProcessNumber(parts[parts.count - 2])?.isOfEarlierProcess == true
  }
}

/// Remains of killed integrations in their workspaces, which are normally removed with the integration.
enum LeftWorkspaces {
  /// The names in a workspace that are removed with an integration.
  private static let passing = ["tests", "tmp"]

  /// Removes the remains from workspaces in which no integration is running.
  static func clear(in home: WatchHome, say: (String) -> Void) {
    for bot in WatchHome.visibleNames(in: home.allWorkspaces).sorted() {
      for workspace in home.workspaceNames(of: bot) {
        do {
          guard let lock = try WorkspaceLock(home.workspace(workspace, of: bot)) else { continue }
          for name in passing { try Removal.remove("\(home.workspace(workspace, of: bot))/\(name)") }
          _ = consume lock
        } catch {
          // The next integration there removes it, or reports why it cannot.
          say("\(bot): \(error)")
        }
      }
    }
  }
}

/// Processes left behind by a killed watcher: usually none, since its keepers end the processes they supervise.
enum LeftProcesses {
  /// The number of checks whether they are gone, twenty milliseconds apart.
  private static let patience = 500

  /// Ends all processes that carry the home's mark. Only a dead watcher can have started them, since the home is
  /// locked.
  static func end(of home: WatchHome, say: (String) -> Void) {
    var left = MarkedProcess.all(where: ProcessLauncher.mark, is: home.path)
    guard !left.isEmpty else { return }
    say("Ending \(words(left)) that a dead watcher left.")
    for process in left { process.kill() }
    for _ in 0..<patience {
      left = left.filter(\.isAlive)
      if left.isEmpty { return }
      poll(nil, 0, 20)
    }
    say(
      "\(words(left)) of a dead watcher cannot be ended: \(left.map { "\($0.pid)" }.joined(separator: ", ")).")
  }

  private static func words(_ left: [MarkedProcess]) -> String {
    CountText.counted(left.count, "process", "processes")
  }
}
