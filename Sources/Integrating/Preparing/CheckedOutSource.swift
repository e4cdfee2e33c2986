import FoundationEssentials
import Git
import Glibc
import Model
import Parsing
import Processes

struct CheckedOutSource {
  /// The uncommitted changes that were integrated; nil if only the commit was.
  var workingTree: WorkingTreeChanges?
  /// The text of sources for which the commit has no blobs, by path in the repository.
  var submoduleSources: [String: [UInt8]] = [:]
  /// The versions that the `Package.resolved` of the checkout pins; nil if it brought none.
  var pins: PackagePins?
}

extension IntegrationRun {
  /// Brings the workspace to the commit and settles the request, which determines what it is compared with.
  func prepare(_ cell: inout Cell) throws(IntegrationStop) {
    defer { cell.reference = cell.run.readBaseline() }
    try claimScratch()
    try checkOut(&cell)
    cell.circumstances = cell.run.circumstances
  }

  /// Checks the commit out, and applies the package's own settings.
  func checkOut(_ cell: inout Cell) throws(IntegrationStop) {
    let source = try checkOut()
    func settle(_ request: IntegrationRequest, _ target: Target) {
      cell.run = IntegrationRun(context, request: request, target: target, source: source)
    }
    settle(request, target)
    guard let settings = try packageSettings() else { return }
    let (settled, origins) = request.applying(try read(settings))
    cell.settings = origins
    settle(settled, target)
    var selected = target
    do {
      selected.selection = try TestSelection(filter: settled.tests.filter, skip: settled.tests.skip)
    } catch {
      throw refusal([Self.diagnostic("\(error)", at: nil)])
    }
    settle(settled, selected)
  }

  /// Brings the workspace to the commit, and restores the versions that were resolved here before.
  private func checkOut() throws(IntegrationStop) -> CheckedOutSource {
    try step(.checkout) { (_) throws(IntegrationStop) in
      if let absence = target.absence { throw absence }
      try reopen(claimed.workspace.source)
      var source = CheckedOutSource()
      try stopping(as: .checkoutError) {
        if target.includesWorkingTree {
          source.workingTree = try claimed.repository.checkOutWorkingTree(
            into: claimed.workspace.checkout, submodulesFrom: request.submodules.allow
          ).changes
        } else {
          let summary = try claimed.repository.checkOut(
            target.commit, into: claimed.workspace.checkout, submodulesFrom: request.submodules.allow)
          source.submoduleSources = sources(beneath: summary.submodules)
        }
      }
      removeIgnoredSources(besides: source.workingTree)
      try stopping { try prepareForSandbox() }
      if try bringsPins(with: source.workingTree) {
        source.pins = pinsNow
      } else {
        UnpinnedVersions(package: packageFolder).restore(from: memory)
      }
      try requireManifest()
      return source
    }
  }

  /// Removes the sources that git ignores and that an earlier integration left where SwiftPM would compile them: scripts
  /// make them anew. What runs in the sandbox leaves nothing.
  private func removeIgnoredSources(besides changes: WorkingTreeChanges?) {
    guard !request.scripts.before.isEmpty || containment.bubblewrap == nil,
      // What is wrong with the commit is told where it is read for itself.
      let entries = try? claimed.repository.entries(of: target.commit)
    else { return }
    let source = claimed.workspace.source
    let kept = IgnoredSources(
      beside: Set(entries.map(\.path) + (changes?.modified ?? []) + (changes?.added ?? [])),
      submodules: entries.filter { $0.kind == .submodule }.map(\.path))
    let folder = UntrustedFolder(source.path)
    for path in kept.found(in: source) { folder.remove(path) }
  }

  /// Makes a folder, or lets Martlet into one that code of an earlier commit may have shut.
  func reopen(_ folder: Folder) throws(IntegrationStop) {
    try stopping { try folder.reopen() }
  }

  /// Returns the Swift sources of submodules, by path in the repository: the commit has no blobs of them, so they are
  /// read before anything else can write to the workspace.
  private func sources(beneath submodules: [String]) -> [String: [UInt8]] {
    var sources: [String: [UInt8]] = [:]
    for submodule in submodules {
      // A folder that cannot be listed counts as empty.
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: claimed.workspace.source.file(submodule))) ?? []
      for name in names where name.hasSuffix(".swift") {
        sources["\(submodule)/\(name)"] = claimed.workspace.source.read("\(submodule)/\(name)")
      }
    }
    return sources
  }

  var packageFolder: Folder {
    target.package == "." ? claimed.workspace.source : claimed.workspace.source.folder(target.package)
  }

  /// Throws if there is no manifest: uncommitted changes may have removed that of the commit.
  private func requireManifest() throws(IntegrationStop) {
    guard packageFolder.read("Package.swift") == nil else { return }
    let place = target.package == "." ? "the work tree" : target.package
    throw IntegrationStop(
      outcome: .checkoutError, reason: .packageMissing("Package.swift in \(place)"),
      hint: "Martlet integrates Swift packages only.")
  }

  private func bringsPins(with changes: WorkingTreeChanges?) throws(IntegrationStop) -> Bool {
    try stopping(as: .checkoutError) {
      try claimed.repository.brings(
        PackagePlace(target.package).inRepository("Package.resolved"), of: target.commit, with: changes)
    }
  }

  /// Remembers which versions were used, for the next checkout.
  ///
  /// - Parameter areResolved: whether the file has what was resolved, and not what was there before.
  func rememberResolvedVersions(areResolved: Bool) {
    let resolved = packageFolder.read("Package.resolved")
    if areResolved { rememberPins(resolved) }
    guard let resolved else { return }
    try? memory.write(resolved, to: "Package.resolved")  // A failure costs the next build a resolution.
  }
}

