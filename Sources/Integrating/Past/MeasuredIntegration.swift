import Model
import Rendering

/// An earlier integration with complete coverage.
struct MeasuredIntegration {
  var number: Int
  var commit: CommitID
  var coverage: Coverage
  /// The document of the integration, or of the destination that is asked for.
  var document: IntegrationRecord

  /// Reads an integration; nil if it is not of this commit, or if its coverage is incomplete.
  ///
  /// - Parameter package: the package folder to which paths are to be relative.
  init?(_ stored: StoredIntegration, of commit: CommitID, package: String) {
    // Coverage that cannot be read is no better than none.
    guard let coverage = try? stored.coverage(beneath: package), coverage.isComplete,
      stored.document.commit.id == commit
    else { return nil }
    number = stored.document.number
    self.commit = commit
    self.coverage = coverage
    document = stored.document
  }
}
