import Model
import Processes

extension IntegrationRun {
  /// Returns the checked-out files as they are now.
  func snapshot() -> WorkspaceSnapshot { WorkspaceSnapshot(context.claimed.workspace.source.path) }

  /// Returns the checked-out files as a step left them, and warns about what it did to them. SwiftPM itself may write
  /// which versions it resolved, and a macro or a build tool, which is built for coverage like the package, leaves its
  /// counters.
  func snapshot(after worker: ServiceWarning.Worker, of before: WorkspaceSnapshot) -> WorkspaceSnapshot {
    let now = snapshot()
    let changes = now.changes(since: before, exempt: exempt)
    if !changes.isEmpty { journal.warn(.filesTouched(changes, by: worker)) }
    return now
  }

  /// Returns what the tests wrote beside the sources, in a view that is thrown away. If they are not contained, they
  /// write to the checked-out files, and a warning reports it.
  func whatTestsWrote(_ view: FolderView?, after before: WorkspaceSnapshot) -> WrittenFiles? {
    guard let view else {
      _ = snapshot(after: .tests, of: before)
      return nil
    }
    return WrittenFiles(view.changes, exempt: exempt)
  }

  /// The files that may change without a warning, by their paths in the repository.
  private var exempt: Set<String> {
    let place = PackagePlace(target.package)
    return Set(
      (["Package.resolved"] + (request.coverage.isMeasured ? ["default.profraw"] : [])).map(place.inRepository))
  }
}

extension WrittenFiles {
  /// Returns nil if nothing was written.
  init?(_ changes: FolderChanges, exempt: Set<String>) {
    let files =
      changes.added.map { File(path: $0, deed: .added) } + changes.changed.map { File(path: $0, deed: .changed) }
      + changes.removed.map { File(path: $0, deed: .removed) }
    self.init(files.filter { !exempt.contains($0.path) }, isCut: changes.isCut)
  }
}
