/// A file in a commit.
package struct TreeEntry: Hashable, Sendable {
  /// The kind of file.
  package enum Kind: String, Sendable {
    case file, executable, symlink, submodule
  }

  /// The path from the root of the repository.
  package let path: String
  package let kind: Kind
  /// The object name of the content: of a blob, or of a submodule's commit.
  package let id: String
}
