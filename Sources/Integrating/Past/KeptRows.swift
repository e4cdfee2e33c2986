import FoundationEssentials
import Model

/// The finished integrations that the folder of a bot keeps, as rows of the index.
///
/// Each row is made from a summary document. What the documents of an earlier Martlet lack is in two files beside them,
/// the form in which `PastCopy` hands a past to another machine, too: `ledger` has the scopes, and `history` is all that
/// is left of removed integrations.
struct KeptRows {
  private let bot: String
  private let folder: Folder
  private var older: [Int: IndexedIntegration] = [:]
  private var lines: [Int: HistoryLine] = [:]

  /// - Parameter folder: the folder of the bot's integrations.
  init(of bot: String, in folder: Folder) {
    self.bot = bot
    self.folder = folder
    readLedger()
    readHistory()
  }

  /// The numbers of all integrations that may be known, ascending.
  var numbers: [Int] {
    Set(folder.numbers).union(older.keys).union(lines.keys).sorted()
  }

  /// Returns the row of an integration; nil if it is not finished, or if nothing of it can be read.
  func row(of number: Int) -> IndexRow? {
    if let document = PastResults(integrations: folder).document(of: number), document.number == number {
      var row = IndexRow(of: document)
      row.bot = bot
      row.integration.scope = row.integration.scope ?? older[number]?.scope
      return row
    }
    // It was removed, or another Martlet wrote it.
    guard let line = lines[number] else { return nil }
    var integration =
      older[number]
      ?? IndexedIntegration(number: number, commit: line.commit, outcome: line.outcome, scope: nil, isDirty: false)
    integration.branch = line.branch
    integration.repositorySince = line.repositorySince
    return IndexRow(bot: bot, integration, line)
  }

  /// Returns the integration as it left the queue; nil if its document cannot be read.
  ///
  /// - Parameter bytes: the disk space that its files use.
  func entry(of number: Int, bytes: Int) -> HistoryEntry? {
    guard let document = PastResults(integrations: folder).document(of: number), document.number == number else {
      return nil
    }
    return HistoryEntry(of: document, bot: bot, bytes: bytes, isPinned: pinned.contains(number))
  }

  /// The numbers of the pinned integrations.
  private var pinned: [Int] {
    (folder.text(of: HistoryEntry.pinsFile) ?? "").split(separator: "\n").compactMap { Int($0) }
  }

  /// Reads lines like `NUMBER COMMIT OUTCOME SCOPE clean|dirty [BRANCH]`, of which later ones win; half a line is what
  /// a full disk left.
  private mutating func readLedger() {
    let unknownScope = "-"
    for line in (folder.text(of: "ledger") ?? "").split(separator: "\n") {
      let fields = line.split(separator: " ").map(String.init)
      guard fields.count == 5 || fields.count == 6, let number = Int(fields[0]),
        let outcome = Outcome(rawValue: fields[2])
      else { continue }
      older[number] = IndexedIntegration(
        number: number, commit: CommitID(rawValue: fields[1]), outcome: outcome,
        scope: fields[3] == unknownScope ? nil : fields[3], isDirty: fields[4] == "dirty")
    }
  }

  /// Reads lines, each of which is the JSON of one integration.
  private mutating func readHistory() {
    let decoder = JSONDecoder()
    for line in (folder.read("history") ?? []).split(separator: UInt8(ascii: "\n")) {
      guard let read = try? decoder.decode(HistoryLine.self, from: Data(line)) else { continue }
      lines[read.number] = read
    }
  }
}
