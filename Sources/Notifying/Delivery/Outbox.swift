package import FoundationEssentials
import Glibc
import Processes

/// The folder of undelivered messages, with one file per delivery.
///
/// A delivery is written to disk here before it is sent, and is removed once the server has accepted it. If the process
/// dies in between, it is sent again with the same Message-ID or Idempotency-Key.
package struct Outbox: Hashable, Sendable {
  package let path: String

  /// - Parameter path: The absolute path; the folder is created when something is put into it.
  package init(_ path: String) {
    self.path = path
  }

  /// Stores a delivery. An existing one with the same name is left unchanged.
  package func put(_ delivery: Delivery) throws(NotifyingError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system("make the folder", path, errno: errno) }
    guard access(file(delivery.id), F_OK) != 0 else { return }
    try write(delivery)
  }

  /// Stores a delivery, replacing an earlier one with the same name.
  ///
  /// - Returns: Whether it was stored, which is not possible while another process is sending the earlier one.
  package func replace(with delivery: Delivery) throws(NotifyingError) -> Bool {
    guard access(file(delivery.id), F_OK) == 0 else {
      try put(delivery)
      return true
    }
    guard let claim = try claim(delivery.id) else { return access(file(delivery.id), F_OK) != 0 }
    try claim.update { old in
      // A receiver that asked to be left alone is, whatever the news.
      let (rest, isUnsettled) = (old.rest, old.isUnsettled)
      old = delivery
      (old.rest, old.mayHaveArrived) = (rest, isUnsettled)
      old.dueAt = rest?.until ?? delivery.dueAt
    }
    return true
  }

  /// Returns the sorted names of all waiting deliveries.
  package func names() -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let own = all.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }
    return own.map { String($0.dropLast(Self.ending.count)) }.sorted()
  }

  /// Returns the delivery with a name, or nil if it is gone or cannot be read.
  package func delivery(_ name: String) -> Delivery? {
    guard let data = FileManager.default.contents(atPath: file(name)) else { return nil }
    // A delivery from another version is ignored and remains where a person can look at it.
    return try? JSONDecoder().decode(Delivery.self, from: data)
  }

  /// Returns when the first of the deliveries that wait for a later time is due, or nil if none does.
  package func nextDue(after time: Date) -> Date? {
    names().compactMap { delivery($0)?.dueAt }.filter { $0 > time }.min()
  }

  /// Gives what waits of a bot its new name, by which its secrets are found.
  package func rename(_ bot: String, to name: String) throws(NotifyingError) {
    try each(of: bot) { claim throws(NotifyingError) in try claim.update { $0.bot = name } }
  }

  /// Removes what waits of a bot, unsent.
  package func removeAll(of bot: String) throws(NotifyingError) {
    try each(of: bot) { claim throws(NotifyingError) in try claim.finish() }
  }

  /// Claims each delivery of a bot, but those that are just being sent.
  private func each(
    of bot: String, _ body: (Claim) throws(NotifyingError) -> Void
  ) throws(NotifyingError) {
    for name in names() where delivery(name)?.bot == bot {
      if let claim = try claim(name) { try body(claim) }
    }
  }

  /// Claims a delivery for this process; returns nil if another process is handling it or it is gone.
  func claim(_ name: String) throws(NotifyingError) -> Claim? {
    let file = "\(path)/\(name).lock"
    guard let lock = FileLock(file) else { throw .system("lock", file, errno: errno) }
    guard lock.take(waiting: false) == 0 else { return nil }
    // Only now can no other process send and remove it.
    guard let delivery = delivery(name) else {
      unlink(file)
      return nil
    }
    return Claim(outbox: self, delivery: delivery, lock: lock)
  }

  private static let ending = ".json"

  private func file(_ name: String) -> String { "\(path)/\(name)\(Self.ending)" }

  /// Writes a temporary file, syncs it to disk, and then renames it into place.
  fileprivate func write(_ delivery: Delivery) throws(NotifyingError) {
    let data: Data
    do {
      data = try JSONEncoder().encode(delivery)
    } catch {
      throw NotifyingError("Cannot write down a delivery: \(error). This is a fault of Martlet; please report it.")
    }
    do throws(PrivateFile.Failure) {
      try PrivateFile.write([UInt8](data), to: file(delivery.id), isSynced: true)
    } catch {
      throw .system("write", file(delivery.id), errno: error.number)
    }
    synchronize()
  }

  fileprivate func remove(_ name: String) throws(NotifyingError) {
    guard unlink(file(name)) == 0 || errno == ENOENT else { throw .system("remove", file(name), errno: errno) }
    synchronize()
  }

  /// Syncs renamed and removed files to disk.
  private func synchronize() {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// A delivery that no other process can touch.
final class Claim {
  private let outbox: Outbox
  private(set) var delivery: Delivery
  private let lock: FileLock
  private var isDone = false

  fileprivate init(outbox: Outbox, delivery: Delivery, lock: consuming FileLock) {
    self.outbox = outbox
    self.delivery = delivery
    self.lock = lock
  }

  deinit {
    if isDone { unlink(lock.path) }
  }

  func update(_ change: (inout Delivery) -> Void) throws(NotifyingError) {
    change(&delivery)
    try outbox.write(delivery)
  }

  /// Removes the delivery from the outbox for good.
  func finish() throws(NotifyingError) {
    try outbox.remove(delivery.id)
    isDone = true
  }
}
