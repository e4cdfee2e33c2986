import Model
import Processes

extension IntegrationRun {
  /// The checked-out files as they are now.
  func snapshot() -> WorkspaceSnapshot { WorkspaceSnapshot(context.claimed.workspace.source.path) }

  /// The checked-out files as a step left them, with a warning about what it did to them; SwiftPM itself may write which
  /// versions it resolved, and a macro or a tool of the build that is built for coverage, as the package is, leaves its
  /// counters.
  func snapshot(after worker: ServiceWarning.Worker, of before: WorkspaceSnapshot) -> WorkspaceSnapshot {
    let now = snapshot()
    let changes = now.changes(since: before, exempt: exempt)
    if !changes.isEmpty { journal.warn(.filesTouched(changes, by: worker)) }
    return now
  }

  /// What the tests wrote beside the sources: into a view, which is thrown away, or where they are not contained to the
  /// checked-out files, of which a warning tells.
  func whatTestsWrote(_ view: FolderView?, after before: WorkspaceSnapshot) -> WrittenFiles? {
    guard let view else {
      _ = snapshot(after: .tests, of: before)
      return nil
    }
    return WrittenFiles(view.changes, exempt: exempt)
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
