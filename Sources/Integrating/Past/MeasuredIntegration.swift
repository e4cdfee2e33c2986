import Model
import Rendering

/// An earlier integration with complete coverage.
struct MeasuredIntegration {
  var number: Int
  var commit: CommitID
  var coverage: Coverage
  var document: IntegrationRecord

  /// Reads an integration; nil if there is none of this number and commit any more, or if its coverage is incomplete.
  ///
  /// - Parameters:
  ///   - integrations: the folder of the bot's integrations.
  ///   - package: the package folder to which paths are to be relative.
  init?(_ number: Int, of commit: CommitID, in integrations: Folder, package: String) {
    // A document that cannot be read is no better than none.
    guard let stored = try? StoredIntegration(in: integrations.folder(String(number))),
      let coverage = try? stored.coverage(beneath: package), coverage.isComplete,
      stored.document.commit.id == commit
    else { return nil }
    self.number = number
    self.commit = commit
    self.coverage = coverage
    document = stored.document
  }
}
