import Git
import Model
import Scheduling
import Storing

extension Watcher {
  /// Returns the refs that concern a bot, or nil while they are unknown, in which case nothing of it may be removed.
  func refs(of name: String) throws(StoringError) -> BotRefs? {
    guard let seen = try store.memory(of: name).tips else { return nil }
    let remembered = Set(seen.keys)
    if isRemoved(name) { return BotRefs(asked: remembered, all: remembered) }
    guard let bot = registry.bots[name], let tips = tips(for: bot) else { return nil }
    let decision = CommitDecision(bot)
    // A bot that does not integrate on commit remembers only requested refs. One that follows HEAD may return to any
    // branch.
    let asked = tips.refs.keys.filter {
      decision.selects($0, head: tips.head) || (bot.branches.isEmpty && $0.branch != nil)
    }
    return BotRefs(asked: remembered.union(asked), all: remembered.union(tips.refs.keys))
  }

  /// Returns the branches of a bot's repository, and the tags if it watches any; nil if the repository cannot be read.
  func tips(for bot: Bot) -> Tips? {
    do throws(GitError) {
      return try Repository(at: bot.repository).tips(withTags: !bot.tags.isEmpty)
    } catch {
      // The watch reports the problem.
      return nil
    }
  }

  /// Removes the workspaces of deleted branches. A workspace is a cache, whose loss costs a clean build.
  /// - Parameter share: If more of the disk is in use than allowed, the allowed share; then the workspaces of branches
  ///   that the bot does not watch are removed too.
  func removeWorkspaces(of bot: String, beside refs: BotRefs, for share: Double? = nil) {
    let there = BotRefs.workspaces(of: refs.all)
    let kept = share == nil ? there : BotRefs.workspaces(of: refs.asked)
    removeWorkspaces(of: bot, except: kept) { workspace in
      if workspace.hasPrefix(FileSystemName.aloneBeginning) { return "Its integration was cut off." }
      guard let share, there.contains(workspace) else { return "Its branch is gone." }
      let percent = Int((share * 100).rounded())
      return "More than \(percent)% of the disk is in use, and the bot does not ask for its branch."
    }
  }

  /// Removes all workspaces of a bot that was removed.
  func removeWorkspaces(of bot: String) {
    removeWorkspaces(of: bot, except: []) { _ in "The bot was removed." }
    home.removeEmptyWorkspaces(of: bot)
  }

  /// Removes workspaces that are not in use.
  private func removeWorkspaces(of bot: String, except kept: Set<String>, because reason: (String) -> String) {
    // A child that was just started has not taken its lock yet.
    let running = queue[bot].filter { $0.state == .running }
    let kept = kept.union(BotRefs.workspaces(of: Set(running.compactMap(\.ref))))
    var trouble: String?
    for workspace in home.workspaceNames(of: bot) where !kept.contains(workspace) {
      do throws(KeepingError) {
        guard try removeWorkspace(workspace, of: bot) else { continue }
        say("\(bot): the workspace \(workspace) was removed. \(reason(workspace))")
      } catch {
        trouble = trouble ?? error.description
      }
    }
    note(trouble, as: \.removals[home.workspaces(of: bot)])
  }

  /// Moves a workspace from its place, unless it is in use.
  private func removeWorkspace(_ workspace: String, of bot: String) throws(KeepingError) -> Bool {
    let taken = try trash.takeWorkspace(workspace, of: bot, in: home)
    tasks.hasTrash = tasks.hasTrash || taken != nil
    return taken != nil
  }
}
