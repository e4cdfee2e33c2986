/// Something beside the commit that an integration depends on: the system it ran on, a setting, a variable, the version
/// of a dependency.
package struct Circumstance: Hashable, Sendable, Codable {
  /// What the names of dependencies begin with.
  static let dependency = "dependency "

  /// The bot file's key where there is one, such as `tests.retries`; else a word or two.
  package var name: String
  package var value: String
  /// True where the commit itself decides it, as the version of a dependency that its `Package.resolved` pins; else nil.
  package var committed: Bool?

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether it is the version of a dependency.
  package var isDependency: Bool { name.hasPrefix(Self.dependency) }
}