extension IntegrationRun {
  /// The package's folder among the commit's files that were put aside.
  var releasePackage: Folder {
    target.package == "." ? claimed.workspace.release : claimed.workspace.release.folder(target.package)
  }

  /// Runs the scripts before the integration, and puts the commit's files aside, with the changes that these made, if
  /// anything after the tests will need them.
  func prepareSources(_ state: inout IntegrationState) throws(IntegrationStop) {
    let isNeeded = request.actions.contains(.archive) || request.scripts.after.contains(where: \.isScript)
    let before = isNeeded && !request.scripts.before.isEmpty ? snapshot() : nil
    try runBeforeTriggers(&state)
    let pointers = try stopping(as: .checkoutError) {
      try PointerFiles.paths(in: claimed.workspace.checkout, of: claimed.repository)
    }
    if !pointers.isEmpty { journal.warn(.pointerFiles(pointers)) }
    if manifests.readGitInformation { journal.warn(.noGitInformation) }
    guard isNeeded else { return }
    try putAside(with: before.map { snapshot().changes(since: $0) } ?? [])
  }

  /// Checks the commit out once more, into a folder that nothing of the package writes to except what releases it.
  ///
  /// - Parameter prepared: the files that scripts changed, added or removed before the build.
  @discardableResult
  func putAside(with prepared: [String] = []) throws(IntegrationStop) -> Folder {
    let folder = claimed.workspace.release
    guard !context.isPutAside else { return folder }
    let place = claimed.workspace.releaseCheckout
    try reopen(folder)
    try stopping(as: .checkoutError) {
      if target.includesWorkingTree {
        _ = try claimed.repository.checkOutWorkingTree(into: place)
      } else {
        _ = try claimed.repository.checkOut(target.commit, into: place)
      }
      try place.bring(prepared, from: claimed.workspace.checkout)
    }
    context.isPutAside = true
    return folder
  }
}

/// The sources in a checkout that belong to no commit, in folders of sources.
///
/// SwiftPM compiles every source beneath the folder of a target, whether git ignores it or not.
struct IgnoredSources {
  private let tracked: Set<String>
  /// Each with a slash at its end.
  private let submodules: [String]
  /// The outermost folders with a source of the commit, apart from the repository's own.
  let folders: [String]

  /// - Parameters:
  ///   - tracked: the files that belong to the checkout, by their paths in the repository.
  ///   - submodules: the folders whose files are another repository's.
  init(beside tracked: Set<String>, submodules: [String] = []) {
    self.tracked = tracked
    self.submodules = submodules.map { "\($0)/" }
    let all = Set(
      tracked.filter(SourceSuffix.isSource).compactMap { path in
        path.lastIndex(of: "/").map { String(path[..<$0]) }
      })
    folders = all.filter { folder in
      !folder.indices.contains { folder[$0] == "/" && all.contains(String(folder[..<$0])) }
    }.sorted()
  }

  /// Whether a file is a source that does not belong to the checkout; SwiftPM does not look into hidden folders.
  func isLeft(_ path: String) -> Bool {
    SourceSuffix.isSource(path) && !tracked.contains(path) && !submodules.contains(where: path.hasPrefix)
      && !path.hasPrefix(".") && !path.contains("/.")
  }

  /// Returns the paths of those in a checkout.
  func found(in checkout: Folder) -> [String] {
    folders.flatMap { folder in checkout.folder(folder).filesBeneath().map { "\(folder)/\($0)" }.filter(isLeft) }
  }
}

/// The files of a checkout that Git LFS keeps elsewhere, where only what points to them was checked out.
///
/// https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
struct PointerFiles {
  private static let beginning = Array("version https://git-lfs.github.com/spec/v1\n".utf8)
  /// Files of this size or larger are none.
  private static let limit = 1024

  /// - Returns: their sorted paths; empty where no attributes mention Git LFS, for which no other file is looked at.
  static func paths(in checkout: Workspace, of repository: borrowing Repository) throws(GitError) -> [String] {
    let folder = Folder(checkout.folder)
    let files = folder.filesBeneath()
    let attributes = files.filter { $0 == ".gitattributes" || $0.hasSuffix("/.gitattributes") }
    let areUsed = attributes.contains { name in
      folder.text(of: name)?.contains("filter=lfs") == true
    }
    guard areUsed else { return [] }
    let alike = files.filter { path in
      folder.size(of: path) < limit && folder.piece(of: path, bytes: beginning.count) == beginning
    }
    return try repository.paths(alike, filteredBy: "lfs", in: checkout)
  }
}

/// The versions that SwiftPM chose for the dependencies of a package whose commit does not pin them.
struct UnpinnedVersions {
  private static let name = "Package.resolved"

  let package: Folder

  /// Leaves the versions of the last build to the next one, as a work tree would have them.
  ///
  /// - Parameter memory: one without versions has them chosen anew, even if the checkout kept an ignored file.
  func restore(from memory: Folder) {
    let left = package.read(Self.name)
    let remembered = memory.read(Self.name)
    // SwiftPM plans a build again if the file is replaced by an equal one.
    guard left != remembered else { return }
    if let remembered {
      try? package.write(remembered, to: Self.name)  // Without it, SwiftPM resolves again.
    } else {
      unlink(package.file(Self.name))
    }
  }
}

extension Repository {
  /// Returns whether a checkout brings a file, rather than keeping one that is ignored.
  ///
  /// - Parameter changes: the uncommitted changes that are checked out, too.
  func brings(_ path: String, of commit: CommitID, with changes: WorkingTreeChanges?) throws(GitError) -> Bool {
    if let changes {
      if changes.added.contains(path) { return true }
      if changes.deleted.contains(path) { return false }
    }
    return try contents(of: path, in: commit) != nil
  }
}
