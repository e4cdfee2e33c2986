/// The files that tests wrote beside the sources, which were gone when the tests were over.
package struct WrittenFiles: Hashable, Sendable, Codable {
  /// One file.
  package struct File: Hashable, Sendable, Codable {
    /// What was done to a file.
    package enum Deed: String, Hashable, Sendable, Codable {
      case added, changed, removed
    }

    /// Its path in the repository.
    package var path: String
    package var deed: Deed

    package init(path: String, deed: Deed) {
      self.path = path
      self.deed = deed
    }
  }

  /// How many are told by name.
  private static let most = 50

  /// The first of them, by path.
  package let files: [File]
  /// How many others there are; absent where there are none.
  package let others: Int?
  /// Whether there were so many that not all were looked at; absent where all were.
  package let isCut: Bool?

  /// Nil where there are none.
  package init?(_ files: [File], isCut: Bool) {
    guard !files.isEmpty else { return nil }
    self.files = Array(files.sorted { $0.path < $1.path }.prefix(Self.most))
    others = files.count > Self.most ? files.count - Self.most : nil
    self.isCut = isCut ? true : nil
  }

  /// All that were seen.
  package var count: Int { files.count + (others ?? 0) }
}
