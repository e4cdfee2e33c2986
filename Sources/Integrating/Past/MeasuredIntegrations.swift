import Model
import Rendering

/// The integrations of one bot whose coverage is asked for, each read once.
final class MeasuredIntegrations {
  /// What can be said of the coverage of an integration.
  enum Sight {
    /// It is complete.
    case measured(MeasuredIntegration)
    /// There was none, or not all of it.
    case unmeasured
    /// It may have been complete; a sentence says why nobody knows.
    case unknown(reason: String)
  }

  private let folder: Folder
  private let package: String
  private var known: [Int: MeasuredIntegration] = [:]

  /// - Parameters:
  ///   - folder: that of the bot's integrations.
  ///   - package: the package folder that the paths are to be relative to.
  init(in folder: Folder, package: String) {
    self.folder = folder
    self.package = package
  }

  /// Reads an integration, if its coverage is complete and can be read.
  func integration(_ number: Int, of commit: CommitID) -> MeasuredIntegration? {
    if let known = known[number], known.commit == commit { return known }
    let read = MeasuredIntegration(number, of: commit, in: folder, package: package)
    if let read { known[number] = read }
    return read
  }

  /// Whether an integration has complete coverage, or may have had.
  func mayBeMeasured(_ entry: IndexedIntegration) -> Bool {
    if case .unmeasured = sight(of: entry) { false } else { true }
  }

  /// Looks at an integration, and reads it only where its coverage is complete.
  func sight(of entry: IndexedIntegration) -> Sight {
    let kept = folder.folder("\(entry.number)")
    guard kept.holds(CoverageDocument.fileName) else {
      // What was not built was not measured either.
      if kept.holds(StoredIntegration.fileName) || entry.outcome == .buildErrors { return .unmeasured }
      return .unknown(reason: "Integration \(entry.number) was removed, so lost coverage is not known.")
    }
    if CoverageDocument.isComplete(beginning: kept.start(of: CoverageDocument.fileName, bytes: 4096)) == false {
      return .unmeasured
    }
    guard let read = integration(entry.number, of: entry.commit) else {
      return .unknown(
        reason: "The coverage of integration \(entry.number) cannot be read, so lost coverage is not known.")
    }
    return .measured(read)
  }
}
