/// The files that tests wrote next to the sources, which were discarded at the end of the tests.
package struct WrittenFiles: Hashable, Sendable, Codable {
  /// One file.
  package struct File: Hashable, Sendable, Codable {
    /// What was done to a file.
    package enum Deed: String, Hashable, Sendable, Codable {
      case added, changed, removed
    }

    /// The path in the repository.
    package var path: String
    package var deed: Deed

    package init(path: String, deed: Deed) {
      self.path = path
      self.deed = deed
    }
  }

  /// The maximum number of files that are named.
  private static let most = 50

  /// The first files, sorted by path.
  package let files: [File]
  /// The number of other files; absent if there are none.
  package let others: Int?
  /// Whether there were too many files to examine them all; absent if all were examined.
  package let isCut: Bool?

  /// Nil if there are no files.
  package init?(_ files: [File], isCut: Bool) {
    guard !files.isEmpty else { return nil }
    self.files = Array(files.sorted { $0.path < $1.path }.prefix(Self.most))
    others = files.count > Self.most ? files.count - Self.most : nil
    self.isCut = isCut ? true : nil
  }

  /// The number of all files that were seen.
  package var count: Int { files.count + (others ?? 0) }
}
