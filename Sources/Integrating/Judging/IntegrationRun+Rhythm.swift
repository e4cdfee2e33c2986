import Comparing
import Git
import Model

extension IntegrationRun {
  /// Returns how the integration changed the colour of its baseline; nil if that says nothing.
  func rhythm(of state: IntegrationState) -> Rhythm? {
    let cell = state.report
    guard !request.practice.off.contains(.rhythm), let verdict = cell.verdict else { return nil }
    // Uncommitted changes belong to no commit, and a rerun of a commit is no beat.
    let compared = cell.comparison?.baseline ?? cell.reference.baseline
    guard let baseline = compared, !target.includesWorkingTree, baseline.commit != target.commit else { return nil }
    let states = Dictionary(
      (cell.reached.tests?.report.results ?? []).map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first })
    let earlier = cell.reference.document?.baseline.flatMap(commit)
    return Rhythm(
      from: baseline, to: verdict.outcome, states: states, sourcesChanged: !hasFiles(of: baseline.commit),
      isUndone: earlier.map { $0 != target.commit && hasFiles(of: $0) } ?? false)
  }

  /// Returns how many integrations of the branch are red in a row, including this one.
  func redStreak(with outcome: Outcome) -> Int {
    guard [.testFailures, .buildErrors].contains(outcome) else { return 0 }
    let before = past.reversed().filter { $0.branch == target.branch && $0.outcome.isConclusive && $0.scope == scope }
    return 1 + before.prefix { [.testFailures, .buildErrors].contains($0.outcome) }.count
  }

  private func commit(of number: Int) -> CommitID? {
    past.last { $0.number == number }?.commit
  }

  /// Whether a commit has exactly the files that were integrated.
  func hasFiles(of other: CommitID) -> Bool {
    // A commit that is gone has no files.
    (try? context.claimed.repository.difference(from: other, to: target.commit) { _ in false })?.files.isEmpty ?? false
  }
}
