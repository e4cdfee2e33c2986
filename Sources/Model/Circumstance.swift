/// Something beside the commit that an integration depends on: the system it ran on, a setting, a variable.
package struct Circumstance: Hashable, Sendable, Codable {
  /// The bot file's key where there is one, such as `tests.retries`; else a word or two.
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
