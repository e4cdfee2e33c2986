import Comparing
import Model

extension IntegrationRun {
  /// Returns the other integrations of this commit that can show what runs by chance.
  /// - Parameter compared: the numbers of the integrations that are being compared.
  func witnessesNow(besides compared: Set<Int>, like document: IntegrationRecord) -> [CoverageEvidence.Witness] {
    guard !target.includesWorkingTree else { return [] }
    return evidenceSearch.witnesses(besides: compared, scope: scope, like: document)
  }

  /// Returns the other integrations of an earlier integration's commit.
  func witnesses(of earlier: MeasuredIntegration, besides compared: Set<Int>) -> [CoverageEvidence.Witness] {
    evidenceSearch.witnesses(besides: compared, scope: scope, like: earlier.document)
  }

  private var evidenceSearch: EvidenceSearch {
    EvidenceSearch(
      past: past, integrations: context.integrations, package: target.package, destination: asked.buildName)
  }
}
