import Glibc
import Model
import Processes

/// A snapshot of everything that can be seen of the files in a folder, to determine who changed them.
struct WorkspaceSnapshot {
  /// The maximum number of entries that are examined, more than any checkout has.
  private static let mostEntries = 300_000

  private struct Trace: Equatable {
    var inode: UInt64
    var size: Int64
    /// The change time, which no program can set.
    var changed: [Int]
  }

  private let entries: [String: Trace]

  /// Records every file and link beneath a folder, without following links.
  init(_ folder: String) {
    let walk = FolderWalk(folder, most: Self.mostEntries)
    entries = walk.files.reduce(into: [:]) { entries, file in
      // A name that is not valid text is shown as well as possible.
      entries[String(decoding: file.key, as: UTF8.self)] = Trace(
        inode: UInt64(file.value.st_ino), size: Int64(file.value.st_size),
        changed: [file.value.st_ctim.tv_sec, file.value.st_ctim.tv_nsec])
    }
  }

  /// Returns the files that changed, or were added or removed; none if there are more than are examined, since others may
  /// have been each time.
  func changes(since before: WorkspaceSnapshot) -> [String] {
    guard max(entries.count, before.entries.count) < Self.mostEntries else { return [] }
    return Set(entries.keys).union(before.entries.keys).filter { entries[$0] != before.entries[$0] }.sorted()
  }

  /// Returns what somebody did since a snapshot, except to files with exempt names.
  func changes(since before: WorkspaceSnapshot, exempt: Set<String>) -> ServiceWarning.TouchedFiles {
    let names = changes(since: before).filter { !exempt.contains($0) }
    return ServiceWarning.TouchedFiles(
      changed: names.filter { entries[$0] != nil && before.entries[$0] != nil },
      removed: names.filter { entries[$0] == nil }, added: names.filter { before.entries[$0] == nil })
  }
}

extension IntegrationRun {
  /// Returns the checked-out files as they are now.
  func snapshot() -> WorkspaceSnapshot { WorkspaceSnapshot(claimed.workspace.source.path) }

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
