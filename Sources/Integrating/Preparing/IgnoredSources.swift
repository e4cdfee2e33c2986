import Model

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
