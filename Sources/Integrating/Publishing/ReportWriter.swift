import Glibc
package import Processes
package import Rendering
import Synchronization

/// Writes the files of a report into a new folder, on several threads.
///
/// A file that an earlier report has with the same bytes is not written again: both folders name the same file on disk
/// (a hard link), so that many integrations of a package take little more room than one. Nobody writes into a published
/// report, and the disk keeps the bytes until the last report that names them is removed.
///
/// With keys a page that would be the same is not even made.
package struct ReportWriter: Sendable {
  private let folder: Folder
  private let earlier: Folder?
  /// What the pages of the earlier report were made from.
  private let known: PageKeys?
  private let mask: SecretMask
  private let workers: WorkerThreads

  /// - Parameters:
  ///   - folder: exists, and holds nothing of the report.
  ///   - earlier: a published report to share files with.
  ///   - keys: those of the earlier report; without them every page is made and compared.
  ///   - mask: takes secrets out of everything that is written.
  package init(
    to folder: Folder, sharing earlier: Folder?, keys: PageKeys? = nil, mask: SecretMask = SecretMask([]),
    workers: WorkerThreads = WorkerThreads()
  ) {
    self.folder = folder
    self.earlier = earlier
    known = keys
    self.mask = mask
    self.workers = workers
  }

  /// Makes and writes the parts, each once; of several failures that of the first part is thrown.
  ///
  /// - Parameter fresh: takes the keys of the pages; nil where none are wanted.
  /// - Returns: the keys of everything that has one.
  @discardableResult
  package func write(_ parts: [ReportPart], keys fresh: PageKeys? = nil) throws -> PageKeys? {
    let folders = KnownFolders()
    let collection = fresh.map(PageKeyCollection.init)
    let hash = fresh?.hash
    // Keys are only comparable with the same seed, and say nothing about what another program made.
    let known = known?.seed == fresh?.seed && known?.program == fresh?.program ? known : nil
    try workers.carryOut(parts.count) { index in
      let part = parts[index]
      let prepared = part.prepared(hash)
      let key = prepared.key
      if let key, let first = part.paths.first, let entry = known?.entries[first], entry.key == key,
        try share(entry, of: part, folders)
      {
        collection?.add(entry, of: first)
        return
      }
      var sizes: [String: Int] = [:]
      for file in try prepared.files() { sizes[file.path] = try write(file, folders) }
      if let key, let first = part.paths.first { collection?.add(PageKeys.Entry(key: key, sizes: sizes), of: first) }
    }
    return collection?.all
  }

  /// Gives the files of the earlier report second names; false when that is not possible for all of them.
  private func share(_ entry: PageKeys.Entry, of part: ReportPart, _ folders: KnownFolders) throws -> Bool {
    guard let earlier, part.paths.count == entry.sizes.count, part.paths.allSatisfy({ entry.sizes[$0] != nil }),
      entry.fits(earlier)
    else { return false }
    for path in part.paths {
      try createFolder(of: path, folders)
      guard folder.share(path, of: earlier) else {
        // What is written now must not be written into the earlier report.
        for path in part.paths { unlink(folder.file(path)) }
        return false
      }
    }
    return true
  }

  private func createFolder(of path: String, _ folders: KnownFolders) throws {
    guard let end = path.lastIndex(of: "/") else { return }
    let parent = String(path[..<end])
    guard !folders.all.withLock({ $0.contains(parent) }) else { return }
    try folder.folder(parent).create()
    folders.all.withLock { _ = $0.insert(parent) }
  }

  /// Writes a file, and returns its size.
  private func write(_ file: ReportPart.File, _ folders: KnownFolders) throws -> Int {
    try createFolder(of: file.path, folders)
    let bytes = mask.mask(file.bytes)
    if let earlier, earlier.holds(file.path, bytes), folder.share(file.path, of: earlier) { return bytes.count }
    try folder.create(file.path, bytes)
    return bytes.count
  }
}

/// The folders that were made already, by path in the report.
private final class KnownFolders: Sendable {
  let all = Mutex<Set<String>>([])
}
