import Git
import Model

/// The results of a bot's kept integrations, by destination.
struct PastResults {
  /// More integrations of an earlier Martlet are not read for the last one that built for a destination.
  private static let mostWithoutCell = 50

  /// The folder of the bot's kept integrations.
  let integrations: Folder

  /// Returns an integration; nil if it is no longer kept, or if it is of another version.
  func stored(_ number: Int) -> StoredIntegration? { try? StoredIntegration(in: integrations.folder("\(number)")) }

  /// Returns the document of an integration likewise.
  func document(of number: Int) -> IntegrationRecord? { stored(number)?.document }

  /// Returns the result for a destination alone from when it was last built for: in an integration, or in the one that
  /// this remembers.
  ///
  /// - Parameter isWanted: whether a result for the destination is one that is looked for.
  func last(
    for destination: String, from document: IntegrationRecord?, where isWanted: (Outcome) -> Bool = \.isConclusive
  ) -> IntegrationRecord? {
    var document = document
    for _ in 0..<Self.mostWithoutCell {
      guard let now = document else { break }
      let own = now.own.flatMap { $0.destination?.name == destination ? $0 : nil }
      let result = own ?? now.cell(of: destination)
      if let result, let outcome = result.destination?.outcome, isWanted(outcome) { return result }
      let last = result?.destination?.lastBuilt
      if last == DestinationResult.neverBuilt { break }
      document = (last ?? now.baseline).flatMap(self.document)
    }
    return nil
  }

  /// Returns what is known of issues after an integration, or after one of its cells.
  func memory(of result: IntegrationRecord) -> IssueMemory {
    IssueMemory(of: result, in: integrations.folder("\(result.number)").cell(result.cellName))
  }

  /// Returns the records of issues that the required or the optional destinations of an integration have, in the bot's
  /// order; a bot with only one way to build has no name for it.
  func records(of document: IntegrationRecord, required: Bool) -> [(destination: String?, records: [IssueRecord])] {
    ([document] + (document.cells ?? [])).filter { ($0.destination?.required ?? true) == required }.map { result in
      let last = result.destination.flatMap { self.last(for: $0.name, from: document) }
      return (result.destination?.name, memory(of: last ?? result).records)
    }
  }
}

extension Home {
  /// The results of a bot's kept integrations.
  func results(of bot: String) -> PastResults { PastResults(integrations: integrations(of: bot)) }
}

extension PastResults {
  /// Returns the number of a bot's first integration of a repository; nil if the bot had no other one before.
  ///
  /// A repository that was moved or cloned has the commits of before, and one whose history was rewritten its place.
  ///
  /// - Parameters:
  ///   - number: that of the integration that begins, of which the repository is.
  ///   - name: the repository as documents name it.
  ///   - past: the bot's finished integrations, oldest first.
  func since(
    _ number: Int, of repository: borrowing Repository, named name: String, in past: [IndexedIntegration]
  ) -> Int? {
    guard let newest = past.last else { return nil }
    if repository.absence(of: newest.commit) != .gone || document(of: newest.number)?.repository == name {
      return newest.repositorySince
    }
    for one in past.reversed() where repository.absence(of: one.commit) != .gone { return one.repositorySince }
    return number
  }
}
