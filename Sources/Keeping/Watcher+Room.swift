import Glibc
import Model
import Processes
import Scheduling
import Storing

extension Watcher {
  /// Removes unneeded data, and then old integrations, before the next build fills the disk.
  func makeRoom() {
    guard let disk = space(home.path), disk.usedShare > share else {
      problems.room = nil
      return
    }
    keepingStore("make room on the disk") {
      var all: [KeptIntegration] = []
      var refs: [String: Set<RefName>] = [:]
      for name in try store.bots() {
        all += try kept(of: name)
        let known = try self.refs(of: name)
        refs[name] = known?.asked
        if isRemoved(name) {
          removeWorkspaces(of: name)
        } else if let known {
          removeWorkspaces(of: name, beside: known, for: share)
        }
      }
      // It takes a while until clearing the trash frees its room; until then it is unknown whether parts of the history
      // have to go.
      guard !tasks.isClearing else { return }
      let governor = DiskGovernor(all, disk: disk, share: share, refs: refs)
      // Reported once, not whenever a few bytes are added or freed.
      if problems.room == nil { governor.shortage.map(say) }
      problems.room = governor.shortage
      try remove(governor.removals, of: Set(governor.removals.map(\.bot)))
    }
  }

  func removeExpired(of bot: Bot) {
    keepingStore("remove old integrations of \(bot.name)") {
      let kept = try kept(of: bot.name)
      let known = try refs(of: bot.name)
      let expired = Retention.expired(kept, keep: bot.keep, refs: known?.asked, at: clock.now())
      try remove(expired, of: [bot.name])
      if let known { removeWorkspaces(of: bot.name, beside: known) }
    }
  }

  private func kept(of bot: String) throws(StoringError) -> [KeptIntegration] {
    let bases = try store.gateBases(of: bot)
    return try store.kept(of: bot).compactMap { line in
      KeptIntegration(line, gateBases: line.entry.number.flatMap { bases[$0] })
    }
  }

  private var share: Double { Double(registry.settings.diskShare) / 100 }

  /// Removes integrations of some bots, and records those that are gone.
  private func remove(_ removals: [ExpiredIntegration], of bots: Set<String>) throws(StoringError) {
    var gone: [String: [Int]] = [:]
    var troubles: [String: String] = [:]
    for removal in removals {
      do throws(KeepingError) {
        // Its place is free at once; the disk is cleared later.
        _ = try trash.takeIntegration(removal.number, of: removal.bot, in: home)
        tasks.hasTrash = true
        say("\(removal.bot) \(removal.number): removed. \(removal.reason)")
        gone[removal.bot, default: []].append(removal.number)
      } catch {
        troubles[removal.bot] = troubles[removal.bot] ?? error.description
      }
    }
    for bot in bots.sorted() { note(troubles[bot], as: \.removals[home.integrations(of: bot)]) }
    for (bot, numbers) in gone {
      try store.noteRemoval(of: numbers, of: bot)
      tasks.change.bots.insert(bot)
    }
  }
}

extension Watcher {
  /// Returns the refs that concern a bot, or nil while they are unknown, in which case nothing of it may be removed.
  func refs(of name: String) throws(StoringError) -> BotRefs? {
    guard let seen = try store.memory(of: name).tips else { return nil }
    if isRemoved(name) { return BotRefs(asked: Set(seen.keys), all: Set(seen.keys)) }
    guard let bot = registry.bots[name] else { return nil }
    return bot.readTips().map { BotRefs(of: bot, $0, remembered: Set(seen.keys)) }
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

extension KeptIntegration {
  /// Creates it from a history line that still has its files; nil if the integration has not finished.
  fileprivate init?(_ line: HistoryEntry, gateBases: [Int]?) {
    guard let number = line.entry.number, let summary = line.summary else { return nil }
    self.init(
      bot: line.entry.bot, ref: line.entry.ref, number: number, endedAt: summary.endedAt, outcome: summary.outcome,
      isPinned: line.isPinned, bytes: summary.bytes, gateBases: gateBases)
  }
}

extension DiskSpace {
  /// Queries the file system that contains a path; nil if that fails.
  init?(of path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    let block = Int(clamping: status.f_frsize)
    // Counted as by df: space reserved for root or by a quota is not part of the disk.
    let (used, free) = (Int(clamping: status.f_blocks - status.f_bfree), Int(clamping: status.f_bavail))
    self.init(total: (used + free) * block, free: free * block)
  }

  fileprivate var usedShare: Double { Double(total - free) / Double(max(1, total)) }
}
