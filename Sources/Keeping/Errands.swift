import BotFiles
import FoundationEssentials
import Glibc
import Model
import Scheduling
import Storing

/// The children that write the site and clear the disk, one of each at a time.
struct Errands {
  /// What of the site is to be written anew.
  var change = SiteChange()
  var publishing: (any RunningErrand)?
  var removing: (any RunningErrand)?
  /// Whether there is something in the trash.
  var hasTrash = true

  var isEmpty: Bool { publishing == nil && removing == nil && change.isEmpty }

  var descriptors: [Int32] { (publishing?.descriptors ?? []) + (removing?.descriptors ?? []) }
}

extension Watcher {
  /// Starts what is to be done, and takes the end of what was.
  func runErrands() {
    if let end = errands.publishing?.takeEnd() {
      errands.publishing = nil
      if let failure = end.failure { report("The site cannot be written: \(failure).") }
    }
    if let end = errands.removing?.takeEnd() {
      errands.removing = nil
      if let failure = end.failure { report("\(home.trash) cannot be emptied: \(failure).") }
    }
    guard !isStopping else { return }
    publish()
    emptyTrash()
  }

  /// The one place from which the site is brought up to date.
  private func publish() {
    guard errands.publishing == nil, !errands.change.isEmpty else { return }
    let change = errands.change
    errands.change = SiteChange()
    do {
      errands.publishing = try launcher.publish(change)
    } catch {
      report("The site cannot be written: \(error)")
    }
  }

  private func emptyTrash() {
    guard errands.hasTrash, errands.removing == nil else { return }
    errands.hasTrash = false
    guard access(home.trash, F_OK) == 0 else { return }
    do {
      errands.removing = try launcher.remove(home.trash)
    } catch {
      report("\(home.trash) cannot be emptied: \(error)")
    }
  }

  /// Removes what the bot does not keep.
  func removeExpired(of bot: Bot) {
    keepingStore("remove old integrations of \(bot.name)") {
      let kept = try store.kept(of: bot.name).compactMap(KeptIntegration.init)
      let removals = Retention.expired(kept, keep: bot.keep, at: clock.now())
      guard !removals.isEmpty else { return }
      for removal in removals { throwAway(removal) }
      try store.noteRemoval(of: removals.map(\.number), of: bot.name)
      errands.change.bots.insert(bot.name)
    }
  }

  /// Takes an integration from its place at once; the disk is cleared later.
  private func throwAway(_ removal: Removal) {
    say("\(removal.bot) \(removal.number): removed. \(removal.reason)")
    guard (try? WatchHome.makeFolder(home.trash)) != nil else { return }  // Then the files stay; the next one tries again.
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
