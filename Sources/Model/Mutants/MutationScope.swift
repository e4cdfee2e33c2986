/// Which functions an integration tries without their bodies.
package enum MutationScope: String, Codable, CaseIterable, Sendable {
  case off
  /// Those of which the integrated commits touched a line.
  case changed
  /// All that tests ran.
  case all

  /// What is tried where the conditions are to be judged, too.
  package func needed(by gates: [CoverageGate]) -> MutationScope {
    self == .off && gates.contains(.noUncheckedChanges) ? .changed : self
  }
}
