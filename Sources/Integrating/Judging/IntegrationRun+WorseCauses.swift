import Comparing
import Git
import Model

extension IntegrationRun {
  /// Returns who probably made measured values worse than in the integration compared with, by test.
  func worseCauses(in state: IntegrationState) -> [TestID: WorseCause] {
    let (cell, integration) = (state.report, state.integration)
    guard let baseline = cell.baseline, !target.includesWorkingTree else { return [:] }
    let tests = integration.tests.measuredValues(integration.trends).filter { _, trend in
      // What differs besides the commits may be to blame.
      trend.isWorse && trend.newest?.since.number == baseline.number && trend.points.first?.differing.isEmpty == true
    }.map(\.test.id)
    guard !tests.isEmpty else { return [:] }
    let range = cell.evidence?.range ?? suspectRange(of: cell, integration, since: baseline)
    guard !hasFiles(of: range.origin) else { return [:] }
    var evidence = cell.evidence ?? self.evidence(of: cell, integration, range)
    var causes: [TestID: WorseCause] = [:]
    for test in Set(tests).sorted().prefix(SuspectEvidence.mostIssues) {
      // Evidence against whoever made a test fail is evidence against whoever made it slow.
      let finding = Issue(id: "", kind: .testFailure, message: "", test: test)
      guard let suspect = suspects(of: finding, integration, &evidence)?.named.first else { continue }
      causes[test] = WorseCause(suspect, hunk: hunk(of: suspect, in: range))
    }
    return causes
  }

  /// Returns what a suspect changed; nil where the commits cannot be compared.
  private func hunk(of suspect: Suspect, in range: SuspectRange) -> SourceHunk? {
    guard let file = suspect.changedFile, let difference = try? difference(from: range.origin, of: [file]) else {
      return nil
    }
    let commits = suspect.place == nil ? changedFiles(by: range.commits) : []
    return hunk(of: suspect, among: range.commits, commits, in: difference, since: range.origin)
  }
}
