import Comparing
import Model
import Rendering

/// The integrations of one bot whose coverage is asked for, each read once.
final class MeasuredIntegrations {
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

  /// The same for one that the index names; nil also without one.
  func integration(_ entry: IndexedIntegration?) -> MeasuredIntegration? {
    entry.flatMap { integration($0.number, of: $0.commit) }
  }

  /// What is known of an integration's coverage, which is read only where it is complete.
  func coverage(of entry: IndexedIntegration) -> KnownCoverage {
    let kept = folder.folder("\(entry.number)")
    guard kept.holds(CoverageDocument.fileName) else {
      // What was not built was not measured either.
      if kept.holds(StoredIntegration.fileName) || entry.outcome == .buildErrors { return .incomplete }
      return .unknown(.removed(entry.number))
    }
    if CoverageDocument.isComplete(beginning: kept.start(of: CoverageDocument.fileName, bytes: 4096)) == false {
      return .incomplete
    }
    return integration(entry) == nil ? .unknown(.unreadable(entry.number)) : .complete
  }
}
