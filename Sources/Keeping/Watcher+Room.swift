import FoundationEssentials
import Glibc
import Model
import Scheduling
import Storing

extension Watcher {
  /// Takes old integrations from the disk before the next build fills it.
  func makeRoom() {
    guard let disk = DiskSpace(of: home.path), disk.usedShare > share else {
      roomTrouble = nil
      return
    }
    keepingStore("make room on the disk") {
      var all: [KeptIntegration] = []
      for name in try store.bots() { all += try store.kept(of: name).compactMap(KeptIntegration.init) }
      let governor = DiskGovernor(all, disk: disk, share: share)
      // Once, and not whenever a few bytes come or go.
      if roomTrouble == nil { governor.shortage.map(say) }
      roomTrouble = governor.shortage
      try remove(governor.removals)
    }
  }

  /// Removes what the bot does not keep.
  func removeExpired(of bot: Bot) {
    keepingStore("remove old integrations of \(bot.name)") {
      let kept = try store.kept(of: bot.name).compactMap(KeptIntegration.init)
      try remove(Retention.expired(kept, keep: bot.keep, at: clock.now()))
    }
  }

  private var share: Double { Double(shelf.settings.diskShare) / 100 }

  private func remove(_ removals: [Removal]) throws(StoringError) {
    for removal in removals { throwAway(removal) }
    for (bot, gone) in Dictionary(grouping: removals, by: \.bot) {
      try store.noteRemoval(of: gone.map(\.number), of: bot)
      errands.change.bots.insert(bot)
    }
  }

  /// Takes an integration from its place at once; the disk is cleared later.
  private func throwAway(_ removal: Removal) {
    say("\(removal.bot) \(removal.number): removed. \(removal.reason)")
    // Without it the files stay where they are, and only take space.
    guard (try? WatchHome.makeFolder(home.trash)) != nil else { return }
    let name = "\(home.trash)/\(removal.bot)-\(removal.number)"
    rename(home.integration(removal.number, of: removal.bot), "\(name)-results")
    rename(home.site(of: removal.bot, removal.number), "\(name)-pages")
    errands.hasTrash = true
  }
}

extension KeptIntegration {
  /// A line of the history that still has its files; nil for one that has not finished.
  fileprivate init?(_ line: HistoryEntry) {
    guard let number = line.entry.number, let summary = line.summary else { return nil }
    self.init(
      bot: line.entry.bot, ref: line.entry.ref, number: number, endedAt: summary.endedAt, outcome: summary.outcome,
      isPinned: line.isPinned, bytes: summary.bytes)
  }
}

extension DiskSpace {
  /// The file system that a path lies on; nil when it cannot be asked.
  fileprivate init?(of path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    let block = Int(clamping: status.f_frsize)
    // As df counts: what is kept back for root or by a quota is no part of the disk.
    let (used, free) = (Int(clamping: status.f_blocks - status.f_bfree), Int(clamping: status.f_bavail))
    self.init(total: (used + free) * block, free: free * block)
  }

  fileprivate var usedShare: Double { Double(total - free) / Double(max(1, total)) }
}
