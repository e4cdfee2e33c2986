import Comparing
import Model

extension IntegrationRun {
  /// The other integrations of this commit and of an earlier one that can tell what runs by chance.
  func witnesses(beside earlier: MeasuredIntegration) -> CoverageWitnesses {
    let search = WitnessSearch(
      ledger: ledger, integrations: integrator.home.integrations(of: integration.bot), package: target.package)
    let compared: Set = [earlier.number, integration.number]
    return CoverageWitnesses(
      now: target.includesWorkingTree
        ? [] : search.witnesses(besides: compared, scope: scope, like: IntegrationDocument(integration)),
      before: search.witnesses(besides: compared, scope: scope, like: earlier.document))
  }
}
