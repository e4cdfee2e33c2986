import FoundationEssentials
import Glibc
import Model
import Parsing
package import Processes
package import Rendering
import Synchronization

/// A writer of a finished integration's kept files, and of its report.
struct Publisher {
  let home: Home
  /// The folder of the integration's kept files.
  let kept: Folder
  let templates: ReportTemplates
  let time: LocalTime
  /// Keeps secrets out of everything that is written.
  var mask = SecretMask([])
  /// The kept files of the integration whose results are adopted; nil for results of its own.
  var earlier: Folder?

  /// Writes the summary document, the row of the index and the report, each aside and then renamed into place.
  ///
  /// Templates that fail cost the report, but not the integration.
  ///
  /// - Parameter report: collects what the pages need.
  func publish(
    _ integration: Integration, report: () throws(IntegratingError) -> Report
  ) throws(IntegratingError) -> FinishedIntegration {
    let document = mask.mask(try IntegrationRecord(integration).encoded())
    var coverage: [String: [UInt8]] = [:]
    coverage[CoverageDocument.fileName] = CoverageDocument(integration).map { mask.mask(Array($0.text.utf8)) }
    coverage[TestMapDocument.fileName] = TestMapDocument(integration).flatMap {
      Gzip.compress(mask.mask(Array($0.text.utf8)))
    }
    coverage[MutantsDocument.fileName] = MutantsDocument(integration).map { mask.mask(Array($0.text.utf8)) }
    // A later integration judges the gates of a destination by its own coverage.
    for cell in integration.cells where !(cell.gates + cell.owedGates).isEmpty && cell.earlier == nil {
      coverage["\(cell.cellPath)/\(CoverageDocument.fileName)"] = CoverageDocument(cell).map {
        mask.mask(Array($0.text.utf8))
      }
    }
    if let earlier {
      coverage[CoverageDocument.fileName] = earlier.coverage(adoptedBy: integration.number)
      for name in [TestMapDocument.fileName, MutantsDocument.fileName] { coverage[name] = earlier.read(name) }
    }
    // Prepared before the document says that the integration is finished: if this process is killed, the next one only
    // has to rename it. If the disk has no room for the report, there is no finished integration.
    let prepared = try prepare(try report(), document, coverage)
    let result = ResultFolder(home: home, bot: integration.bot, number: integration.number, document: document)
    do throws(IntegratingError) {
      for (name, bytes) in coverage { try kept.write(bytes, to: name) }
      try result.finish()
    } catch {
      // Without the document, the report only takes space; the first error is the one to report.
      if case .success(let aside) = prepared, !kept.holds(StoredIntegration.fileName) { try? aside.remove() }
      throw error
    }
    var finished = FinishedIntegration(integration: integration, document: document, report: result.report)
    switch prepared {
    case .success(let aside): try result.put(report: aside)
    case .failure(let error): finished.failure = error
    }
    return finished
  }

  /// Renders the pages into a folder aside, which is complete once it contains the summary document.
  ///
  /// - Returns: the folder, or why the pages cannot be made.
  /// - Throws: if the folder cannot be written to.
  private func prepare(
    _ report: Report, _ document: [UInt8], _ coverage: [String: [UInt8]]
  ) throws(IntegratingError) -> Result<Folder, any Error> {
    let site = try home.site(of: report.integration.bot).create()
    LeftReports(home: home, bot: report.integration.bot).removeUseless()
    let aside = site.folder(".\(report.integration.number).\(getpid()).new")
    do {
      try aside.remove()
      try aside.create()
      let renderer = ReportRenderer(templates: templates.library, assets: templates.assets, time: time)
      try write(renderer.parts(of: report), of: report.integration.bot, to: aside)
      try copyAttachments(of: report.integration, into: aside)
      for (name, bytes) in coverage { try aside.create(name, bytes) }
      try aside.create(StoredIntegration.fileName, document)
    } catch {
      try? aside.remove()  // An incomplete report is of no use; the first error is the one to report.
      if let error = error as? IntegratingError { throw error }
      return .failure(error)
    }
    return .success(aside)
  }

