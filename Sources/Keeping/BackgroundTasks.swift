import Glibc
import Model
import Processes

/// The child processes that write the site and clear the disk, one of each at a time.
struct BackgroundTasks {
  /// The seconds after which the index is written although nothing happened, so that its age tells whether somebody watches.
  private static let longestAge = 600.0

  /// The parts of the site to rewrite.
  var change = SiteChange()
  var publishing: (any RunningTask)?
  /// The parts that `publishing` is writing.
  var published = SiteChange()
  var removing: (any RunningTask)?
  var hasTrash = false
  /// When the site is rewritten after a failure.
  private var retry = Retry()
  /// When the site was written last, on the steady clock.
  private var written: Double?

  /// Whether the disk is about to have more room.
  var isClearing: Bool { hasTrash || removing != nil }

  var isEmpty: Bool { publishing == nil && removing == nil && change.isEmpty }

  /// Postpones a change that could not be written.
  mutating func postpone(_ failed: SiteChange, now: Double) {
    change.formUnion(failed)
    retry.note(now: now)
  }

  /// Removes and returns the change to write, if it is time.
  mutating func takeChange(now: Double) -> SiteChange? {
    if let nextIndex, nextIndex <= now { change.queue = true }
    guard publishing == nil, !change.isEmpty, retry.isDue(now: now) else { return nil }
    defer { change = SiteChange() }
    _ = retry.take(now: now)
    return change
  }

  /// Records that the site was written.
  mutating func succeed(now: Double) {
    retry.succeed()
    written = now
  }

  /// The time of the next attempt after a failure or of the next index without news, on the steady clock.
  var nextTime: Double? { retry.time ?? nextIndex }

  private var nextIndex: Double? { publishing == nil ? written.map { $0 + Self.longestAge } : nil }

  var descriptors: [Int32] { (publishing?.descriptors ?? []) + (removing?.descriptors ?? []) }
}

extension Watcher {
  /// Starts due tasks, and handles the end of finished ones.
  func runBackgroundTasks() {
    if let end = tasks.publishing?.takeEnd() {
      tasks.publishing = nil
      if let failure = end.failure { noteUnwritten(tasks.published, failure) } else { noteWritten() }
    }
    if let end = tasks.removing?.takeEnd() {
      tasks.removing = nil
      end.failure.map(noteUncleared)
    }
    guard !isStopping else { return }
    publish()
    emptyTrash()
  }

  /// Updates the site. It is updated only from here.
  private func publish() {
    guard let change = tasks.takeChange(now: clock.seconds()) else { return }
    do {
      try writeState()
      tasks.published = change
      tasks.publishing = try launcher.publish(change)
      if tasks.publishing == nil { noteWritten() }
    } catch {
      noteUnwritten(change, "\(error)")
    }
  }

  private func noteWritten() {
    tasks.succeed(now: clock.seconds())
    // The pages just written still report the trouble.
    if note(nil, as: \.site) { tasks.change.queue = true }
  }

  private func noteUnwritten(_ change: SiteChange, _ reason: String) {
    // Some reasons are already sentences.
    note("The site cannot be written: \(reason.withStop)", as: \.site)
    // With `--once` there is no later.
    guard !options.isOnce else { return worst = max(worst, Outcome.internalError.exitCode) }
    tasks.postpone(change, now: clock.seconds())
  }

  private func emptyTrash() {
    guard tasks.hasTrash, tasks.removing == nil else { return }
    guard let folder = nextToClear() else { return tasks.hasTrash = false }
    do {
      tasks.removing = try launcher.remove(folder)
    } catch {
      noteUncleared("\(error)")
    }
  }

  private func noteUncleared(_ reason: String) {
    report("What was removed cannot be cleared from the disk: \(reason)")
    // The next removal is an occasion to try again.
    tasks.hasTrash = false
  }

  /// Returns the next folder to clear: the trash under another name, so that anything discarded until then has a
  /// folder.
  private func nextToClear() -> String? {
    // The remains from a killed watcher are cleared first.
    let hasCleared = access(home.clearedTrash, F_OK) == 0 || rename(home.trash, home.clearedTrash) == 0
    return hasCleared ? home.clearedTrash : trash.takeAside()
  }
}
