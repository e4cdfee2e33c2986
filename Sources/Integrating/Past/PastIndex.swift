import FoundationEssentials
package import Model
import Storing

/// The index of what a home keeps of finished integrations, in the home's database.
///
/// The documents are the truth, and every row is made of one. Where rows are missing, as in a home of an earlier Martlet or
/// after the file was lost or damaged, whoever comes first makes them again.
package struct PastIndex: Sendable {
  private let home: Home

  package init(of home: Home) {
    self.home = home
  }

  /// The finished integrations of a bot, oldest first.
  package func integrations(of bot: String) throws(IntegratingError) -> [IndexedIntegration] {
    try ask { store throws(StoringError) in try store.integrations(of: bot) }
  }

  /// The finished integrations of a bot as lists show them, newest first, at most `limit`.
  package func newest(of bot: String, _ limit: Int = .max) throws(IntegratingError) -> [HistoryLine] {
    try ask { store throws(StoringError) in try store.lines(of: bot, limit: limit) }
  }

  /// The bots that have finished integrations, removed ones included.
  func bots() throws(IntegratingError) -> [String] {
    let bots = try ask { store throws(StoringError) in try store.indexedBots() }
    // Where somebody removed a bot's folder, he meant the bot.
    return bots.filter { home.integrations(of: $0).exists }
  }

  /// The highest number of a bot's finished integrations, removed ones included; 0 for none.
  func highestNumber(of bot: String) throws(IntegratingError) -> Int {
    try ask { store throws(StoringError) in try store.highestNumber(of: bot) }
  }

  /// Writes down what a document says.
  package func add(_ document: IntegrationRecord) throws(IntegratingError) {
    try ask(changes: true) { store throws(StoringError) in try store.note([IndexRow(of: document)]) }
  }

  /// Asks the index, which is made again before where it is missing or damaged.
  ///
  /// - Parameter changes: whether something is written. Who only reads a home that cannot be written gets an index in memory.
  func ask<Value>(
    changes: Bool = false, _ body: (inout Store) throws(StoringError) -> Value
  ) throws(IntegratingError) -> Value {
    do throws(StoringError) {
      return try answer(changes, body)
    } catch {
      guard error.kind == .corrupt else { throw IntegratingError(error) }
    }
    do throws(StoringError) {
      try mend()
      return try answer(changes, body)
    } catch {
      throw IntegratingError(error)
    }
  }
}

extension PastIndex {
  /// Makes sure that all that is kept is in the index, as far as that can be written.
  package func prepare() throws(IntegratingError) {
    guard hasIntegrations else { return }
    try ask(changes: true) { _ throws(StoringError) in }
  }

  /// Makes the index anew of what is kept; what nothing else tells, such as the queue, stays as far as it can be read.
  ///
  /// - Returns: how many integrations of how many bots are kept.
  package func rebuild() throws(IntegratingError) -> (integrations: Int, bots: Int) {
    guard hasIntegrations else {
      throw IntegratingError(
        .request,
        "cannot make the index of \(home.folder.path): no integrations are kept there. Name a home with --home.")
    }
    do throws(StoringError) {
      try mend()
      var store = try Store(at: path)
      return try fill(&store)
    } catch {
      throw IntegratingError(error)
    }
  }

  private var path: String { home.folder.file(Store.fileName) }
  private var folders: Folder { home.folder.folder("integrations") }
  private var hasIntegrations: Bool { folders.exists }

  private func answer<Value>(
    _ changes: Bool, _ body: (inout Store) throws(StoringError) -> Value
  ) throws(StoringError) -> Value {
    // Whoever asks a folder that is no home leaves nothing in it.
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
    if try !store.isWhole() { _ = try fill(&store) }
    return store
  }

  /// The database as it is where that will do, or else an index in memory.
  private func openForReading() throws(StoringError) -> Store {
    do throws(StoringError) {
      var store = try Store(reading: path)
      if try store.isWhole() { return store }
    } catch {
      // What cannot be read is made of the documents.
    }
    var store = try Store.inMemory()
    _ = try fill(&store)
    return store
  }

  /// How many rows are written at once: others wait as long.
  private static let batch = 50

  /// Reads what is kept of all integrations into the index. Several may do so at the same time.
  ///
  /// Integrations may end meanwhile: they write their document before their row, so what is known is asked for before it is
  /// looked what is there.
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

  /// Makes a damaged file usable again; the old one is put aside. Whoever comes second finds it mended.
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
      // For a person to look at; without room for it, the index is made anew all the same.
      try? FileManager.default.removeItem(atPath: aside)
      try? FileManager.default.copyItem(atPath: path + end, toPath: aside)
    }
    try Store.renew(at: path)
  }
}

extension IntegratingError {
  init(_ error: StoringError) {
    self.init(.service, error.description)
  }
}
