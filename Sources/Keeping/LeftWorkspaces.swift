import Git

/// What integrations left in their workspaces that were killed: what goes with an integration as a rule.
enum LeftWorkspaces {
  /// What goes with an integration, by its name in the workspace.
  private static let passing = ["tests", "tmp"]

  /// Removes it, where no integration goes on.
  static func clear(in home: WatchHome, say: (String) -> Void) {
    for bot in WatchHome.names(in: home.allWorkspaces).filter({ !$0.hasPrefix(".") }).sorted() {
      for workspace in home.workspaceNames(of: bot) {
        do {
          guard let lock = try WorkspaceLock(home.workspace(workspace, of: bot)) else { continue }
          for name in passing { try Removal.remove("\(home.workspace(workspace, of: bot))/\(name)") }
          _ = consume lock
        } catch {
          // The next integration there takes it away, or says why it cannot.
          say("\(bot): \(error)")
        }
      }
    }
  }
}
