/// What a diff says about one file.
package struct FileDifference: Hashable, Sendable {
  /// What became of the file.
  package enum Status: String, Codable, Sendable {
    case added, deleted, modified, renamed
  }

  package var status: Status
  /// Nil for a file that is new.
  package var oldPath: String?
  /// Nil for a file that is gone.
  package var newPath: String?
  /// Nil when the two cannot be compared line by line: a binary file, a very long one, a link, a submodule.
  package var lines: LineMap?

  package init(status: Status, oldPath: String?, newPath: String?, lines: LineMap?) {
    self.status = status
    self.oldPath = oldPath
    self.newPath = newPath
    self.lines = lines
  }
}

/// What a diff says about all files: those that are not in it are the same on both sides.
package struct SourceDifference: Hashable, Sendable {
  package let files: [FileDifference]
  private let byNewPath: [String: Int]
  private let byOldPath: [String: Int]
  /// Folders whose files cannot be compared because they belong to submodules that moved.
  private let opaque: [String]

  package init(_ files: [FileDifference]) {
    self.files = files
    byNewPath = Self.index(files, by: \.newPath)
    byOldPath = Self.index(files, by: \.oldPath)
    opaque = files.filter { $0.lines == nil }.compactMap { $0.newPath ?? $0.oldPath }
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

  /// Whether a path lies in something that cannot be compared line by line.
  package func isOpaque(_ path: String) -> Bool { opaque.contains { path.hasPrefix("\($0)/") } }

  /// The part beneath a folder, with paths relative to it; what came from outside counts as new, and the reverse.
  package func beneath(_ folder: String) -> SourceDifference {
    guard folder != ".", !folder.isEmpty else { return self }
    func inside(_ path: String?) -> String? {
      guard let path, path.hasPrefix("\(folder)/") else { return nil }
      return String(path.dropFirst(folder.count + 1))
    }
    return SourceDifference(
      files.compactMap { file in
        let (old, new) = (inside(file.oldPath), inside(file.newPath))
        if old == nil, new == nil { return nil }
        if new == nil { return FileDifference(status: .deleted, oldPath: old, newPath: nil, lines: file.lines) }
        return FileDifference(
          status: file.status, oldPath: old ?? file.oldPath.map { "/\($0)" }, newPath: new, lines: file.lines)
      })
  }
}
