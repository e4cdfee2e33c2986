/// What a diff says about one file.
package struct FileDifference: Hashable, Sendable {
  /// What became of the file.
  package enum Status: String, Codable, Sendable {
    case added, deleted, modified, renamed
  }

  /// Why nobody can say how the lines of a file moved.
  package enum Obstacle: String, CaseIterable, Sendable {
    /// It is very long, in conflict, or a link.
    case content
    /// It belongs to a submodule that came, moved or went.
    case submodule
    /// It is reached through links that changed, or that lead nowhere.
    case links
    /// So many files came and went at once that renamed ones were not looked for.
    case renames
  }

  package var status: Status
  /// Nil for a file that is new.
  package var oldPath: String?
  /// Nil for a file that is gone.
  package var newPath: String?
  /// Nil when the two cannot be compared line by line, and when nobody asked for the lines.
  package var lines: LineMap?
  /// Set where more is known of why there are no lines, or of why what is said may be wrong.
  private var cause: Obstacle?

  package init(status: Status, oldPath: String?, newPath: String?, lines: LineMap?, obstacle: Obstacle? = nil) {
    self.status = status
    self.oldPath = oldPath
    self.newPath = newPath
    self.lines = lines
    cause = obstacle
  }

  /// Why the lines cannot be followed; nil when they can. Of a deleted file there are none to follow.
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

/// What a diff says about all files: those that are not in it are the same on both sides.
package struct SourceDifference: Hashable, Sendable {
  package let files: [FileDifference]
  private let byNewPath: [String: Int]
  private let byOldPath: [String: Int]
  /// The folders of submodules that came, moved or went, then and now; how the files in them changed is not known.
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

  /// What is said about the file that is at this path now; nil when it did not change.
  package func file(at newPath: String) -> FileDifference? { byNewPath[newPath].map { files[$0] } }

  /// What is said about the file that was at this path; nil when it did not change.
  package func file(from oldPath: String) -> FileDifference? { byOldPath[oldPath].map { files[$0] } }

  /// Whether a path lies in a submodule that came, moved or went.
  package func isOpaque(_ path: String) -> Bool {
    guard !opaque.isEmpty else { return false }
    return path.indices.contains { path[$0] == "/" && opaque.contains(String(path[..<$0])) }
  }

  /// Why the lines of the file that is at this path now cannot be followed; nil when they can.
  package func obstacle(at newPath: String) -> FileDifference.Obstacle? {
    isOpaque(newPath) ? .submodule : file(at: newPath)?.obstacle
  }

  /// Why the lines of the file that was at this path cannot be followed; nil when they can.
  package func obstacle(from oldPath: String) -> FileDifference.Obstacle? {
    isOpaque(oldPath) ? .submodule : file(from: oldPath)?.obstacle
  }

  /// The part beneath a folder, with paths relative to it.
  ///
  /// A file that came from outside is new there with all its lines, and one that went outside is gone.
  /// - Parameter others: the paths outside of the folder that belong to the part nevertheless, as they are here; in the
  ///   part they begin with `../`.
  package func beneath(_ folder: String, and others: Set<String> = []) -> SourceDifference {
    guard folder != ".", !folder.isEmpty else { return self }
    let place = PackagePlace(folder)
    // A submodule is told by its folder.
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
