import Comparing
import Git
import Model

extension IntegrationRun {
  /// Tells what the integration did to the colour of its baseline.
  func tellRhythm() {
    guard !request.practice.off.contains(.rhythm) else { return }
    // Uncommitted changes are of no commit, and a rerun of one commit is no beat.
    guard let baseline = integration.baseline, !target.includesWorkingTree, baseline.commit != target.commit else {
      return
    }
    let states = Dictionary(
      integration.tests.results.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first })
    let earlier = baselineDocument?.baseline.flatMap(commit)
    integration.rhythm = Rhythm(
      from: baseline, to: integration.outcome, states: states, sourcesChanged: !hasFiles(of: baseline.commit),
      isUndone: earlier.map { $0 != target.commit && hasFiles(of: $0) } ?? false)
  }

  /// How many integrations of the branch are red in a row, this one included.
  var redStreak: Int {
    guard [.testFailures, .buildErrors].contains(integration.outcome) else { return 0 }
    let lane = integration.branch.map(FileSystemName.encode)
    let before = ledger.reversed().filter { $0.lane == lane && $0.outcome.isConclusive && $0.scope == scope }
    return 1 + before.prefix { [.testFailures, .buildErrors].contains($0.outcome) }.count
  }

  private func commit(of number: Int) -> CommitID? {
    ledger.last { $0.number == number }?.commit
  }

  /// Whether a commit has exactly the files that were integrated.
  private func hasFiles(of other: CommitID) -> Bool {
    // A commit that is gone has none.
    (try? repository.difference(from: other, to: target.commit) { _ in false })?.files.isEmpty ?? false
  }
}
