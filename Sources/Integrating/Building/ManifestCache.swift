import Model

/// What SwiftPM found out about manifests, kept for exactly the texts, versions, settings and toolchain that it was found
/// out with.
///
/// SwiftPM's own cache can be written by whatever runs beside it: a plugin of one commit could change what the manifest of
/// another says. So each run of SwiftPM gets a cache of its own, with a copy of this in it, and only what was run with
/// nothing but manifests is kept: whoever could write to that has the same manifests.
struct ManifestCache: Sendable {
  /// The name of the file in Martlet's memory.
  private static let fileName = "manifests"
  /// Where SwiftPM has it in the folder of its caches.
  private static let folderName = "manifests"
  private static let databaseName = "manifest.db"
  /// The bytes that a cache has at most; one of a hundred manifests has a million.
  private static let mostBytes = 64 << 20

  /// What must be equal.
  private let key: [UInt8]
  private let memory: Folder

  /// - Parameters:
  ///   - contents: all that a manifest's meaning depends on, as texts.
  ///   - memory: where Martlet remembers things about the scratch folder.
  init(for contents: [String], in memory: Folder) {
    key = Array("\(SHA256.digest(of: contents))\n".utf8)
    self.memory = memory
  }

  /// Makes the folder of a run's caches anew, with what is known.
  func lend(to caches: Folder) throws(IntegratingError) {
    try caches.takeAway()
    try caches.create()
    guard let kept = memory.read(Self.fileName), kept.starts(with: key) else { return }
    try caches.folder(Self.folderName).create().create(Self.databaseName, Array(kept.dropFirst(key.count)))
  }

  /// Keeps what a run has found out in which nothing ran but manifests.
  func keep(from caches: Folder) {
    let name = "\(Self.folderName)/\(Self.databaseName)"
    guard caches.size(of: name) <= Self.mostBytes, let found = caches.read(name) else { return }
    guard memory.read(Self.fileName) != key + found else { return }
    // Without it manifests are asked once more.
    try? memory.create().write(key + found, to: Self.fileName)
  }
}

extension IntegrationRun {
  /// What is known about the manifests as they are now, with the versions that are pinned now.
  var manifestCache: ManifestCache {
    let pinned = String(decoding: packageFolder.read("Package.resolved") ?? [], as: UTF8.self)
    let contents = [toolchain.name, toolchain.programs, pinned] + manifests.contents
    return ManifestCache(for: contents + resolvingArguments + manifestEnvironment, in: memory)
  }

  /// The folder of SwiftPM's caches in runs of one purpose; nil where the package's code can reach the user's anyway.
  func caches(for purpose: Purpose) -> Folder? {
    guard case .contained = containment else { return nil }
    return context.claimed.workspace.caches.folder(purpose.rawValue)
  }

  /// What tells SwiftPM where its caches are. None outlives a run, so that fetched repositories need not be copied to it.
  func cacheArguments(for purpose: Purpose) -> [String] {
    caches(for: purpose).map { ["--cache-path", $0.path, "--disable-dependency-cache"] } ?? []
  }

  /// Makes the caches of a run anew.
  func openCaches(for purpose: Purpose) throws(IntegrationStop) {
    guard let caches = caches(for: purpose) else { return }
    do {
      try manifestCache.lend(to: caches)
    } catch {
      throw IntegrationStop(error)
    }
  }
}
