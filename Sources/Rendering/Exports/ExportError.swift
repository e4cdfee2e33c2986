/// The reason why an integration cannot be written in a format.
package struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed, on what, why, and what to do next.
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}
