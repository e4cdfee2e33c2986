/// A release product kept from an integration.
package struct ArchivedFile: Hashable, Sendable, Codable {
  /// Relative to the integration's folder `archive`.
  package var path: String
  package var bytes: Int
  /// The SHA-256 sum in hexadecimal digits.
  package var sha256: String

  package init(path: String, bytes: Int, sha256: String) {
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
  }
}
