import Git
import Model
import Processes

extension IntegrationRun {
  /// The seconds after which no further file is examined: git walks the history anew for each.
  private static let longestSearch = 60.0

  /// Returns who wrote the lines of the counted sources, by path, if that was requested.
  func origins(in report: CoverageReport) -> [String: [LineOrigin]] {
    guard request.coverage.blame, let coverage = report.coverage else { return [:] }
    var origins: [String: [LineOrigin]] = [:]
    let start = integrator.clock.seconds()
    // The least covered files come first, in case time runs out.
    let files = coverage.files.sorted {
      ($1.totals.lines.uncovered, $0.path) < ($0.totals.lines.uncovered, $1.path)
    }
    for (done, file) in files.enumerated() {
      guard integrator.clock.seconds() - start < Self.longestSearch, !integrator.cancellation.isCanceled else {
        journal.warn(.originsUnread(files: files.count - done, of: files.count))
        return origins
      }
      // The lines of an uncommitted text belong to nobody yet.
      guard let committed = text(of: file.path, at: target.commit), committed == text(of: file.path) else { continue }
      do {
        let path = PackagePlace(target.package).inRepository(file.path)
        if let found = try claimed.repository.blame(path, at: target.commit) { origins[file.path] = found }
      } catch {
        journal.warn(.originsUnreadable(reason: error.description))
        return origins
      }
    }
    return origins
  }
}
