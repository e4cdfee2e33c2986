import Git
import Model
import Processes
import Storing
import Watching

/// What failed because the store or the disk did, and when it is tried again.
struct FailedWork {
  var retry = Retry()
  /// Repositories whose decisions could not be made.
  var repositories: Set<String> = []
  /// Whether the store refused an operation, so that it may contain more than is known of the queue.
  var doubtsStore = false
  /// Whether a failing disk may have caused an error, so that the disk is tested before anything is started on it.
  var doubtsDisk = false
}

/// The schedule for retrying what the disk refused: after a second at first, and later and later.
struct Retry {
  private(set) var time: Double?
  private var interval = 1.0
  /// The time since which every attempt has failed.
  private(set) var since: Double?

  /// Records a failure.
  mutating func note(now: Double) {
    since = since ?? now
    guard time == nil else { return }
    time = now + interval
    interval = min(interval * 2, 60)
  }

  mutating func succeed() {
    (interval, since) = (1, nil)
  }

  func isDue(now: Double) -> Bool { time.map { $0 <= now } ?? true }

  /// Returns whether to try again now; if so, the attempt counts as made.
  mutating func take(now: Double) -> Bool {
    guard let time, time <= now else { return false }
    self.time = nil
    return true
  }
}

extension Watcher {
  /// Performs work that needs the store. Failures are retried later, and nothing that was due is lost in the meantime.
  ///
  /// - Parameter repository: The repository that is read for it.
  /// - Returns: What the work gave; nil if it failed.
  @discardableResult
  func keepingStore<Made>(_ what: String, repository: String? = nil, _ body: () throws -> Made) -> Made? {
    do {
      return try body()
    } catch {
      if let repository, let error = error as? GitError {
        mistrust(repository, error)
        return nil
      }
      if let repository { failed.repositories.insert(repository) }
      failed.doubtsStore = true
      report("Cannot \(what) now, and tries again: \(error)")
      failed.retry.note(now: clock.seconds())
      return nil
    }
  }

  /// Records that the store accepted a change, whatever it refused before.
  func noteSuccess() {
    failed.retry.succeed()
    if note(nil, as: \.store) { tasks.change.queue = true }
  }

  func report(_ trouble: String) {
    if note(trouble, as: \.store) { tasks.change.queue = true }
  }

  /// Reopens the database, since a connection may retain what it encountered on a failing disk, and rereads the queue:
  /// an operation that appeared to fail may have succeeded.
  private func reopen() throws(StoringError) {
    try store.reopen()
    let entries = try store.openEntries()
    queue.read(entries)
    for entry in entries where entry.state == .running && begun[entry.id] == nil {
      begun[entry.id] = .lost(.internalError, because: "The disk failed when this integration was started.")
    }
    failed.doubtsStore = false
  }

  /// Retries what failed.
  func tryAgain() {
    let repositories = failed.repositories
    failed.repositories = []
    if failed.doubtsStore { keepingStore("open the database again") { try reopen() } }
    for repository in repositories { watch.refresh(repository) }
    queue.isDirty = true
  }

  /// Returns whether the disk accepts writes, so that a new integration can succeed.
  func isDiskSound() -> Bool {
    do throws(KeepingError) {
      try home.tryDisk()
      failed.doubtsDisk = false
      return true
    } catch {
      report("Nothing is started until it works again: \(error)")
      failed.retry.note(now: clock.seconds())
      return false
    }
  }
}
