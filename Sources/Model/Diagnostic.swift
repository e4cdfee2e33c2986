/// A message of the compiler, the linker or the package manager.
package struct Diagnostic: Hashable, Sendable, Codable {
  /// The severity of a diagnostic.
  package enum Severity: String, Codable, Sendable {
    case error, warning, note, remark
  }

  package var severity: Severity
  package var message: String
  /// The place of the message; absent for messages of the linker and the package manager.
  package var location: SourceLocation?
  /// The compiler's group, such as `DeprecatedDeclaration`.
  package var category: String?
  /// The notes that belong to this message, in the compiler's order.
  package var notes: [Diagnostic]
  /// Whether the message came from the linker.
  package var isLinker: Bool
  /// Whether it is that the compiler itself crashed; nil if not.
  package var isCompilerCrash: Bool?

  package init(
    severity: Severity, message: String, location: SourceLocation? = nil, category: String? = nil,
    notes: [Diagnostic] = [], isLinker: Bool = false
  ) {
    self.severity = severity
    self.message = message
    self.location = location
    self.category = category
    self.notes = notes
    self.isLinker = isLinker
  }
}
