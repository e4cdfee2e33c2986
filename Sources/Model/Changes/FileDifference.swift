/// The differences in one file, according to a diff.
package struct FileDifference: Hashable, Sendable {
  /// What became of the file.
  package enum Status: String, Codable, Sendable {
    case added, deleted, modified, renamed
  }

  /// Why it is unknown how the lines of a file moved.
  package enum Obstacle: String, CaseIterable, Sendable {
    /// The file is very long, in conflict, or a link.
    case content
    /// The file belongs to a submodule that was added, moved or removed.
    case submodule
    /// The path leads through links that changed, or that lead nowhere.
    case links
    /// So many files were added and removed at once that renames were not detected.
    case renames
  }

  package var status: Status
  /// Nil for a file that is new.
  package var oldPath: String?
  /// Nil for a file that is gone.
  package var newPath: String?
  /// Nil if the two cannot be compared line by line, or if the lines were not requested.
  package var lines: LineMap?
  /// Set if there is a more specific reason for missing lines, or for the difference being unreliable.
  private var cause: Obstacle?

  package init(status: Status, oldPath: String?, newPath: String?, lines: LineMap?, obstacle: Obstacle? = nil) {
    self.status = status
    self.oldPath = oldPath
    self.newPath = newPath
    self.lines = lines
    cause = obstacle
  }

  /// Why the lines cannot be followed; nil if they can. A deleted file has no lines to follow.
  package var obstacle: Obstacle? { cause ?? (lines == nil && status != .deleted ? .content : nil) }
}

extension FileDifference.Obstacle {
  /// The reason as the end of a sentence.
  package var words: String {
    switch self {
    case .content: "the diff does not say how the lines moved"
    case .submodule: "a submodule came, moved or went"
    case .links: "links on the way to it changed, or lead nowhere"
    case .renames: "too many files came and went at once to look for renamed ones"
    }
  }
}

/// The differences in all files, according to a diff; files that it does not contain are the same on both sides.
package struct SourceDifference: Hashable, Sendable {
  package let files: [FileDifference]
  private let byNewPath: [String: Int]
  private let byOldPath: [String: Int]
  /// The earlier and current folders of submodules that were added, moved or removed; how files in them changed is
  /// unknown.
  private let opaque: Set<String>

  package init(_ files: [FileDifference]) {
    self.files = files
    byNewPath = Self.index(files, by: \.newPath)
    byOldPath = Self.index(files, by: \.oldPath)
    let submodules = files.filter { $0.obstacle == .submodule }
    opaque = Set(submodules.flatMap { [$0.oldPath, $0.newPath].compactMap(\.self) })
  }

  private static func index(_ files: [FileDifference], by path: KeyPath<FileDifference, String?>) -> [String: Int] {
    Dictionary(
      files.enumerated().compactMap { index, file in file[keyPath: path].map { ($0, index) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the difference of the file that is at this path now, or nil if it did not change.
  package func file(at newPath: String) -> FileDifference? { byNewPath[newPath].map { files[$0] } }

  /// Returns the difference of the file that was at this path, or nil if it did not change.
  package func file(from oldPath: String) -> FileDifference? { byOldPath[oldPath].map { files[$0] } }

  /// Returns whether a path is in a submodule that was added, moved or removed.
  package func isOpaque(_ path: String) -> Bool {
    guard !opaque.isEmpty else { return false }
    return path.indices.contains { path[$0] == "/" && opaque.contains(String(path[..<$0])) }
  }

  /// Returns why the lines of the file that is at this path now cannot be followed, or nil if they can.
  package func obstacle(at newPath: String) -> FileDifference.Obstacle? {
    isOpaque(newPath) ? .submodule : file(at: newPath)?.obstacle
  }

  /// Returns why the lines of the file that was at this path cannot be followed, or nil if they can.
  package func obstacle(from oldPath: String) -> FileDifference.Obstacle? {
    isOpaque(oldPath) ? .submodule : file(from: oldPath)?.obstacle
  }

  /// Returns the part beneath a folder, with paths relative to it.
  ///
  /// In the result, a file that moved in from outside is new with all its lines, and one that moved out is gone.
  /// - Parameter others: the paths outside the folder that belong to the part nevertheless, relative to the same root
  ///   as the paths here; in the result they begin with `../`.
  package func beneath(_ folder: String, and others: Set<String> = []) -> SourceDifference {
    guard folder != ".", !folder.isEmpty else { return self }
    let place = PackagePlace(folder)
    // A submodule is listed by its folder.
    let wanted = others.union(
      others.flatMap { path in path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) } })
    func inside(_ path: String?) -> String? {
      guard let path, path.hasPrefix("\(folder)/") || wanted.contains(path) else { return nil }
      return place.fromPackage(path)
    }
    return SourceDifference(
      files.compactMap { file in
        let (old, new) = (inside(file.oldPath), inside(file.newPath))
        if old == nil, new == nil { return nil }
        var moved = file
        (moved.oldPath, moved.newPath) = (old, new)
        if new == nil {
          moved.status = .deleted
        } else if old == nil, file.oldPath != nil {
          moved.status = .added
          moved.lines = file.lines == nil ? nil : .allNew
        }
        return moved
      })
  }
}
