import Comparing
import Model

extension IntegrationRun {
  /// The integration against its baseline, for the page that compares the two; nil without a baseline.
  func comparison() -> IntegrationComparison? {
    guard let baselineDocument else { return nil }
    let commits = repository.commits(
      between: baselineDocument.commit.id, and: integration.commit.id, limit: 50)
    let files = Dictionary((integration.coverage.coverage?.files ?? []).map { ($0.path, $0.functions) }) { one, _ in
      one
    }
    let verdicts = VerdictFiles(folder: integrator.home.integrations(of: integration.bot))
    return IntegrationComparison(
      from: baselineDocument, to: IntegrationDocument(integration),
      coverage: coverageComparison(with: baselineDocument), functions: { files[$0] ?? [] },
      silent: { silent($1, of: $0) },
      earlier: verdicts.paces(like: baselineDocument, before: integration.number, of: ledger), commits: commits)
  }

  /// What is known line by line, unless it was compared with another integration because this one has no coverage.
  private func coverageComparison(with baseline: IntegrationDocument) -> Answer<CoverageComparison> {
    switch integration.changes?.comparison {
    case nil: return .unknown(reason: "The coverage was not measured.")
    case .unknown(let reason): return .unknown(reason: reason)
    case .known(let comparison):
      guard comparison.baseline == baseline.number else {
        return .unknown(reason: reason(not: baseline, but: comparison.baseline))
      }
      return .known(comparison)
    }
  }

  /// Why the lines were compared with those of another integration.
  private func reason(not baseline: IntegrationDocument, but number: Int) -> String {
    let name = "\(baseline.bot) \(baseline.number)"
    if !baseline.coverage.complete { return "\(name) has no complete coverage; it was compared with \(number)." }
    return baseline.commit.id == integration.commit.id
      ? "\(name) is of the same commit; the lines were compared with those of \(number)."
      : "The lines were compared with those of \(number), and not of \(name)."
  }
}
