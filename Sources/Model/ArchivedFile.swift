/// A release product kept from an integration.
package struct ArchivedFile: Hashable, Sendable, Codable {
  /// Relative to the integration's folder `archive`.
  package var path: String
  package var bytes: Int
  /// The SHA-256 sum in hexadecimal digits.
  package var sha256: String
  /// What the package makes it as; absent in older documents.
  package var kind: Kind?

  /// What a release product is.
  package enum Kind: String, Hashable, Sendable, Codable {
    case executable
    case dynamicLibrary = "dynamic-library"
    case staticLibrary = "static-library"
    /// A file of the resources of a target.
    case resource
  }

  package init(path: String, bytes: Int, sha256: String, kind: Kind? = nil) {
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.kind = kind
  }
}
