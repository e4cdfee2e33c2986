import Git

/// Remains of killed integrations in their workspaces, which are normally removed with the integration.
enum LeftWorkspaces {
  /// The names in a workspace that are removed with an integration.
  private static let passing = ["tests", "tmp"]

  /// Removes the remains from workspaces in which no integration is running.
  static func clear(in home: WatchHome, say: (String) -> Void) {
    for bot in WatchHome.names(in: home.allWorkspaces).filter({ !$0.hasPrefix(".") }).sorted() {
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
