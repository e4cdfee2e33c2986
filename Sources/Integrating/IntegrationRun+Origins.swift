import Git
import Model
import Processes

extension IntegrationRun {
  /// No more is asked for after so many seconds: git's history is walked anew for each file.
  private static let longestSearch = 60.0

  /// Finds out who wrote the lines of the counted sources, if that was asked for.
  func findOrigins() {
    guard request.showsOrigins, let coverage = integration.coverage.coverage else { return }
    let start = integrator.clock.seconds()
    // The least covered first, for the case that time runs out.
    let files = coverage.files.sorted {
      ($1.totals.lines.uncovered, $0.path) < ($0.totals.lines.uncovered, $1.path)
    }
    for (done, file) in files.enumerated() {
      guard integrator.clock.seconds() - start < Self.longestSearch, !integrator.cancellation.isCanceled else {
        serviceWarnings.append(.originsUnread(files: files.count - done, of: files.count))
        return
      }
      let path = target.package == "." ? file.path : "\(target.package)/\(file.path)"
      // The lines of a text that is not committed belong to nobody yet.
      guard let text = source(file.path), let committed = try? repository.contents(of: path, in: target.commit),
        committed == text
      else { continue }
      do {
        if let found = try repository.blame(path, at: target.commit) { origins[file.path] = found }
      } catch {
        serviceWarnings.append(.originsUnreadable(reason: error.description))
        return
      }
    }
  }
}
