import Model

/// SwiftPM's results of evaluating manifests, kept for exactly the texts, versions, settings and toolchain that led to
/// them.
///
/// SwiftPM's own cache can be written by whatever runs beside it: a plugin of one commit could change what the manifest
/// of another says. So each run of SwiftPM gets a cache of its own with a copy of this one, and only the results of
/// runs that executed nothing but manifests are kept: anything that could write to those has the same manifests.
struct ManifestCache: Sendable {
  /// The name of the file in Martlet's memory.
  private static let fileName = "manifests"
  /// The name of its folder in the folder of SwiftPM's caches.
  private static let folderName = "manifests"
  private static let databaseName = "manifest.db"
  /// The maximum size of a cache in bytes; one of a hundred manifests has a million.
  private static let mostBytes = 64 << 20

  /// The values that must match.
  private let key: [UInt8]
  private let memory: Folder

  /// - Parameter contents: everything that the meaning of a manifest depends on, as text.
  init(for contents: [String], in memory: Folder) {
    key = Array("\(SHA256.digest(of: contents))\n".utf8)
    self.memory = memory
  }

  /// Recreates the folder of a run's caches, with the remembered results.
  func lend(to caches: Folder) throws(IntegratingError) {
    try caches.takeAway()
    try caches.create()
    guard let kept = memory.read(Self.fileName), kept.starts(with: key) else { return }
    try caches.folder(Self.folderName).create().create(Self.databaseName, Array(kept.dropFirst(key.count)))
  }

  /// Keeps the results of a run that executed nothing but manifests.
  func keep(from caches: Folder) {
    let name = "\(Self.folderName)/\(Self.databaseName)"
    guard caches.size(of: name) <= Self.mostBytes, let found = caches.read(name) else { return }
    guard memory.read(Self.fileName) != key + found else { return }
    // Without it, manifests are evaluated once more.
    try? memory.create().write(key + found, to: Self.fileName)
  }
}

extension IntegrationRun {
  /// The cache for the current manifests and the currently pinned versions.
  var manifestCache: ManifestCache {
    let pinned = packageFolder.text(of: "Package.resolved") ?? ""
    let contents = [toolchain.name, toolchain.stamp, pinned] + manifests.contents
    return ManifestCache(for: contents + resolvingArguments + manifestEnvironment, in: memory)
  }

  /// Returns SwiftPM's cache folder for runs of one purpose; nil if the package's code can reach the user's anyway.
  func caches(for purpose: Purpose) -> Folder? {
    guard case .contained = containment else { return nil }
    return claimed.workspace.caches(for: purpose, of: asked.buildName)
  }

  /// Returns the arguments that tell SwiftPM where its caches are. No cache outlives a run, so fetched repositories
  /// need not be copied to it. The user's cache knows nothing of the files that a manifest reads.
  func cacheArguments(for purpose: Purpose) -> [String] {
    if let caches = caches(for: purpose) { return ["--cache-path", caches.path, "--disable-dependency-cache"] }
    return manifests.mayReadFiles ? ["--manifest-cache", "none"] : []
  }

  /// Recreates the caches of a run.
  func openCaches(for purpose: Purpose) throws(IntegrationStop) {
    guard let caches = caches(for: purpose) else { return }
    try stopping { try manifestCache.lend(to: caches) }
  }
}
