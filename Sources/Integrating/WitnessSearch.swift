import Comparing
import Model

/// Finds the integrations of one bot that can tell what runs by chance.
struct WitnessSearch {
  /// How many integrations of a commit are asked at most; the newest ones.
  private static let most = 4

  let ledger: [Ledger.Entry]
  /// The folder of the bot's integrations.
  let integrations: Folder
  /// The package folder that the paths are to be relative to.
  let package: String

  /// The others of the commit of one integration, under the same circumstances and with complete coverage, newest first.
  ///
  /// - Parameter others: the numbers of those that are no witnesses, because they are compared.
  func witnesses(
    besides others: Set<Int>, scope: String, like document: IntegrationDocument
  ) -> [CoverageWitnesses.Witness] {
    let candidates = ledger.reversed().filter { entry in
      entry.commit == document.commit.id && !others.contains(entry.number) && entry.scope == scope && !entry.isDirty
        && entry.outcome.isConclusive
    }
    return candidates.prefix(Self.most).compactMap { entry in
      guard let other = MeasuredIntegration(entry.number, of: entry.commit, in: integrations, package: package),
        CircumstanceChange.changes(from: other.document, to: document).isEmpty
      else { return nil }
      return CoverageWitnesses.Witness(number: entry.number, coverage: other.coverage)
    }
  }
}
