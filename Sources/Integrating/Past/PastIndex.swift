import FoundationEssentials
package import Model
import Storing

/// The index of the finished integrations that a home keeps, in the home's database.
///
/// The documents are authoritative, and every row is made from one. If rows are missing, as in a home of an earlier
/// Martlet or after the file was lost or damaged, the next access makes them again.
package struct PastIndex: Sendable {
  private let home: Home

  package init(of home: Home) {
    self.home = home
  }

  /// Returns the finished integrations of a bot, oldest first.
  package func integrations(of bot: String) throws(IntegratingError) -> [IndexedIntegration] {
    try ask { store throws(StoringError) in try store.integrations(of: bot) }
  }

  /// Returns the finished integrations of a bot in the form for lists, newest first, at most `limit`.
  package func newest(of bot: String, _ limit: Int = .max) throws(IntegratingError) -> [HistoryLine] {
    try ask { store throws(StoringError) in try store.lines(of: bot, limit: limit) }
  }

  /// Returns the bots that have finished integrations, removed ones included.
  func bots() throws(IntegratingError) -> [String] {
    let bots = try ask { store throws(StoringError) in try store.indexedBots() }
    // Removing a bot's folder means removing the bot.
    return bots.filter { home.integrations(of: $0).exists }
  }

  /// Returns the highest number of a bot's finished integrations, removed ones included; 0 if there are none.
  func highestNumber(of bot: String) throws(IntegratingError) -> Int {
    try ask { store throws(StoringError) in try store.highestNumber(of: bot) }
  }

  /// Adds the row of a document.
  package func add(_ document: IntegrationRecord) throws(IntegratingError) {
    try ask(changes: true) { store throws(StoringError) in try store.note([IndexRow(of: document)]) }
  }

  /// Queries the index, after making it again if it is missing or damaged.
  ///
  /// - Parameter changes: whether something is written. If not, a home that cannot be written to gets an index in
  ///   memory.
  func ask<Value>(
    changes: Bool = false, _ body: (inout Store) throws(StoringError) -> Value
  ) throws(IntegratingError) -> Value {
    do throws(StoringError) {
      return try answer(changes, body)
    } catch {
      guard error.kind == .corrupt else { throw IntegratingError(error) }
    }
    return try answering {
      try mend()
      return try answer(changes, body)
    }
  }
}

extension PastIndex {
  /// Makes sure that everything kept is in the index, as far as it can be written to.
  package func prepare() throws(IntegratingError) {
    guard hasIntegrations else { return }
    try ask(changes: true) { _ throws(StoringError) in }
  }

  /// Rebuilds the index from what is kept; data with no other source, such as the queue, stays if it can be read.
  ///
  /// - Returns: the numbers of integrations and of bots that are kept.
  package func rebuild() throws(IntegratingError) -> (integrations: Int, bots: Int) {
    guard hasIntegrations else {
      throw IntegratingError(
        .request,
        "cannot make the index of \(home.folder.path): no integrations are kept there. Name a home with --home.")
    }
    return try answering {
      try mend()
      var store = try Store(at: path)
      return try complete(&store)
    }
  }

  /// Makes the rows of a bot anew from what is kept of it.
  ///
  /// - Parameter numbers: the integrations whose documents are new; nil for all, when others may be gone.
  func renew(of bot: String, only numbers: [Int]?) throws(IntegratingError) {
    let kept = KeptRows(of: bot, in: folders.folder(bot))
    let rows = (numbers ?? kept.numbers).compactMap(kept.row)
    try ask(changes: true) { store throws(StoringError) in
      if numbers == nil { try store.forget(bot) }
      try store.note(rows)
    }
  }

  private var path: String { home.folder.file(Store.fileName) }
  private var folders: Folder { home.integrations }
  private var hasIntegrations: Bool { folders.exists }

  private func answer<Value>(
    _ changes: Bool, _ body: (inout Store) throws(StoringError) -> Value
  ) throws(StoringError) -> Value {
    // A query must not leave anything in a folder that is no home.
    guard changes || hasIntegrations else {
      var store = try Store.inMemory()
      return try body(&store)
    }
    do throws(StoringError) {
      var store = try open()
      return try body(&store)
    } catch {
      guard !changes, error.kind == .file || error.kind == .full else { throw error }
    }
    var store = try openForReading()
    return try body(&store)
  }

  private func open() throws(StoringError) -> Store {
    var store = try Store(at: path)
    if try !store.isWhole() { _ = try complete(&store) }
    return store
  }

  /// Opens the database as it is if that will do, or else an index in memory.
  private func openForReading() throws(StoringError) -> Store {
    do throws(StoringError) {
      var store = try Store(reading: path)
      if try store.isWhole() { return store }
    } catch {
      // What cannot be read is made from the documents.
    }
    var store = try Store.inMemory()
    _ = try fill(&store)
    return store
  }

  /// The number of rows that are written at once; other processes wait meanwhile.
  private static let batch = 50

  /// Reads everything kept of all integrations into the index. Several processes may do so at the same time.
  ///
  /// Integrations may end meanwhile: they write their document before their row, so the known rows are read before the
  /// folder is listed again.
  private func fill(_ store: inout Store) throws(StoringError) -> (integrations: Int, bots: Int) {
    let bots = folders.names()
    var count = 0
    for bot in bots {
      let kept = KeptRows(of: bot, in: folders.folder(bot))
      let numbers = kept.numbers
      for start in stride(from: 0, to: numbers.count, by: Self.batch) {
        let rows = numbers[start..<min(start + Self.batch, numbers.count)].compactMap(kept.row)
        try store.note(rows)
        count += rows.count { $0.verdicts != nil }
      }
      let known = try store.integrations(of: bot).map(\.number)
      try store.noteRemoval(of: Array(Set(known).subtracting(kept.numbers)), of: bot)
    }
    let known = Set(try store.indexedBots())
    for bot in known.subtracting(folders.names()) { try store.forget(bot) }
    try store.markWhole()
    return (count, bots.count)
  }

  /// Fills the index of a database, and gives what bots integrated the entries that went with a lost one.
  private func complete(_ store: inout Store) throws(StoringError) -> (integrations: Int, bots: Int) {
    for bot in folders.names() where folders.folder(bot).holds(RunName.botMark) {
      let known = try store.queuedNumbers(of: bot)
      let kept = KeptRows(of: bot, in: folders.folder(bot))
      let lost = folders.folder(bot).numbers.filter { !known.contains($0) }.sorted()
      try store.restore(lost.compactMap { kept.entry(of: $0, bytes: home.bytes(of: bot, $0)) })
    }
    return try fill(&store)
  }

  /// Makes a damaged file usable again, and puts the old one aside. A second process finds it mended.
  private func mend() throws(StoringError) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do throws(StoringError) {
      var store = try Store(at: path)
      if store.isSound() { return }
    } catch {
      guard error.kind == .corrupt else { throw error }
    }
    for end in ["", "-wal"] {
      let aside = "\(path).damaged\(end)"
      // For a person to look at; if there is no room for it, the index is rebuilt all the same.
      try? FileManager.default.removeItem(atPath: aside)
      try? FileManager.default.copyItem(atPath: path + end, toPath: aside)
    }
    try Store.renew(at: path)
  }
}
