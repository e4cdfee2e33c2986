import Model
import Processes

extension IntegrationRun {
  /// Takes note of what a step did to the checked-out files; SwiftPM itself may write which versions it resolved, and a
  /// macro or a tool of the build that is built for coverage, as the package is, leaves its counters.
  ///
  /// - Parameter worker: nil where the files are as they should be.
  func noteFootprint(of worker: ServiceWarning.Worker?) {
    let now = WorkspaceFootprint(workspace.source.path)
    defer { footprint = now }
    guard let worker, let before = footprint else { return }
    let changes = now.changes(since: before, exempt: exempt)
    if !changes.isEmpty { serviceWarnings.append(.filesTouched(changes, by: worker)) }
  }

  /// Takes note of what the tests wrote beside the sources: into a view, which is thrown away, or where they are not
  /// contained to the checked-out files.
  func noteWhatTestsWrote() {
    guard let testView else { return noteFootprint(of: .tests) }
    integration.tests.written = WrittenFiles(testView.changes, exempt: exempt)
  }

  /// The files that may change without a word, by their paths in the repository.
  private var exempt: Set<String> {
    let place = PackagePlace(target.package)
    return Set((["Package.resolved"] + (request.measuresCoverage ? ["default.profraw"] : [])).map(place.inRepository))
  }
}

extension WrittenFiles {
  /// Nil where nothing was written.
  init?(_ changes: FolderChanges, exempt: Set<String>) {
    let files =
      changes.added.map { File(path: $0, deed: .added) } + changes.changed.map { File(path: $0, deed: .changed) }
      + changes.removed.map { File(path: $0, deed: .removed) }
    self.init(files.filter { !exempt.contains($0.path) }, isCut: changes.isCut)
  }
}
