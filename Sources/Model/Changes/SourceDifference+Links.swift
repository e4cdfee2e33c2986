/// Where a path leads in a file tree when the tree's links are followed.
package enum TreePlace: Hashable, Sendable {
  /// The path without links, which is often the path itself.
  case file(String)
  /// There is nothing at the path, although every link on the way leads somewhere.
  case nothing
  /// A link on the way leads nowhere, in a circle, or out of the repository.
  case astray
}

extension SourceDifference {
  /// Returns the name extensions that these files may have had before, or may have taken on.
  package static func suffixes(of paths: Set<String>) -> Set<String> {
    SourceSuffix.sources.union(paths.map { SourceSuffix.suffix(of: $0) ?? "" })
  }

  /// Returns the difference from nothing, in which the files of submodules are as new as all others.
  ///
  /// - Parameter paths: the files whose lines are worth following.
  package func sinceNothing(_ paths: Set<String>) -> SourceDifference {
    let inner = paths.filter(isOpaque).sorted()
    return SourceDifference(
      files.filter { $0.obstacle != .submodule }
        + inner.map { FileDifference(status: .added, oldPath: nil, newPath: $0, lines: .allNew) })
  }

  /// Returns the difference from the point of view of paths that lead through links.
  ///
  /// A diff mentions a linked file only by its own path, and treats a link as a file.
  /// - Parameters:
  ///   - paths: the paths by which files are known; the differences at other paths are kept.
  ///   - then: where the paths led before; a missing path led to nothing.
  ///   - now: where the paths lead now.
  package func following(
    _ paths: Set<String>, from then: [String: TreePlace], to now: [String: TreePlace]
  ) -> SourceDifference {
    var names: [String: [String]] = [:]
    for (path, place) in then.sorted(by: { $0.key < $1.key }) where paths.contains(path) {
      if case .file(let real) = place, real != path { names[real, default: []].append(path) }
    }
    let walk = LinkWalk(difference: self, names: names, then: then, now: now)
    var seen: Set<String> = []
    var found: [FileDifference] = []
    for path in paths.sorted() where walk.isLinked(path) {
      seen.insert(path)
      if let file = walk.difference(of: path) { found.append(file) }
    }
    guard !seen.isEmpty else { return self }
    let rest = files.filter { file in
      // The differences of links themselves, and of files whose history leads through one, are replaced.
      !(file.newPath.map(seen.contains) ?? file.oldPath.map(seen.contains) ?? false)
    }
    return SourceDifference(found + rest)
  }
}

/// Determines what became of files known by paths that contain links.
private struct LinkWalk {
  var difference: SourceDifference
  /// The linked paths by which a file was known, by the file's own path.
  var names: [String: [String]]
  var then: [String: TreePlace]
  var now: [String: TreePlace]

  /// Returns whether a path leads through links, or did before.
  func isLinked(_ path: String) -> Bool {
    let own: [TreePlace] = [.nothing, .file(path)]
    if !own.contains(place(then, path)) || !own.contains(place(now, path)) { return true }
    return difference.file(at: path)?.oldPath.map { names[$0] != nil } ?? false
  }

  private func place(_ places: [String: TreePlace], _ path: String) -> TreePlace { places[path] ?? .nothing }

  /// Returns what became of the file, or nil if it did not change.
  func difference(of path: String) -> FileDifference? {
    switch place(now, path) {
    case .astray: return unknown(path)
    case .nothing: return gone(path)
    case .file(let real):
      if difference.isOpaque(real) { return unknown(path, .submodule) }
      let change = difference.file(at: real)
      return came(path, from: change == nil ? real : change?.oldPath, change)
    }
  }

  private func came(_ path: String, from source: String?, _ change: FileDifference?) -> FileDifference? {
    let before = place(then, path)
    guard let source else {
      let isNew = before == .nothing
      return isNew
        ? FileDifference(
          status: .added, oldPath: nil, newPath: path, lines: change?.lines, obstacle: change?.obstacle)
        : unknown(path)
    }
    if before == .file(source) {
      guard let change else { return nil }
      return FileDifference(
        status: .modified, oldPath: path, newPath: path, lines: change.lines, obstacle: change.obstacle)
    }
    let name = (names[source] ?? []).first { place(now, $0) == .nothing }
    guard before == .nothing, let name else { return unknown(path) }
    return FileDifference(
      status: .renamed, oldPath: name, newPath: path, lines: change == nil ? .identity : change?.lines,
      obstacle: change?.obstacle)
  }

  /// Returns what became of a file whose path now leads to nothing.
  private func gone(_ path: String) -> FileDifference? {
    guard case .file(let real) = place(then, path), !difference.isOpaque(real) else {
      return FileDifference(status: .deleted, oldPath: path, newPath: nil, lines: nil, obstacle: .links)
    }
    // A renamed file is reported at its new path.
    guard let change = difference.file(from: real), change.status == .deleted || change.status == .renamed else {
      return FileDifference(status: .deleted, oldPath: path, newPath: nil, lines: nil, obstacle: .links)
    }
    return FileDifference(status: .deleted, oldPath: path, newPath: nil, lines: nil, obstacle: change.obstacle)
  }

  private func unknown(_ path: String, _ obstacle: FileDifference.Obstacle = .links) -> FileDifference {
    FileDifference(status: .modified, oldPath: path, newPath: path, lines: nil, obstacle: obstacle)
  }
}
