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

  func write(_ verdicts: TestVerdicts, mask: SecretMask) throws(IntegratingError) {
    try folder.folder("\(verdicts.number)").write(mask.mask(Array(verdicts.text.utf8)), to: Self.name)
  }
}

extension IntegrationRun {
  /// Tells how each test ended in the integrations before, and which tests are new, deleted and renamed.
  func tellTestHistory() {
    guard !integration.tests.runs.isEmpty else { return }
    let files = VerdictFiles(folder: integrator.home.integrations(of: integration.bot))
    integration.histories = TestHistory.all(
      of: [TestVerdicts(integration)] + files.newest(before: integration.number, of: ledger))
    guard let baseline = integration.baseline, !baseline.states.isEmpty else { return }
    integration.testChanges = TestListChanges(
      from: Set(baseline.states.keys), to: Set(integration.tests.results.map(\.id)), filteredOut: filteredOut)
  }
}