  /// Returns the number of the latest report with source pages: a failed build has none, but the one before it may.
  private func lastWithSources(of bot: String) -> Int? {
    let numbers = home.site(of: bot).numbers.sorted(by: >)
    return numbers.prefix(50).first { home.report($0, of: bot).holds("coverage") } ?? numbers.first
  }

  /// Writes the pages, and keeps what they were made from for the next report.
  private func write(_ parts: [ReportPart], of bot: String, to aside: Folder) throws {
    let number = lastWithSources(of: bot)
    let earlier = number.map { home.report($0, of: bot) }
    guard mask.isEmpty else {
      // Keys are made from texts that still contain the secrets, and would change with them.
      try ReportWriter(to: aside, sharing: earlier, mask: mask).write(parts)
      return
    }
    let known = number.flatMap { home.integration($0, of: bot).read(PageKeys.fileName) }.flatMap {
      PageKeys($0)
    }
    let fresh = PageKeys(seed: known?.seed ?? .random, program: PageKeys.runningProgram)
    let keys = try ReportWriter(to: aside, sharing: earlier, keys: known).write(parts, keys: fresh)
    if let keys { try kept.create(PageKeys.fileName, keys.bytes) }
  }
}

extension Publisher {
  /// Copies the attachments beside the pages that link to them.
  func copyAttachments(of integration: Integration, into report: Folder) throws(IntegratingError) {
    let cells = integration.cells.flatMap { cell in
      cell.attachmentPaths.map { "\(cell.cellPath)/\($0)" }
    }
    for path in integration.attachmentPaths + cells {
      guard let bytes = kept.read(path) else { continue }
      try report.createFolder(of: path)
      try report.create(path, bytes)
    }
  }
}

extension Integration {
  /// The paths of its tests' attachments in the folder of its kept files.
  fileprivate var attachmentPaths: [String] { tests.results.flatMap(\.attachments).compactMap(\.path) }
}

/// A writer of a report's files into a new folder, on several threads.
///
/// A file that an earlier report has with the same bytes is not written again: both folders refer to the same file on
/// disk (a hard link), so that many integrations of a package take little more space than one. Nobody writes into a
/// published report, and the disk keeps the bytes until the last report that refers to them is removed.
///
/// With keys, a page that would be the same is not even made.
package struct ReportWriter: Sendable {
  private let folder: Folder
  private let earlier: Folder?
  /// What the pages of the earlier report were made from.
  private let known: PageKeys?
  private let mask: SecretMask
  private let workers: WorkerThreads

  /// - Parameters:
  ///   - folder: an existing folder without any files of the report.
  ///   - earlier: a published report to share files with.
  ///   - keys: the keys of the earlier report; without them, every page is made and compared.
  ///   - mask: removes secrets from everything that is written.
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

  /// Makes and writes the parts, each once; of several failures, throws that of the first part.
  ///
  /// - Parameter fresh: receives the keys of the pages; nil if none are wanted.
  /// - Returns: the keys of everything that has one.
  @discardableResult
  package func write(_ parts: [ReportPart], keys fresh: PageKeys? = nil) throws -> PageKeys? {
    let folders = KnownFolders()
    let collection = fresh.map(PageKeyCollection.init)
    let hash = fresh?.hash
    // Keys are only comparable with the same seed, and do not apply to what another program made.
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

  /// Adds hard links to the files of the earlier report; returns false if that is not possible for all of them.
  private func share(_ entry: PageKeys.Entry, of part: ReportPart, _ folders: KnownFolders) throws -> Bool {
    guard let earlier, part.paths.count == entry.sizes.count, part.paths.allSatisfy({ entry.sizes[$0] != nil }),
      entry.fits(earlier)
    else { return false }
    for path in part.paths {
      try createFolder(of: path, folders)
      guard folder.share(path, of: earlier) else {
        // What is written now must not be written into the files of the earlier report.
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

/// The folders that have been made, by path in the report.
private final class KnownFolders: Sendable {
  let all = Mutex<Set<String>>([])
}
