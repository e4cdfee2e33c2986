/// A release product archived by an integration.
package struct ArchivedFile: Hashable, Sendable, Codable {
  /// The path relative to the integration's `archive` folder.
  package var path: String
  package var bytes: Int
  /// The SHA-256 digest in hexadecimal.
  package var sha256: String
  /// The kind of product; absent in older documents.
  package var kind: Kind?

  /// The kind of a release product.
  package enum Kind: String, Hashable, Sendable, Codable {
    case executable
    case dynamicLibrary = "dynamic-library"
    case staticLibrary = "static-library"
    /// A file among a target's resources.
    case resource
  }

  package init(path: String, bytes: Int, sha256: String, kind: Kind? = nil) {
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.kind = kind
  }
}
