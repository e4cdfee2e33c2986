/// A condition other than the commit that an integration depends on: the system it ran on, a setting, a variable, or
/// the version of a dependency.
package struct Circumstance: Hashable, Sendable, Codable {
  /// The prefix of the names of dependencies.
  static let dependency = "dependency "

  /// The name for the machine that carried the integration out, if it was not the one that keeps it.
  package static let machine = "machine"

  /// The name for the sanitizers with which it was built.
  package static let sanitizers = "sanitize"

  /// The bot file's key if there is one, such as `tests.retries`; otherwise a word or two.
  package var name: String
  package var value: String
  /// True if the commit itself determines the value, as for a dependency pinned in its `Package.resolved`; otherwise
  /// nil.
  package var committed: Bool?

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// The names of what the machine has and nobody chose.
  package static let (system, processors) = ("system", "processors")

  /// Whether this says where the integration was carried out, and not how.
  var isOfMachine: Bool { [Self.machine, Self.system, Self.processors].contains(name) }

  /// Whether this is the version of a dependency.
  package var isDependency: Bool { name.hasPrefix(Self.dependency) }
}

extension [Circumstance] {
  /// The name of the machine that carried the integration out; nil for the one that keeps it.
  package var machine: String? { first { $0.name == Circumstance.machine }?.value }

  /// The sanitizers with which it was built, such as `thread`; nil without any.
  package var sanitizers: String? { first { $0.name == Circumstance.sanitizers }?.value }
}
