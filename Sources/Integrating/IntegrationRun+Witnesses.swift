import Comparing
import Model

extension IntegrationRun {
  /// How many other integrations of a commit are asked at most; the newest ones.
  private static let mostWitnesses = 4

  /// The other integrations of this commit and of an earlier one, under the same circumstances and with complete
  /// coverage.
  func witnesses(beside earlier: Earlier) -> CoverageWitnesses {
    let own = target.includesWorkingTree ? [] : others(of: target.commit, beside: integration.number)
    return CoverageWitnesses(
      now: witnesses(own, like: IntegrationDocument(integration)),
      before: witnesses(others(of: earlier.commit, beside: earlier.number), like: earlier.document))
  }

  /// Newest first.
  private func others(of commit: CommitID, beside number: Int) -> [Int] {
    ledger.reversed().filter { entry in
      entry.commit == commit && entry.number != number && entry.scope == scope && !entry.isDirty
        && entry.outcome.isConclusive
    }.map(\.number)
  }

  private func witnesses(_ numbers: [Int], like document: IntegrationDocument) -> [CoverageWitnesses.Witness] {
    numbers.prefix(Self.mostWitnesses).compactMap { number in
      guard let other = earlier(number, of: document.commit.id),
        CircumstanceChange.changes(from: other.document, to: document).isEmpty
      else { return nil }
      return CoverageWitnesses.Witness(number: number, coverage: other.coverage)
    }
  }
}
