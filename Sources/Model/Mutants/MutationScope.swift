/// Which functions an integration tries without their bodies.
package enum MutationScope: String, Codable, CaseIterable, Sendable {
  case off
  /// Those of which the integrated commits touched a line.
  case changed
  /// All that tests ran.
  case all
}
