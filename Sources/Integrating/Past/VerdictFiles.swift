import Comparing
import Model
import Processes

/// How the tests of a bot's last integrations ended: `verdicts` in the folder of what is kept of each.
///
/// Each is written before the summary document. The files are small, so that the history of all tests costs little to
/// read; what was integrated before they were written has no history.
struct VerdictFiles {
  static let name = "verdicts"
  /// How many integrations a history reaches back, and how many bytes are read for it.
  static let mostIntegrations = 50
  static let mostBytes = 8 << 20

  /// The folder of the bot's integrations.
  let folder: Folder

  /// The newest conclusive integrations of a ledger before a number, newest first.
  func newest(before number: Int, of ledger: [Ledger.Entry]) -> [TestVerdicts] {
    var read: [TestVerdicts] = []
    var bytes = 0
    let entries = ledger.filter { $0.number < number && $0.outcome.isConclusive && !$0.isDirty }
    for entry in entries.reversed() {
      guard read.count < Self.mostIntegrations, bytes < Self.mostBytes else { break }
      // An integration that was removed leaves a gap.
      guard let text = folder.folder("\(entry.number)").read(Self.name) else { continue }
      bytes += text.count
      if let verdicts = TestVerdicts(text: String(decoding: text, as: UTF8.self)) { read.append(verdicts) }
    }
    return read
  }

  /// How many integrations tell how much the time of a test varies.
  static let mostPaces = 20

  /// What tells how long the tests of an integration usually take: the last integrations of its branch and its scope by
  /// the same toolchain, newest first; none of a copy from elsewhere.
  ///
  /// - Parameter number: that of the newer of two that are compared, which is to be judged by those before it.
  func paces(like document: IntegrationRecord, before number: Int, of ledger: [Ledger.Entry]) -> [TestVerdicts] {
    guard let own = ledger.last(where: { $0.number == document.number && $0.commit == document.commit.id }) else {
      return []
    }
    let alike = ledger.filter { $0.branchKey == own.branchKey && $0.scope == own.scope }
    return Array(
      newest(before: number, of: alike).filter { $0.toolchain == document.toolchain }.prefix(Self.mostPaces))
  }

  /// The integrations that a figure of a branch may be held against, newest first: those of the branch, and the baseline
  /// where it is of another.
  ///
  /// What older files do not tell of is taken from the summary document beside them.
  func past(before number: Int, on branchKey: String?, baseline: Int?, of ledger: [Ledger.Entry]) -> [PastIntegration] {
    var read: [PastIntegration] = []
    var bytes = 0
    for entry in ledger.reversed() where entry.number < number && !entry.isDirty {
      guard read.count < Self.mostIntegrations, bytes < Self.mostBytes else { break }
      guard entry.branchKey == branchKey || entry.number == baseline else { continue }
      let kept = folder.folder("\(entry.number)")
      let text = kept.read(Self.name)
      bytes += text?.count ?? 0
      var verdicts = text.flatMap { TestVerdicts(text: String(decoding: $0, as: UTF8.self)) }
      if verdicts?.circumstances == nil, let stored = Self.summary(in: kept) {
        bytes += stored.bytes.count
        verdicts = TestVerdicts(stored.document)
      }
      read.append(
        PastIntegration(number: entry.number, commit: entry.commit, outcome: entry.outcome, verdicts: verdicts))
    }
    return read
  }

  /// Nil for an integration that was removed, or whose document another Martlet wrote.
  private static func summary(in folder: Folder) -> StoredIntegration? {
    folder.holds(StoredIntegration.fileName) ? try? StoredIntegration(in: folder) : nil
  }

  func write(_ verdicts: TestVerdicts, mask: SecretMask) throws(IntegratingError) {
    try folder.folder("\(verdicts.number)").write(mask.mask(Array(verdicts.text.utf8)), to: Self.name)
  }
}
