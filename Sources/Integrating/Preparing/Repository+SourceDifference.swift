import Git
import Model

enum ComparedFiles {
  case commit(CommitID)
  /// Files into which uncommitted changes were checked out.
  case workspace(Workspace)
}

extension Repository {
  /// Returns how files of a package changed since a commit, with paths relative to the package.
  ///
  /// A source that is reached through a link changes when the linked file does.
  /// - Parameters:
  ///   - base: the commit; nil for nothing, so that every file is new.
  ///   - paths: the files whose lines are worth following, then and now, relative to the package; those outside it
  ///     begin with `../`.
  func difference(
    from base: CommitID?, to files: ComparedFiles, of paths: Set<String>, beneath package: String
  ) throws(GitError) -> SourceDifference {
    let place = PackagePlace(package)
    let known = Set(paths.lazy.filter { !$0.hasPrefix("/") }.map(place.inRepository))
    var then: [String: TreePlace] = [:]
    if let base { then = try places(of: known, in: base) }
    let now: [String: TreePlace]
    switch files {
    case .commit(let commit): now = try places(of: known, in: commit)
    case .workspace(let workspace): now = try Self.places(of: known, inFilesOf: workspace)
    }
    let wanted = Set(known).union(then.values.compactMap(\.path)).union(now.values.compactMap(\.path))
    let suffixes = SourceDifference.suffixes(of: wanted)
    var difference =
      switch files {
      case .commit(let commit): try self.difference(from: base, to: commit, among: suffixes) { wanted.contains($0) }
      case .workspace(let workspace):
        try self.difference(from: base, toFilesIn: workspace, among: suffixes) { wanted.contains($0) }
      }
    if base == nil { difference = difference.sinceNothing(wanted) }
    return difference.following(known, from: then, to: now).beneath(
      package, and: Set(known.lazy.filter { place.fromPackage($0).hasPrefix("../") }))
  }
}

extension TreePlace {
  fileprivate var path: String? {
    if case .file(let path) = self { path } else { nil }
  }
}
