import Glibc
package import Storing

/// The index of a home for a server, which asks often and writes nothing: one connection that stays open.
///
/// It belongs to one thread. If the file is replaced, for example after a loss, the new one is read.
package final class PastReader {
  /// The identity of a file when it was opened.
  private struct Identity: Equatable {
    var device: dev_t
    var inode: ino_t

    init?(_ path: String) {
      guard let status = stat(path, followingLinks: true) else { return nil }
      (device, inode) = (status.st_dev, status.st_ino)
    }
  }

  private let home: Home
  private let path: String
  private var store: Store?
  private var identity: Identity?
  /// How often the file has been opened.
  private var generation = 0

  package init(of home: Home) {
    self.home = home
    path = home.folder.file(Store.fileName)
  }

  /// Queries the index; a home without one has no rows.
  package func ask<Value>(
    _ body: (inout Store) throws(StoringError) -> Value
  ) throws(IntegratingError) -> Value {
    try answering {
      // After an error, which may be the connection's fault, it is closed.
      var store = try taken()
      let value = try body(&store)
      self.store = consume store
      return value
    }
  }

  /// Returns a value that differs whenever something was written since the last time.
  package func version() throws(IntegratingError) -> [Int] {
    let version = try ask { store throws(StoringError) in try store.dataVersion() }
    return [generation, version]
  }

  /// Returns the bots that have finished integrations, removed ones included, sorted.
  package func bots() throws(IntegratingError) -> [String] {
    // Removing a bot's folder means removing the bot.
    try ask { store throws(StoringError) in try store.indexedBots() }.filter { home.integrations(of: $0).exists }
  }

  private func taken() throws(StoringError) -> Store {
    let found = Identity(path)
    if found == identity, let store = store.take() { return store }
    store = nil
    identity = found
    generation += 1
    guard found != nil else { return try Store.inMemory() }
    do throws(StoringError) {
      return try Store(reading: path)
    } catch {
      guard error.kind == .unmade else { throw error }
      // It is there the next time.
      identity = nil
      return try Store.inMemory()
    }
  }
}
