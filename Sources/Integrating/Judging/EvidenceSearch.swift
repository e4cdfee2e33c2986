import Comparing
import Model
import Rendering

/// A search for the integrations of one bot that can show what runs by chance.
struct EvidenceSearch {
  /// The maximum number of witnesses for a commit; the newest ones are taken.
  private static let most = 4
  /// The maximum number of integrations that are read to find them.
  private static let mostRead = 50

  /// The bot's integrations, oldest first.
  let past: [IndexedIntegration]
  let integrations: Folder
  /// The package folder to which paths are to be relative.
  let package: String
  /// The destination whose own coverage is asked for; nil for that of the report.
  var destination: String?

  /// Returns the other integrations of the same commit in which the same tests ended the same, under the same
  /// circumstances and with complete coverage, newest first.
  ///
  /// A test that failed, crashed or was skipped ran other lines for that reason, not by chance.
  ///
  /// - Parameter others: the numbers of integrations that are no witnesses, because they are being compared.
  func witnesses(
    besides others: Set<Int>, scope: String, like document: IntegrationRecord
  ) -> [CoverageEvidence.Witness] {
    let candidates = past.reversed().lazy.filter { entry in
      entry.commit == document.commit.id && !others.contains(entry.number) && entry.scope == scope && !entry.isDirty
        && entry.outcome.isConclusive
    }
    let measured = MeasuredIntegrations(in: integrations, package: package, of: destination)
    var witnesses: [CoverageEvidence.Witness] = []
    for entry in candidates.prefix(Self.mostRead) where witnesses.count < Self.most {
      // An unreadable document is no witness, nor is one of which only the summary was kept.
      guard let stored = measured.stored(entry.number),
        stored.document.isAlike(document), stored.document.destination?.adoptedFrom == nil,
        let coverage = (try? stored.coverage())?.coverage(beneath: package), coverage.isComplete
      else { continue }
      witnesses.append(CoverageEvidence.Witness(number: entry.number, coverage: coverage))
    }
    return witnesses
  }
}

extension IntegrationRun {
  var evidenceSearch: EvidenceSearch {
    EvidenceSearch(
      past: past, integrations: context.integrations, package: target.package, destination: asked.buildName)
  }
}
