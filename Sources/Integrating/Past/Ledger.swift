package import Model

/// The list of a bot's finished integrations, one line each, from which baselines are chosen.
///
/// It can be made again from the summary documents; it exists so that choosing a baseline reads one small file.
package struct Ledger: Sendable {
  /// One finished integration.
  package struct Entry: Sendable, Hashable {
    package var number: Int
    package var commit: CommitID
    package var outcome: Outcome
    /// What must be equal for two integrations to be comparable: package folder, configuration, selection of tests.
    package var scope: String
    /// The scope of one of which nobody knows it; nothing is compared with it.
    package static let unknownScope = "-"
    /// Whether uncommitted changes were integrated too.
    package var isDirty: Bool
    /// The branch, spelled as a file name; nil for a commit of none.
    package var branchKey: String?

    package init(
      number: Int, commit: CommitID, outcome: Outcome, scope: String, isDirty: Bool, branchKey: String? = nil
    ) {
      self.number = number
      self.commit = commit
      self.outcome = outcome
      self.scope = scope
      self.isDirty = isDirty
      self.branchKey = branchKey
    }

    /// Whether something may be compared with it that has the same scope.
    package func isComparable(in scope: String) -> Bool {
      self.scope == scope && !isDirty && outcome.isConclusive
    }
  }

  private static let fileName = "ledger"
  private static let lineEnd = UInt8(ascii: "\n")
  private let folder: Folder

  package init(in folder: Folder) {
    self.folder = folder
  }

  /// All entries in the order in which the integrations ended; lines that cannot be read are passed over.
  package func entries() -> [Entry] {
    let text = String(decoding: folder.read(Self.fileName) ?? [], as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ").map(String.init)
      guard fields.count == 5 || fields.count == 6, let number = Int(fields[0]),
        let outcome = Outcome(rawValue: fields[2])
      else {
        return nil
      }
      return Entry(
        number: number, commit: CommitID(rawValue: fields[1]), outcome: outcome, scope: fields[3],
        isDirty: fields[4] == "dirty", branchKey: fields.count == 6 ? fields[5] : nil)
    }
  }

  /// Adds one line in a single write.
  package func append(_ entry: Entry) throws(IntegratingError) {
    let dirt = entry.isDirty ? "dirty" : "clean"
    let branchKey = entry.branchKey.map { " \($0)" } ?? ""
    let line = "\(entry.number) \(entry.commit) \(entry.outcome.rawValue) \(entry.scope) \(dirt)\(branchKey)\n"
    // A disk that was full may have left half a line, which must not take this one with it.
    let isTorn = (folder.read(Self.fileName)?.last ?? Self.lineEnd) != Self.lineEnd
    try folder.append((isTorn ? [Self.lineEnd] : []) + Array(line.utf8), to: Self.fileName)
  }

  /// The newest comparable integration of a branch.
  package static func last(in entries: [Entry], on branch: String, scope: String) -> Entry? {
    let branchKey = FileSystemName.encode(branch)
    return entries.last { $0.branchKey == branchKey && $0.isComparable(in: scope) }
  }

  /// The newest comparable integration of the nearest commit in a list that starts with the nearest.
  package static func baseline(in entries: [Entry], along ancestors: [CommitID], scope: String) -> Entry? {
    var newest: [CommitID: Entry] = [:]
    for entry in entries where entry.isComparable(in: scope) {
      newest[entry.commit] = entry
    }
    return ancestors.lazy.compactMap { newest[$0] }.first
  }
}
