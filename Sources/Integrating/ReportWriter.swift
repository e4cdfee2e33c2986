package import Processes
package import Rendering
import Synchronization

/// Writes the files of a report into a new folder, on several threads.
///
/// A file that an earlier report has with the same bytes is not written again: both folders name the same file on disk
/// (a hard link), so that many integrations of a package take little more room than one. Nobody writes into a published
/// report, and the disk keeps the bytes until the last report that names them is removed.
package struct ReportWriter: Sendable {
  private let folder: Folder
  private let earlier: Folder?
  private let mask: SecretMask
  private let crew: Crew

  /// - Parameters:
  ///   - folder: exists, and holds nothing of the report.
  ///   - earlier: a published report to share files with.
  ///   - mask: takes secrets out of everything that is written.
  package init(
    to folder: Folder, sharing earlier: Folder?, mask: SecretMask = SecretMask([]), crew: Crew = Crew()
  ) {
    self.folder = folder
    self.earlier = earlier
    self.mask = mask
    self.crew = crew
  }

  /// Makes and writes the parts, each once; of several failures that of the first part is thrown.
  package func write(_ parts: [ReportPart]) throws {
    let folders = KnownFolders()
    try crew.carryOut(parts.count) { index in
      for file in try parts[index].files() { try write(file, folders) }
    }
  }

  private func write(_ file: ReportPart.File, _ folders: KnownFolders) throws {
    if let end = file.path.lastIndex(of: "/") {
      let parent = String(file.path[..<end])
      if !folders.all.withLock({ $0.contains(parent) }) {
        try folder.folder(parent).create()
        folders.all.withLock { _ = $0.insert(parent) }
      }
    }
    let bytes = mask.mask(file.bytes)
    if let earlier, earlier.holds(file.path, bytes), folder.share(file.path, of: earlier) { return }
    try folder.create(file.path, bytes)
  }
}

/// The folders that were made already, by path in the report.
private final class KnownFolders: Sendable {
  let all = Mutex<Set<String>>([])
}
