import Comparing
import Model

extension IntegrationRun {
  /// The other integrations of this commit that can tell what runs by chance.
  /// - Parameter compared: the numbers of those that are compared.
  func witnessesNow(besides compared: Set<Int>) -> [CoverageWitnesses.Witness] {
    guard !target.includesWorkingTree else { return [] }
    return witnessSearch.witnesses(besides: compared, scope: scope, like: IntegrationDocument(integration))
  }

  /// Those of an earlier one's commit.
  func witnesses(of earlier: MeasuredIntegration, besides compared: Set<Int>) -> [CoverageWitnesses.Witness] {
    witnessSearch.witnesses(besides: compared, scope: scope, like: earlier.document)
  }

  private var witnessSearch: WitnessSearch {
    WitnessSearch(
      ledger: ledger, integrations: integrator.home.integrations(of: integration.bot), package: target.package)
  }
}
