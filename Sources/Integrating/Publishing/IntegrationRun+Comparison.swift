import Comparing
import Model
import Rendering

extension IntegrationRun {
  /// Compares the integration with its baseline, for the page about the two; nil without a baseline.
  func comparison(
    of integration: Integration, with document: IntegrationRecord?
  ) throws(IntegratingError) -> IntegrationComparison? {
    guard let baselineDocument = document else { return nil }
    let commits = context.claimed.repository.commits(
      between: baselineDocument.commit.id, and: integration.commit.id, limit: 50)
    let files = Dictionary((integration.coverage.coverage?.files ?? []).map { ($0.path, $0.functions) }) { one, _ in
      one
    }
    let verdicts = PastVerdicts(index: context.index, bot: bot)
    return IntegrationComparison(
      from: baselineDocument, to: IntegrationRecord(integration),
      coverage: coverageComparison(of: integration, with: baselineDocument), functions: { files[$0] ?? [] },
      silent: { silent($1, of: $0) },
      earlier: try verdicts.paces(like: baselineDocument, before: integration.number, of: past), commits: commits)
  }

  /// Returns the comparison of lines, unless it was made with another integration because the baseline has no coverage.
  private func coverageComparison(of integration: Integration, with baseline: IntegrationRecord)
    -> Answer<CoverageComparison>
  {
    switch integration.changes?.comparison {
    case nil: return .unknown(reason: "The coverage was not measured.")
    case .unknown(let reason): return .unknown(reason: reason)
    case .known(let comparison):
      guard comparison.baseline == baseline.number else {
        return .unknown(reason: reason(not: baseline, but: comparison.baseline, for: integration.commit.id))
      }
      return .known(comparison)
    }
  }

  /// Returns why the lines were compared with those of another integration.
  private func reason(not baseline: IntegrationRecord, but number: Int, for commit: CommitID) -> String {
    let name = "\(baseline.bot) \(baseline.number)"
    if !baseline.coverage.complete { return "\(name) has no complete coverage; it was compared with \(number)." }
    return baseline.commit.id == commit
      ? "\(name) is of the same commit; the lines were compared with those of \(number)."
      : "The lines were compared with those of \(number), and not of \(name)."
  }
}
